//! An unbiased estimate of the strength after a sequential test.
//!
//! A test that stops at a favourable moment makes winners look better than they are, so the plain
//! estimate is biased. The outcomes of a test are therefore ordered, from a quick failure to a
//! quick success. The estimate is the strength for which an outcome worse than the observed one has
//! probability 0.5, and the ends of its interval are those with probabilities 0.975 and 0.025.

use super::elo::{Estimate, expected_score};
use super::histogram::Histogram;
use super::root;
use super::sprt::{LARGEST_ELO, SequentialEstimate, Sprt};

/// By which factor the ratio may exceed a bound and still count as having just ended there: games
/// that were in progress when the test ended are counted too.
const OVERSHOOT: f64 = 1.1;

/// The observations, as the end of a Brownian motion.
struct Outcome<'a> {
    sprt: &'a Sprt,
    game_deviation: f64,
    games: f64,
    llr: f64,
}

/// The strength for which this outcome is the median; every score of the histogram must have a
/// weight. `None` if the test had ended long before.
pub(super) fn estimate(sprt: &Sprt, histogram: &Histogram) -> Option<SequentialEstimate> {
    let outcome = Outcome::new(sprt, histogram)?;
    // The stronger the player, the rarer is a worse outcome.
    let elo_with = |probability: f64| {
        let too_rare = |elo: f64| probability - outcome.worse_probability(elo);
        root::bisect(too_rare, -LARGEST_ELO, LARGEST_ELO)
    };
    Some(SequentialEstimate {
        elo: Estimate {
            value: elo_with(0.5),
            lower: elo_with(0.975),
            upper: elo_with(0.025),
        },
        los: outcome.worse_probability(0.0),
    })
}

impl Outcome<'_> {
    /// The motion is a straight line to the observed ratio. If that lies a little beyond a bound,
    /// the motion ended where the line meets the bound.
    fn new<'a>(sprt: &'a Sprt, histogram: &Histogram) -> Option<Outcome<'a>> {
        let game_deviation = histogram.game_deviation();
        let games = histogram.games();
        let motion = sprt.motion(histogram.mean(), game_deviation);
        let llr = games * motion.drift;
        let inside = llr.clamp(motion.lower, motion.upper);
        let share = if inside == llr { 1.0 } else { inside / llr };
        // The largest change that one more observation can bring.
        let step = motion.variance.sqrt() / game_deviation * histogram.games_per_observation();
        let is_at_end = llr.abs() <= OVERSHOOT * inside.abs() + step;
        is_at_end.then_some(Outcome {
            sprt,
            game_deviation,
            games: games * share,
            llr: inside,
        })
    }

    /// The probability of a worse outcome for a player of this strength.
    fn worse_probability(&self, elo: f64) -> f64 {
        self.sprt
            .motion(expected_score(elo), self.game_deviation)
            .worse_probability(self.games, self.llr)
    }
}
