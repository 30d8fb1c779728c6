//! The conversion of scores and results to win, draw and loss probabilities.

use crate::WrongSetting;
use crate::functions::sigmoid;
use crate::settings::within;
use data::position::Outcome;
use data::range::Range;
use nets::nnue::OUTCOMES;
use serde::{Deserialize, Serialize};

const OFFSET: Range = Range::closed(0.0, 10_000.0);
const SCALING: Range = Range::above(0.0, 10_000.0);

/// Conversion of scores to probabilities: a win is as likely as not at `offset` centipawns, and
/// its odds grow by the factor e every `scaling` centipawns.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "wdl")]
pub struct Wdl {
    /// The score, in centipawns, at which a win is as likely as not.
    #[schemars(transform = OFFSET.schema())]
    pub offset: f32,
    /// The number of centipawns that changes the odds of a win by the factor e.
    #[schemars(transform = SCALING.schema())]
    pub scaling: f32,
}

/// Fitted to 1.5 million positions of self-play with 200 nodes per move.
impl Default for Wdl {
    fn default() -> Wdl {
        Wdl {
            offset: 110.0,
            scaling: 170.0,
        }
    }
}

impl Wdl {
    /// Rejects invalid values.
    pub(super) fn check(&self) -> Result<(), WrongSetting> {
        let (offset, scaling) = (f64::from(self.offset), f64::from(self.scaling));
        within("wdl.offset", offset, OFFSET)?;
        within("wdl.scaling", scaling, SCALING)
    }

    /// The win, draw and loss probabilities of the side with this score.
    pub(super) fn of_score(&self, score: f32) -> [f32; OUTCOMES] {
        let win = sigmoid((score - self.offset) / self.scaling);
        let loss = sigmoid((-score - self.offset) / self.scaling);
        [win, (1.0 - win - loss).max(0.0), loss]
    }
}

/// The probabilities when the result is known.
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
        for score in [-32_000.0_f32, -300.0, -1.0, 0.0, 110.0, 31_999.0] {
            let [win, draw, loss] = wdl.of_score(score);
            assert!((win + draw + loss - 1.0).abs() < 1e-6 && draw >= 0.0);
            let [other_win, other_draw, other_loss] = wdl.of_score(-score);
            assert_eq!([win, loss], [other_loss, other_win]);
            assert!((draw - other_draw).abs() < 1e-6);
        }
        let [win, ..] = wdl.of_score(110.0);
        assert!((win - 0.5).abs() < 1e-6);
        let mate = wdl.of_score(31_999.0);
        for (chance, certain) in mate.iter().zip(of_result(Outcome::Win)) {
            assert!((chance - certain).abs() < 1e-6);
        }
    }
}
