//! The likelihood ratio of two hypotheses.
//!
//! A hypothesis is a strength. Of the many distributions of scores with that strength, the most
//! likely one represents it (the generalized likelihood ratio). That distribution is computed
//! exactly, not by an approximation for small strengths.

use super::elo::{NORMALIZED_ELO_OF_DEVIATION, expected_score};
use super::histogram::{Histogram, MOST_SCORES, mean};
use super::root;
use serde::{Deserialize, Serialize};

/// The scale on which hypotheses are given.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalized Elo: the length of a test hardly depends on the draw rate.
    #[default]
    Normalized,
    /// Elo.
    Logistic,
    /// Elo, with each draw counted as half a win and half a loss. This overestimates the variance
    /// of scores, so that such a test takes longer than necessary: this is what the published
    /// program did.
    Binomial,
}

impl Model {
    /// The expected score of a hypothesis, if games have this standard deviation.
    pub(super) fn score(self, elo: f64, game_deviation: f64) -> f64 {
        match self {
            Model::Normalized => 0.5 + elo / NORMALIZED_ELO_OF_DEVIATION * game_deviation,
            Model::Logistic | Model::Binomial => expected_score(elo),
        }
    }
}

/// The search for the most likely distribution usually needs few rounds, thirty at most.
const MOST_ROUNDS: usize = 200;
/// The search ends when the relative change of a round is below this. The error of the likelihood
/// is then of the order of its square, because it is at its maximum.
const PRECISION: f64 = 1e-11;

type Shares = [f64; MOST_SCORES];

/// The log-likelihood ratio of `elo1` to `elo0`; 0 without observations.
pub(super) fn log_likelihood_ratio(
    histogram: &Histogram,
    model: Model,
    elo0: f64,
    elo1: f64,
) -> f64 {
    if histogram.observations() == 0.0 {
        return 0.0;
    }
    if model == Model::Binomial {
        return binomial_ratio(histogram, [elo0, elo1].map(expected_score));
    }
    let histogram = histogram.regularised();
    let [factors0, factors1] = [elo0, elo1].map(|elo| match model {
        Model::Normalized => normalized_factors(&histogram, elo),
        Model::Logistic | Model::Binomial => logistic_factors(&histogram, elo),
    });
    let shares = histogram.shares();
    let term = |index: usize| shares[index] * (factors0[index] / factors1[index]).ln();
    histogram.observations() * (0..histogram.scores().len()).map(term).sum::<f64>()
}

/// The ratio if every game were a win or a loss, with these probabilities of a win.
fn binomial_ratio(histogram: &Histogram, [chance0, chance1]: [f64; 2]) -> f64 {
    let games = histogram.observations() * histogram.games_per_observation();
    let score = histogram.mean();
    games
        * (score * (chance1 / chance0).ln()
            + (1.0 - score) * ((1.0 - chance1) / (1.0 - chance0)).ln())
}

/// The factors by which the observed shares must be divided to make their mean the expected score
/// of this Elo.
fn logistic_factors(histogram: &Histogram, elo: f64) -> Shares {
    let score = expected_score(elo);
    let mut slopes = [0.0; MOST_SCORES];
    for (slope, a) in slopes.iter_mut().zip(histogram.scores()) {
        *slope = a - score;
    }
    factors(histogram, &slopes)
}

/// The factors by which the observed shares must be divided to place their mean this normalized Elo
/// above one half.
///
/// Let b be a score minus one half. The mean of b is t standard deviations exactly if it is u times
/// the root of the mean of b squared, where u = t / sqrt(1 + t^2). That root is at most (r +
/// mean(b^2) / r) / 2 for any r, with equality for the right r, which makes the condition linear. r
/// is found iteratively: each round takes it from the distribution found with the previous one.
fn normalized_factors(histogram: &Histogram, elo: f64) -> Shares {
    let condition = Normalized::new(histogram, elo);
    let (mut low, mut high) = condition.bounds();
    let mut root = condition.start(low, high);
    let mut result = [1.0; MOST_SCORES];
    for _ in 0..MOST_ROUNDS {
        result = factors(histogram, &condition.slopes(root));
        let next = condition.root_mean_square(&result);
        if high.is_finite() {
            if next > root {
                low = root;
            } else {
                high = root;
            }
        }
        let next = if next > low && next < high {
            next
        } else {
            low + 0.5 * (high - low)
        };
        let change = (next / root - 1.0).abs();
        root = next;
        if change < PRECISION {
            break;
        }
    }
    result
}

