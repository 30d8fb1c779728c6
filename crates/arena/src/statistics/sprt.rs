//! The sequential probability ratio test: play until the results speak for one
//! of two hypotheses, with stated risks of being wrong.
//!
//! The risks hold if the test is judged once after each pair, in the order in
//! which pairs were begun, and only ended by its own decision.

use super::brownian::Brownian;
use super::counts::Counts;
use super::elo::Estimate;
use super::likelihood::{Model, log_likelihood_ratio};
use super::sequential;
use data::range::Range;
use serde::{Deserialize, Serialize};

/// Hypotheses farther from 0 than this are refused: no match can tell them apart from winning or
/// losing every game.
pub const LARGEST_ELO: f64 = 1000.0;

const ELO: Range = Range::closed(-LARGEST_ELO, LARGEST_ELO);
const RISK: Range = Range::between(0.0, 0.5);

/// A test of `elo1` against `elo0`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(try_from = "Parts", into = "Parts")]
#[schemars(rename = "sprt")]
pub struct Sprt {
    parts: Parts,
}

/// A sequential probability ratio test of `elo1` against `elo0`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Parts {
    /// The lower hypothesis, in Elo.
    #[schemars(transform = ELO.schema())]
    elo0: f64,
    /// The upper hypothesis, in Elo.
    #[schemars(transform = ELO.schema())]
    elo1: f64,
    /// The risk of accepting a player that is no better than `elo0`.
    #[serde(default = "usual_risk")]
    #[schemars(transform = RISK.schema())]
    alpha: f64,
    /// The risk of rejecting a player that is as good as `elo1`.
    #[serde(default = "usual_risk")]
    #[schemars(transform = RISK.schema())]
    beta: f64,
    /// The scale of both hypotheses.
    #[serde(default)]
    model: Model,
}

fn usual_risk() -> f64 {
    0.05
}

/// Why a test is invalid.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not in rising order.
    #[error("elo0 is {elo0} and elo1 is {elo1}; elo1 must be the greater")]
    Order {
        /// The lower hypothesis.
        elo0: f64,
        /// The upper hypothesis.
        elo1: f64,
    },
    /// A hypothesis is too far from 0.
    #[error(
        "a hypothesis of {0} Elo is out of range; it must be from -{LARGEST_ELO} to {LARGEST_ELO}"
    )]
    TooFar(f64),
    /// A risk is out of range.
    #[error("{name} is {value}, but must be above 0 and below 0.5")]
    Risk {
        /// Its name, `alpha` or `beta`.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

/// The decision of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Undecided.
    Continue,
    /// `elo0` is accepted: the test failed.
    AcceptElo0,
    /// `elo1` is accepted: the test passed.
    AcceptElo1,
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Judgement {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At or below this, `elo0` is accepted.
    pub lower: f64,
    /// At or above this, `elo1` is accepted.
    pub upper: f64,
    /// The decision that follows.
    pub decision: Decision,
}

/// What to expect of a test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtProspect {
    /// The probability that it accepts `elo1`.
    pub pass_probability: f64,
    /// The mean number of games until it ends.
    pub mean_games: f64,
}

/// The strength estimated by a test, corrected for stopping at a favourable moment.
///
/// The true strength is equally likely to be above and below the value.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SequentialEstimate {
    /// The difference in Elo, whatever the scale of the test.
    pub elo: Estimate,
    /// The likelihood of superiority.
    pub los: f64,
}

impl Sprt {
    /// A test with these hypotheses. `alpha` is the risk of accepting `elo1` if
    /// `elo0` is true, `beta` the risk of accepting `elo0` if `elo1` is true.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: Model,
    ) -> Result<Sprt, SprtError> {
        Sprt::try_from(Parts {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }

    /// The hypotheses.
    pub fn hypotheses(&self) -> [f64; 2] {
        [self.parts.elo0, self.parts.elo1]
    }

    /// The risks `alpha` and `beta`.
    pub fn risks(&self) -> [f64; 2] {
        [self.parts.alpha, self.parts.beta]
    }

    /// The scale of the hypotheses.
    pub fn model(&self) -> Model {
        self.parts.model
    }

    /// The log-likelihood ratios at which the test ends.
    pub fn bounds(&self) -> [f64; 2] {
        let Parts { alpha, beta, .. } = self.parts;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// The state of the test after these observations.
    pub fn judge(&self, counts: &impl Counts) -> Judgement {
        let [elo0, elo1] = self.hypotheses();
        let [lower, upper] = self.bounds();
        let llr = log_likelihood_ratio(&counts.histogram(), self.parts.model, elo0, elo1);
        let decision = if llr >= upper {
            Decision::AcceptElo1
        } else if llr <= lower {
            Decision::AcceptElo0
        } else {
            Decision::Continue
        };
        Judgement {
            llr,
            lower,
            upper,
            decision,
        }
    }

    /// The strength estimated by the test, also before its end.
    ///
    /// `None` if all observations have the same score, or there are none: the estimate depends on
    /// the variance of scores, which is unknown then. Also `None` if the match went on long after
    /// the test had ended: then [`Strength`](super::Strength) is the estimate.
    pub fn estimate(&self, counts: &impl Counts) -> Option<SequentialEstimate> {
        let histogram = counts.histogram();
        let has_spread = histogram.variance() > 0.0;
        if !has_spread {
            return None;
        }
        sequential::estimate(self, &histogram.regularised())
    }

    /// What to expect of the test for a player whose games have this mean score and standard
    /// deviation.
    ///
    /// The log-likelihood ratio is approximated by a Brownian motion that stops exactly at its
    /// bounds; a real one overshoots them and takes a little longer.
    pub fn prospect(&self, score: f64, game_deviation: f64) -> SprtProspect {
        let motion = self.motion(score, game_deviation);
        SprtProspect {
            pass_probability: motion.upper_probability(),
            mean_games: motion.mean_time(),
        }
    }

    /// The test as a motion between its bounds, for a player whose games have this mean score and
    /// standard deviation; the unit of time is one game.
    pub(super) fn motion(&self, score: f64, game_deviation: f64) -> Brownian {
        let [lower, upper] = self.bounds();
        let [score0, score1] = self
            .hypotheses()
            .map(|elo| self.parts.model.score(elo, game_deviation));
        let step = (score1 - score0) / game_deviation;
        Brownian {
            lower,
            upper,
            drift: (score - 0.5 * (score0 + score1)) / game_deviation * step,
            variance: step * step,
        }
    }
}

impl TryFrom<Parts> for Sprt {
    type Error = SprtError;

    fn try_from(parts: Parts) -> Result<Sprt, SprtError> {
        let Parts { elo0, elo1, .. } = parts;
        for elo in [elo0, elo1] {
            if !(-LARGEST_ELO..=LARGEST_ELO).contains(&elo) {
                return Err(SprtError::TooFar(elo));
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", parts.alpha), ("beta", parts.beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Risk { name, value });
            }
        }
        Ok(Sprt { parts })
    }
}

impl From<Sprt> for Parts {
    fn from(sprt: Sprt) -> Parts {
        sprt.parts
    }
}

#[cfg(test)]
#[path = "sprt_tests.rs"]
mod tests;
