//! The Elo of a match, with its confidence interval.
//!
//! There are two scales. Elo itself is a function of the score. Normalized Elo is the score above
//! one half in standard deviations of a game, so that the number of games needed to prove it does
//! not depend on the draw rate; it equals Elo if no game is drawn and the players are about equal.

use super::counts::{Counts, Trinomial};
use super::histogram::Histogram;
use super::normal::{Z_95, probability_below};
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_10;
use std::fmt;

/// One standard deviation of a game in normalized Elo.
pub const NORMALIZED_ELO_OF_DEVIATION: f64 = 800.0 / LN_10;

/// The probability on each side of a confidence interval.
const TAIL: f64 = 0.025;

/// The expected score of a player who is stronger by this difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo for a score: infinite for no points and for all of them.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// A number with its 95 % confidence interval.
///
/// All three may be infinite; none is ever NaN.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The lower end of the interval.
    pub lower: f64,
    /// The upper end of the interval.
    pub upper: f64,
}

impl Estimate {
    /// Half the width of the interval.
    pub fn margin(&self) -> f64 {
        0.5 * (self.upper - self.lower)
    }
}

/// `+1.59 [+0.39, +2.80]`, with two decimals unless the format gives a precision.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(2);
        let [value, lower, upper] = [self.value, self.lower, self.upper].map(|number| {
            let text = format!("{number:+.decimals$}");
            // Zero has no sign.
            let is_zero = text.bytes().all(|byte| b"-0.".contains(&byte));
            if is_zero {
                text.replace('-', "+")
            } else {
                text
            }
        });
        write!(f, "{value} [{lower}, {upper}]")
    }
}

/// The strength of a player compared with the opponent, estimated from a match.
///
/// If all observations have the same score, the variance of scores is unknown, and the usual
/// interval would have no width. Another score is then given the largest probability with which it
/// would fail to occur once in forty times, and the likelihood of superiority is that of this many
/// successes in a row under a uniform prior for the success rate. Without observations, Elo is 0
/// with an infinite interval, and the likelihood of superiority is one half.
/// half.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Strength {
    /// The mean score of a game.
    pub score: f64,
    /// The difference in Elo.
    pub elo: Estimate,
    /// The difference in normalized Elo.
    pub normalized_elo: Estimate,
    /// The likelihood of superiority: that the player is the stronger one.
    pub los: f64,
}

impl Estimate {
    /// The Elo of a score, with the interval that it would have if every game were a win or a loss.
    /// Draws make it too wide, and the correlation within pairs is ignored: this is what the
    /// published program did.
    pub fn of_binomial(games: &Trinomial) -> Estimate {
        let score = games.score().unwrap_or(0.5);
        let error = (score * (1.0 - score) / games.games().max(1) as f64).sqrt();
        let elo = elo_of_score;
        Estimate {
            value: elo(score),
            lower: elo(score - Z_95 * error),
            upper: elo(score + Z_95 * error),
        }
    }
}

impl Strength {
    /// The strength estimated from these counts.
    pub fn of(counts: &impl Counts) -> Strength {
        let histogram = counts.histogram();
        let deviation = histogram.variance().sqrt();
        if deviation == 0.0 {
            return Strength::of_unanimous(&histogram);
        }
        let mean = histogram.mean();
        let error = deviation / histogram.observations().sqrt();
        let normalized = |mean: f64| normalized_elo(mean, histogram.game_deviation());
        let interval = |scale: &dyn Fn(f64) -> f64| Estimate {
            value: scale(mean),
            lower: scale(mean - Z_95 * error),
            upper: scale(mean + Z_95 * error),
        };
        Strength {
            score: mean,
            elo: interval(&elo_of_score),
            normalized_elo: interval(&normalized),
            los: probability_below((mean - 0.5) / error),
        }
    }

    fn of_unanimous(histogram: &Histogram) -> Strength {
        let score = histogram.mean();
        let doubt = 1.0 - TAIL.powf(1.0 / histogram.observations());
        let mean_with = |other: f64| score + doubt * (other - score);
        let normalized_with = |other: f64| {
            let variance = (other - score).powi(2) * doubt * (1.0 - doubt);
            let deviation = (variance * histogram.games_per_observation()).sqrt();
            normalized_elo(mean_with(other), deviation)
        };
        Strength {
            score,
            elo: Estimate {
                value: elo_of_score(score),
                lower: elo_of_score(mean_with(0.0)),
                upper: elo_of_score(mean_with(1.0)),
            },
            // Without variance, the smallest lead is infinitely many standard deviations.
            normalized_elo: Estimate {
                value: normalized_elo(score, 0.0),
                lower: if score < 0.5 {
                    f64::NEG_INFINITY
                } else {
                    normalized_with(0.0)
                },
                upper: if score > 0.5 {
                    f64::INFINITY
                } else {
                    normalized_with(1.0)
                },
            },
            los: los_of_unanimous(score, histogram.observations()),
        }
    }
}

