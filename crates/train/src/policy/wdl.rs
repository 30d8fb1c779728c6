//! What a score says of how a game ends.

use crate::WrongSetting;
use crate::functions::sigmoid;
use crate::settings::within;
use data::position::Outcome;
use data::range::Range;
use nets::nnue::OUTCOMES;
use serde::{Deserialize, Serialize};

/// From scores to chances: a win is as likely as not at `offset` centipawns, and its
/// odds change by the factor e with each `scaling` more.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Wdl {
    /// See above.
    pub offset: f32,
    /// See above.
    pub scaling: f32,
}

impl Default for Wdl {
    fn default() -> Wdl {
        Wdl {
            offset: 150.0,
            scaling: 80.0,
        }
    }
}

impl Wdl {
    /// Refuses numbers that mean nothing.
    pub(super) fn check(&self) -> Result<(), WrongSetting> {
        let (offset, scaling) = (f64::from(self.offset), f64::from(self.scaling));
        within("wdl.offset", offset, Range::closed(0.0, 10_000.0))?;
        within("wdl.scaling", scaling, Range::above(0.0, 10_000.0))
    }

    /// The chances of a win, a draw and a loss for the side that has this score.
    pub(super) fn of_score(&self, score: f32) -> [f32; OUTCOMES] {
        let win = sigmoid((score - self.offset) / self.scaling);
        let loss = sigmoid((-score - self.offset) / self.scaling);
        [win, 1.0 - win - loss, loss]
    }
}

/// Certainty.
pub(super) fn of_result(result: Outcome) -> [f32; OUTCOMES] {
    match result {
        Outcome::Win => [1.0, 0.0, 0.0],
        Outcome::Draw => [0.0, 1.0, 0.0],
        Outcome::Loss => [0.0, 0.0, 1.0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_the_side_and_sum_to_one() {
        let wdl = Wdl::default();
        for score in [-32_000.0_f32, -300.0, -1.0, 0.0, 150.0, 31_999.0] {
            let [win, draw, loss] = wdl.of_score(score);
            assert!((win + draw + loss - 1.0).abs() < 1e-6 && draw >= -1e-6);
            assert_eq!([loss, draw, win], wdl.of_score(-score));
        }
        let [win, ..] = wdl.of_score(150.0);
        assert!((win - 0.5).abs() < 1e-6);
        assert_eq!(wdl.of_score(31_999.0), of_result(Outcome::Win));
    }
}
