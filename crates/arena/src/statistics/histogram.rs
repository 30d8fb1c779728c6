//! Observations by score: the common form of counts that all formulas take.

use super::counts::Counts;

/// The scores of a game.
const GAME_SCORES: [f64; 3] = [0.0, 0.5, 1.0];
/// The mean scores of the games of a pair.
const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// The largest number of scores that an observation can have.
pub(super) const MOST_SCORES: usize = PAIR_SCORES.len();

/// The count of a score that never occurred, for likelihood tests: a distribution without it could
/// not be told apart from one in which it is rare.
const NEVER: f64 = 1e-3;

/// How often each score was observed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Histogram {
    scores: &'static [f64],
    /// One weight per score, then zeros.
    weights: [f64; MOST_SCORES],
    games_per_observation: f64,
}

impl Histogram {
    /// Games lost, drawn and won.
    pub fn of_games(counts: [u64; 3]) -> Histogram {
        Histogram::new(&GAME_SCORES, &counts, 1.0)
    }

    /// Pairs of games by points, from none to two.
    pub fn of_pairs(counts: [u64; 5]) -> Histogram {
        Histogram::new(&PAIR_SCORES, &counts, 2.0)
    }

    fn new(scores: &'static [f64], counts: &[u64], games_per_observation: f64) -> Histogram {
        let mut weights = [0.0; MOST_SCORES];
        for (weight, &count) in weights.iter_mut().zip(counts) {
            *weight = count as f64;
        }
        Histogram {
            scores,
            weights,
            games_per_observation,
        }
    }

    /// The same, but a score that never occurred counts a thousandth.
    pub fn regularised(mut self) -> Histogram {
        for weight in &mut self.weights[..self.scores.len()] {
            if *weight == 0.0 {
                *weight = NEVER;
            }
        }
        self
    }

    /// Reverses it to the other player's point of view.
    #[cfg(test)]
    pub(super) fn reverse(&mut self) {
        self.weights[..self.scores.len()].reverse();
    }

    /// The scores, in rising order.
    pub(super) fn scores(&self) -> &'static [f64] {
        self.scores
    }

    /// The share of each score, with zeros after the last one. There must be observations.
    pub(super) fn shares(&self) -> [f64; MOST_SCORES] {
        let total = self.observations();
        self.weights.map(|weight| weight / total)
    }

    /// The number of observations, pairs or games.
    pub fn observations(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// The number of games.
    pub fn games(&self) -> f64 {
        self.observations() * self.games_per_observation
    }

    /// The number of games in an observation.
    pub(super) fn games_per_observation(&self) -> f64 {
        self.games_per_observation
    }

    /// The mean score; one half without observations.
    pub fn mean(&self) -> f64 {
        if self.observations() == 0.0 {
            return 0.5;
        }
        mean(self.scores, &self.shares())
    }

    /// The variance of the score of one observation, 0 without observations.
    pub fn variance(&self) -> f64 {
        if self.observations() == 0.0 {
            return 0.0;
        }
        variance(self.scores, &self.shares())
    }

    /// The standard deviation of the score of one game if games were independent: a pair's is
    /// smaller by a factor of the square root of two.
    pub fn game_deviation(&self) -> f64 {
        (self.variance() * self.games_per_observation).sqrt()
    }
}

impl Counts for Histogram {
    fn histogram(&self) -> Histogram {
        *self
    }
}

/// The mean of scores with these shares.
pub(super) fn mean(scores: &[f64], shares: &[f64]) -> f64 {
    scores.iter().zip(shares).map(|(a, p)| a * p).sum()
}

/// The variance of scores with these shares.
pub(super) fn variance(scores: &[f64], shares: &[f64]) -> f64 {
    let mean = mean(scores, shares);
    let square = |(a, p): (&f64, &f64)| p * (a - mean).powi(2);
    scores.iter().zip(shares).map(square).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_pairs_have_the_same_mean_and_deviation_of_a_game() {
        // All combinations of two independent games, from 1 loss, 1 draw and 2 wins.
        let games = Histogram::of_games([1, 1, 2]);
        let pairs = Histogram::of_pairs([1, 2, 5, 4, 4]);
        assert_eq!(games.mean(), 0.625);
        assert_eq!(pairs.mean(), 0.625);
        assert_eq!(games.variance(), 2.0 * pairs.variance());
        assert!((games.game_deviation() - pairs.game_deviation()).abs() < 1e-15);
        assert_eq!((games.games(), pairs.games()), (4.0, 32.0));
    }

    #[test]
    fn only_scores_that_can_happen_are_regularised() {
        let games = Histogram::of_games([0, 3, 0]).regularised();
        assert_eq!(games.weights, [0.001, 3.0, 0.001, 0.0, 0.0]);
    }

    #[test]
    fn nothing_observed_is_an_even_score() {
        let nothing = Histogram::of_pairs([0; 5]);
        assert_eq!((nothing.mean(), nothing.variance()), (0.5, 0.0));
    }
}