fn los_of_unanimous(score: f64, observations: f64) -> f64 {
    let doubt = 0.5f64.powf(observations + 1.0);
    if score > 0.5 {
        1.0 - doubt
    } else if score < 0.5 {
        doubt
    } else {
        0.5
    }
}

/// Normalized Elo of a mean score and the standard deviation of a game.
fn normalized_elo(mean: f64, game_deviation: f64) -> f64 {
    if mean == 0.5 {
        return 0.0;
    }
    NORMALIZED_ELO_OF_DEVIATION * (mean - 0.5) / game_deviation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_elo_are_two_words_for_the_same() {
        assert_eq!(expected_score(0.0), 0.5);
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-15);
        for elo in [-900.0, -3.5, 0.0, 120.0] {
            assert!((elo_of_score(expected_score(elo)) - elo).abs() < 1e-9);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(1.2), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn estimates_are_written_with_signs() {
        let estimate = Estimate {
            value: 1.594_56,
            lower: -0.001,
            upper: f64::INFINITY,
        };
        assert_eq!(estimate.to_string(), "+1.59 [+0.00, +inf]");
        assert_eq!(format!("{estimate:.0}"), "+2 [+0, +inf]");
        assert_eq!(format!("{estimate:.4}"), "+1.5946 [-0.0010, +inf]");
    }

    #[test]
    fn nothing_is_known_without_games() {
        for histogram in [Histogram::of_games([0; 3]), Histogram::of_pairs([0; 5])] {
            let strength = Strength::of(&histogram);
            for estimate in [strength.elo, strength.normalized_elo] {
                assert_eq!(estimate.value, 0.0);
                assert_eq!(estimate.lower, f64::NEG_INFINITY);
                assert_eq!(estimate.upper, f64::INFINITY);
            }
            assert_eq!((strength.score, strength.los), (0.5, 0.5));
        }
    }

    #[test]
    fn only_wins_have_a_lower_end() {
        let strength = Strength::of(&Histogram::of_pairs([0, 0, 0, 0, 20]));
        // 0.025 ^ (1 / 20)
        let score = 0.831_566_529_f64;
        assert!((strength.elo.lower - elo_of_score(score)).abs() < 1e-4);
        assert_eq!(strength.elo.value, f64::INFINITY);
        assert_eq!(strength.elo.upper, f64::INFINITY);
        assert_eq!(strength.normalized_elo.upper, f64::INFINITY);
        assert!(strength.normalized_elo.lower > 0.0);
        assert_eq!(strength.los, 1.0 - 0.5f64.powi(21));
        // One pair proves hardly anything.
        let strength = Strength::of(&Histogram::of_pairs([0, 0, 0, 0, 1]));
        assert!(strength.elo.lower < -600.0);
        assert_eq!(strength.los, 0.75);
    }

    #[test]
    fn only_draws_are_even_with_some_doubt() {
        let strength = Strength::of(&Histogram::of_pairs([0, 0, 100, 0, 0]));
        assert_eq!((strength.elo.value, strength.los), (0.0, 0.5));
        assert_eq!(strength.normalized_elo.value, 0.0);
        assert!((strength.elo.lower + strength.elo.upper).abs() < 1e-9);
        // Half of 1 - 0.025 ^ (1 / 100) around one half.
        let upper = elo_of_score(0.5 + 0.5 * 0.036_216_7);
        assert!((strength.elo.upper - upper).abs() < 1e-3);
        // Close to the interval of 200 games with a known variance.
        let usual = NORMALIZED_ELO_OF_DEVIATION * Z_95 / 200f64.sqrt();
        assert!((strength.normalized_elo.upper / usual - 1.0).abs() < 0.02);
    }

    #[test]
    fn unanimous_pairs_that_are_no_draws_nor_wins() {
        let strength = Strength::of(&Histogram::of_pairs([0, 0, 0, 9, 0]));
        assert!((strength.elo.value - elo_of_score(0.75)).abs() < 1e-9);
        assert!(strength.elo.lower < strength.elo.value);
        assert!(strength.elo.upper > strength.elo.value);
        assert!(strength.elo.upper.is_finite());
        assert_eq!(strength.normalized_elo.value, f64::INFINITY);
        assert_eq!(strength.normalized_elo.upper, f64::INFINITY);
        assert!(strength.normalized_elo.lower.is_finite());
        let mirrored = Strength::of(&Histogram::of_pairs([0, 9, 0, 0, 0]));
        assert!((mirrored.elo.lower + strength.elo.upper).abs() < 1e-9);
        assert!((mirrored.los + strength.los - 1.0).abs() < 1e-15);
    }

    #[test]
    fn swapped_players_swap_the_sign() {
        let own = Strength::of(&Histogram::of_games([3, 9, 5]));
        let other = Strength::of(&Histogram::of_games([5, 9, 3]));
        assert!((own.elo.lower + other.elo.upper).abs() < 1e-9);
        assert!((own.normalized_elo.value + other.normalized_elo.value).abs() < 1e-9);
        assert!((own.los + other.los - 1.0).abs() < 1e-12);
    }
}
