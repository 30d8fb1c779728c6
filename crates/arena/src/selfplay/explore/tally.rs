//! What many games show of their player: whether its values come true, whether its
//! resignations were right, whether its games are different.

use super::rows::Explored;
use crate::game::Outcome;
use data::policy::PolicyRecord;
use serde::{Deserialize, Serialize};

/// Parts of the range of values.
const BINS: usize = 10;

/// Sums over games of exploration.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ExploreTally {
    /// Games with searches.
    pub searched_games: u64,
    /// Positions of which the policy learns.
    pub full_rows: u64,
    /// Simulations of all searches.
    pub simulations: u64,
    /// Positions that models computed.
    pub evaluations: u64,
    /// Games in which a side resigned, whether that ended them or not.
    pub resigned: u64,
    /// Those of them that were played to their end.
    pub played_on: u64,
    /// Those of these that the side did not lose.
    pub false_resignations: u64,
    /// Games that were played before, move for move.
    pub repeated_games: u64,
    /// What became of the values of searches.
    pub calibration: Calibration,
}

/// Values of positions beside the results of their games, by equal parts of the values
/// from -1 to 1.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Calibration {
    /// For each part: positions, the sum of their values, the sum of their results.
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

    /// Positions in all.
    pub fn positions(&self) -> u64 {
        self.bins.iter().map(|bin| bin.0).sum()
    }

    /// How far values are from the results of their games: the mean over positions of the
    /// differences of each part's means. Nothing without positions.
    pub fn error(&self) -> Option<f64> {
        let positions = self.positions();
        let apart = |(_, values, results): &(u64, f64, f64)| (values - results).abs();
        (positions > 0).then(|| self.bins.iter().map(apart).sum::<f64>() / positions as f64)
    }
}

impl ExploreTally {
    /// The same with one more game; whether its moves were played before.
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

    /// Adds a position that was searched in full.
    pub(in crate::selfplay) fn add_row(&mut self, record: &PolicyRecord) {
        if record.policy_weight > 0.0 {
            self.calibration.add(record);
        }
    }

    /// The share of resignations that were false, of those that were played on.
    pub fn false_share(&self) -> Option<f64> {
        (self.played_on > 0).then(|| self.false_resignations as f64 / self.played_on as f64)
    }
}