/// The condition that a normalized Elo puts on a distribution.
struct Normalized {
    observed: Shares,
    /// The scores minus one half; with the opposite sign if the Elo is negative.
    leads: Shares,
    /// The mean lead per unit of the root of the mean square.
    share: f64,
}

impl Normalized {
    fn new(histogram: &Histogram, elo: f64) -> Normalized {
        let per_deviation = elo.abs() / NORMALIZED_ELO_OF_DEVIATION;
        let target = per_deviation * histogram.games_per_observation().sqrt();
        let mut leads = [0.0; MOST_SCORES];
        for (lead, a) in leads.iter_mut().zip(histogram.scores()) {
            *lead = (a - 0.5) * elo.signum();
        }
        Normalized {
            observed: histogram.shares(),
            leads,
            share: target / target.hypot(1.0),
        }
    }

    /// Bounds of the root of the mean square, if the observed lead exceeds the condition. The
    /// distributions below the condition are then a convex set, so the solution is unique, and it
    /// lies where the linear condition can still be violated. Otherwise no bounds are needed: every
    /// round makes the distribution more likely.
    fn bounds(&self) -> (f64, f64) {
        let mean = mean(&self.leads, &self.observed);
        let root = self.root_mean_square(&[1.0; MOST_SCORES]);
        let excess = mean / (self.share * root);
        if excess > 1.0 {
            let spread = excess + (excess * excess - 1.0).sqrt();
            (root / spread, root * spread)
        } else {
            (0.0, f64::INFINITY)
        }
    }

    /// A first value for the root of the mean square with which the condition can be met.
    fn start(&self, low: f64, high: f64) -> f64 {
        let observed = self.root_mean_square(&[1.0; MOST_SCORES]);
        // With this root, even wins have slope 0.
        let least = 0.5 * self.share / (1.0 + (1.0 - self.share * self.share).sqrt());
        if high.is_finite() {
            (low * high).sqrt()
        } else if observed > least {
            observed
        } else {
            (0.5 * least).sqrt()
        }
    }

    fn slopes(&self, root: f64) -> Shares {
        let slope = |lead: f64| lead - 0.5 * self.share * (root + lead * lead / root);
        self.leads.map(slope)
    }

    /// The root of the mean square of the leads, after the observed shares have been divided by
    /// these factors.
    fn root_mean_square(&self, factors: &Shares) -> f64 {
        let square = |index: usize| {
            let lead = self.leads[index];
            self.observed[index] / factors[index] * lead * lead
        };
        (0..MOST_SCORES).map(square).sum::<f64>().sqrt()
    }
}

/// The factors 1 + x * slope by which the observed shares are divided to give the most likely
/// distribution in which the mean of the slopes is 0.
fn factors(histogram: &Histogram, slopes: &Shares) -> Shares {
    let observed = histogram.shares();
    let slopes_used = &slopes[..histogram.scores().len()];
    let least = slopes_used.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slopes_used
        .iter()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max);
    let sum = |x: f64| {
        let (mut value, mut slope_of_value) = (0.0, 0.0);
        for (slope, share) in slopes_used.iter().zip(&observed) {
            let part = slope / (1.0 + x * slope);
            value += share * part;
            slope_of_value -= share * part * part;
        }
        (value, slope_of_value)
    };
    let x = root::newton(sum, -1.0 / most, -1.0 / least, 0.0);
    let mut factors = [1.0; MOST_SCORES];
    for (factor, slope) in factors.iter_mut().zip(slopes_used) {
        // Rounding may put a very rare score at the pole.
        *factor = (1.0 + x * slope).max(f64::EPSILON);
    }
    factors
}

#[cfg(test)]
#[path = "likelihood_tests.rs"]
mod tests;
