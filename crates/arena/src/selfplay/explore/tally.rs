//! Statistics of many games of exploration: the calibration of values, false resignations, repeated
//! games.

use super::rows::Explored;
use crate::game::Outcome;
use data::policy::PolicyRecord;
use serde::{Deserialize, Serialize};

/// The number of bins for values.
const BINS: usize = 10;

/// Sums over games of exploration.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ExploreTally {
    /// The number of games with searches.
    pub searched_games: u64,
    /// The number of positions that the policy learns from.
    pub full_rows: u64,
    /// The number of simulations of all searches.
    pub simulations: u64,
    /// The number of positions that models evaluated.
    pub evaluations: u64,
    /// The number of games in which a side resigned, whether or not it ended them.
    pub resigned: u64,
    /// How many of them were played out.
    pub played_on: u64,
    /// How many of those the side did not lose.
    pub false_resignations: u64,
    /// The number of games that repeat an earlier one move for move.
    pub repeated_games: u64,
    /// The calibration of the values of searches.
    pub calibration: Calibration,
}

/// The values of positions and the results of their games, in equal bins of values from -1 to 1.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Calibration {
    /// For each bin: the number of positions, the sum of their values, the sum of their results.
    pub bins: [(u64, f64, f64); BINS],
}

impl Calibration {
    fn add(&mut self, record: &PolicyRecord) {
        let value = f64::from(record.chances[0] - record.chances[2]);
        let place = ((value + 1.0) / 2.0 * BINS as f64) as usize;
        let (count, values, results) = &mut self.bins[place.min(BINS - 1)];
        *count += 1;
        *values += value;
        *results += f64::from(record.result.number());
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.bins.iter().map(|bin| bin.0).sum()
    }

    /// The calibration error: the difference between mean value and mean result of each bin,
    /// averaged over positions. `None` without positions.
    pub fn error(&self) -> Option<f64> {
        let positions = self.positions();
        let apart = |(_, values, results): &(u64, f64, f64)| (values - results).abs();
        (positions > 0).then(|| self.bins.iter().map(apart).sum::<f64>() / positions as f64)
    }
}

impl ExploreTally {
    /// Adds a game; `is_repeated` says whether its moves were played before.
    pub(in crate::selfplay) fn add(&mut self, game: &Explored, result: Outcome, is_repeated: bool) {
        self.searched_games += u64::from(game.searched);
        self.full_rows += u64::from(game.full_rows);
        self.simulations += game.simulations;
        self.evaluations += game.evaluations;
        self.repeated_games += u64::from(is_repeated);
        if let Some(resignation) = &game.resignation {
            self.resigned += 1;
            if resignation.played_on {
                self.played_on += 1;
                self.false_resignations += u64::from(resignation.is_false(result));
            }
        }
    }

    /// Adds a position, if the policy learns from it.
    pub(in crate::selfplay) fn add_row(&mut self, record: &PolicyRecord) {
        if record.policy_weight > 0.0 {
            self.calibration.add(record);
        }
    }

    /// The share of false resignations among those that were played out.
    pub fn false_share(&self) -> Option<f64> {
        (self.played_on > 0).then(|| self.false_resignations as f64 / self.played_on as f64)
    }
}
