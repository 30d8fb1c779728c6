//! Playing weaker on request: fewer nodes, and an evaluation that errs.
//!
//! With few nodes alone a player would never lose a piece to a short combination and would always
//! play the same game. So the evaluation of every position gets an error that depends on the
//! position and on the seed of the game: a player of 1500 misjudges positions, and different ones
//! in each game. This module must not know how the search uses nodes and errors.

use crate::mixing::mixed;
use chess::Board;

/// A strength on the scale of Stockfish's `UCI_Elo`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength(i32);

/// The nodes and the error of a strength.
struct Level {
    elo: i32,
    nodes: f64,
    /// The standard deviation of the evaluation's error in centipawns.
    error: f64,
}

/// Between two levels the error and the logarithm of the nodes are interpolated linearly.
const LEVELS: [Level; 5] = [
    level(1320, 60.0, 140.0),
    level(1600, 250.0, 90.0),
    level(2000, 1_300.0, 45.0),
    level(2400, 8_000.0, 15.0),
    level(2800, 50_000.0, 0.0),
];

const fn level(elo: i32, nodes: f64, error: f64) -> Level {
    Level { elo, nodes, error }
}

impl Strength {
    /// The weakest and the strongest rating.
    pub const RANGE: [i32; 2] = [LEVELS[0].elo, LEVELS[LEVELS.len() - 1].elo];

    /// The strength with this rating, or the nearest available.
    pub fn new(elo: i32) -> Strength {
        Strength(elo.clamp(Strength::RANGE[0], Strength::RANGE[1]))
    }

    /// How many nodes a move may take.
    pub(super) fn nodes(self) -> u64 {
        let logarithm = self.between(|level| level.nodes.ln());
        logarithm.exp().round() as u64
    }

    /// How the evaluation errs in the game with this seed.
    pub(super) fn error(self, seed: u64) -> EvaluationError {
        EvaluationError {
            seed: mixed(seed),
            centipawns: self.between(|level| level.error).round() as i64,
        }
    }

    /// A quantity of the table, interpolated linearly between two levels.
    fn between(self, number: impl Fn(&Level) -> f64) -> f64 {
        let above = LEVELS.iter().position(|level| level.elo >= self.0);
        let above = above.unwrap_or(LEVELS.len() - 1).max(1);
        let (low, high) = (&LEVELS[above - 1], &LEVELS[above]);
        let share = f64::from(self.0 - low.elo) / f64::from(high.elo - low.elo);
        number(low) + share * (number(high) - number(low))
    }
}

/// The evaluation's error; within a game it is the same each time a position occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct EvaluationError {
    seed: u64,
    /// The standard deviation.
    centipawns: i64,
}

impl EvaluationError {
    /// What to add to the evaluation of this position.
    #[inline(always)]
    pub(super) fn of(self, board: &Board) -> i32 {
        if self.centipawns == 0 {
            return 0;
        }
        self.drawn(board.key())
    }

    /// An error from a nearly normal distribution: the sum of four uniform numbers.
    fn drawn(self, key: u64) -> i32 {
        /// The mean of the sum of four numbers below 65,536, and its standard deviation.
        const MEAN: i64 = 131_070;
        const DEVIATION: i64 = 37_837;
        let bits = mixed(key ^ self.seed);
        let sum: u64 = (0..4).map(|part| bits >> (16 * part) & 0xffff).sum();
        ((sum as i64 - MEAN) * self.centipawns / DEVIATION) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_rating_has_more_nodes_and_smaller_errors() {
        let mut last = (0, i64::MAX);
        for elo in (1320..=2800).step_by(20) {
            let strength = Strength::new(elo);
            let now = (strength.nodes(), strength.error(1).centipawns);
            assert!(
                now.0 > last.0 && now.1 <= last.1,
                "{elo}: {now:?} after {last:?}"
            );
            last = now;
        }
        assert_eq!(Strength::new(0), Strength::new(1320));
        assert_eq!(Strength::new(9_999).nodes(), 50_000);
        assert_eq!(Strength::new(2800).error(7).drawn(12_345), 0);
    }

    #[test]
    fn errors_follow_from_seed_and_position_and_have_the_size_that_is_said() {
        let error = Strength::new(1320).error(3);
        let again = Strength::new(1320).error(3);
        let other = Strength::new(1320).error(4);
        let drawn = |error: EvaluationError| -> Vec<f64> {
            (0..20_000).map(|key| f64::from(error.drawn(key))).collect()
        };
        assert_eq!(drawn(error), drawn(again));
        assert_ne!(drawn(error), drawn(other));
        for values in [drawn(error), drawn(other)] {
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let variance = values
                .iter()
                .map(|value| (value - mean).powi(2))
                .sum::<f64>()
                / count;
            assert!(mean.abs() < 4.0, "{mean}");
            assert!((variance.sqrt() - 140.0).abs() < 4.0, "{}", variance.sqrt());
        }
    }
}
