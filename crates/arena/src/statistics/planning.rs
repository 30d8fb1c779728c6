//! How many games a question needs, computed before they are played.
//!
//! Games are taken as independent. Pairs with the same opening have a smaller variance, so a match
//! of pairs needs somewhat fewer games than planned here.

use super::elo::{NORMALIZED_ELO_OF_DEVIATION, expected_score};
use super::normal::{Z_95, probability_below, quantile};
use super::sprt::{LARGEST_ELO, Sprt, SprtProspect};
use std::f64::consts::LN_10;

/// A planned match: the player's superiority and the draw rate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prospect {
    score: f64,
    deviation: f64,
}

/// Why such a match is impossible.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum ProspectError {
    /// The difference of strength is too large.
    #[error("{0} Elo is out of range; it must be from -{LARGEST_ELO} to {LARGEST_ELO}")]
    TooFar(f64),
    /// The draw rate is out of range, or leaves no room for the score.
    #[error(
        "a draw rate of {draw_rate} is impossible for {elo} Elo; it must be at least 0 and below \
         {most:.3}"
    )]
    DrawRate {
        /// The draw rate.
        draw_rate: f64,
        /// The difference of strength.
        elo: f64,
        /// The upper bound of the draw rate.
        most: f64,
    },
}

impl Prospect {
    /// A match in which the player is stronger by `elo`, with this draw rate.
    pub fn new(elo: f64, draw_rate: f64) -> Result<Prospect, ProspectError> {
        if !(-LARGEST_ELO..=LARGEST_ELO).contains(&elo) {
            return Err(ProspectError::TooFar(elo));
        }
        let score = expected_score(elo);
        let most = 2.0 * score.min(1.0 - score);
        // Written so that NaN is refused too.
        if !(draw_rate >= 0.0 && draw_rate < most) {
            return Err(ProspectError::DrawRate {
                draw_rate,
                elo,
                most,
            });
        }
        let variance = score * (1.0 - score) - 0.25 * draw_rate;
        Ok(Prospect {
            score,
            deviation: variance.sqrt(),
        })
    }

    /// The difference of strength in normalized Elo.
    pub fn normalized_elo(&self) -> f64 {
        NORMALIZED_ELO_OF_DEVIATION * (self.score - 0.5) / self.deviation
    }

    /// The number of games after which the 95 % interval reaches this many Elo to each side.
    pub fn games_for_margin(&self, margin: f64) -> f64 {
        let elo_per_score = 400.0 / (LN_10 * self.score * (1.0 - self.score));
        (Z_95 * self.deviation * elo_per_score / margin).powi(2)
    }

    /// The probability that the 95 % interval lies above 0 after this many games.
    pub fn power(&self, games: f64) -> f64 {
        probability_below(self.deviations_above_half() * games.sqrt() - Z_95)
    }

    /// The number of games after which the 95 % interval lies above 0 with this probability;
    /// infinite if it never will.
    pub fn games_for_power(&self, power: f64) -> f64 {
        let lead = self.deviations_above_half();
        let wanted = Z_95 + quantile(power);
        if wanted <= 0.0 {
            0.0
        } else if lead <= 0.0 {
            f64::INFINITY
        } else {
            (wanted / lead).powi(2)
        }
    }

    /// The prospects of a sequential test.
    pub fn sprt(&self, sprt: &Sprt) -> SprtProspect {
        sprt.prospect(self.score, self.deviation)
    }

    fn deviations_above_half(&self) -> f64 {
        (self.score - 0.5) / self.deviation
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Histogram, Model, Strength};

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("a test")
    }

    #[test]
    fn a_planned_interval_is_the_one_that_comes() {
        // 30 % wins, 50 % draws, 20 % losses.
        let elo = super::super::elo_of_score(0.55);
        let prospect = Prospect::new(elo, 0.5).expect("a match");
        let games = prospect.games_for_margin(5.0);
        let hundredth = (games / 100.0).round() as u64;
        let counts = [20 * hundredth, 50 * hundredth, 30 * hundredth];
        let strength = Strength::of(&Histogram::of_games(counts));
        assert!((strength.elo.margin() - 5.0).abs() < 0.02);
        let planned = prospect.normalized_elo();
        assert!((strength.normalized_elo.value - planned).abs() < 1e-9);
    }

    #[test]
    fn games_and_power_undo_each_other() {
        let prospect = Prospect::new(10.0, 0.4).expect("a match");
        // ((1.959964 + 1.281552) * sqrt(0.15 - 0.000207) / 0.014387)^2
        let games = prospect.games_for_power(0.9);
        assert!((games - 7604.0).abs() < 1.0, "{games}");
        assert!((prospect.power(games) - 0.9).abs() < 1e-9);
        assert!((prospect.power(0.0) - 0.025).abs() < 1e-12);
        assert_eq!(prospect.games_for_power(0.01), 0.0);
        let even = Prospect::new(0.0, 0.4).expect("a match");
        assert_eq!(even.games_for_power(0.9), f64::INFINITY);
        assert!((even.power(1e6) - 0.025).abs() < 1e-12);
    }

    #[test]
    fn at_its_hypotheses_a_test_errs_as_stated() {
        let lower = Prospect::new(0.0, 0.4).expect("a match");
        for sprt in [
            test(0.0, 5.0, Model::Logistic),
            test(0.0, 5.0, Model::Normalized),
        ] {
            let expected = lower.sprt(&sprt);
            // The midpoint of the scores is not quite the midpoint of the likelihoods.
            assert!((expected.pass_probability - 0.05).abs() < 1e-3);
        }
        let upper = Prospect::new(5.0, 0.4).expect("a match");
        let expected = upper.sprt(&test(0.0, 5.0, Model::Logistic));
        assert!((expected.pass_probability - 0.95).abs() < 1e-3);
    }

    #[test]
    fn a_test_takes_longest_between_its_hypotheses() {
        let sprt = test(0.0, 5.0, Model::Logistic);
        let games = |elo: f64| {
            let prospect = Prospect::new(elo, 0.4).expect("a match");
            prospect.sprt(&sprt).mean_games
        };
        assert!(games(2.5) > games(0.0) && games(2.5) > games(5.0));
        assert!((games(0.0) / games(5.0) - 1.0).abs() < 0.01);
        // Halfway between the hypotheses: the bound squared divided by the variance of a game.
        let step = (expected_score(5.0) - 0.5) / Prospect::new(2.5, 0.4).unwrap().deviation;
        let middle = (19f64.ln() / step).powi(2);
        assert!((games(2.5) / middle - 1.0).abs() < 1e-3);
    }

    #[test]
    fn matches_that_cannot_be_are_refused() {
        assert!(Prospect::new(f64::NAN, 0.4).is_err());
        assert!(Prospect::new(5000.0, 0.4).is_err());
        assert!(Prospect::new(0.0, 1.0).is_err());
        assert!(Prospect::new(0.0, -0.1).is_err());
        assert!(Prospect::new(0.0, f64::NAN).is_err());
        let error = Prospect::new(400.0, 0.4).expect_err("too many draws");
        assert_eq!(
            error.to_string(),
            "a draw rate of 0.4 is impossible for 400 Elo; it must be at least 0 and below 0.182"
        );
    }
}
