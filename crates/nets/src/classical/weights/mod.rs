//! All weights of the evaluation.
//!
//! `values` has the weights of the features, as a trainer writes them; `parameters`
//! has the numbers of the groups that are not linear. This module must not know
//! boards.

mod parameters;
mod render;
mod text;
#[rustfmt::skip]
mod values;

pub use parameters::{
    ImbalanceParameters, InitiativeParameters, KingParameters, Parameters, SpaceParameters,
};
pub use text::{WeightsError, WeightsProblem};

use super::material::FULL_STAGE;
use super::score::Score;
use super::terms::{self, FEATURES};
use chess::PieceKind;
use std::sync::{Arc, OnceLock};

/// The number of slots for weights: a power of two, so that a mask replaces a bounds check.
const SLOTS: usize = 512;
const _: () = assert!(FEATURES <= SLOTS && SLOTS.is_power_of_two());

/// The published bounds of the stages, and the total non-pawn material on the same scale,
/// in which a queen is worth about 2600. For this evaluation, the bounds keep their
/// ratio to the total, and the total is that of its own opening weights. So the stages
/// stay the same when weights change.
const SOURCE_OPENING: i32 = 15_258;
const SOURCE_ENDGAME: i32 = 3_915;
const SOURCE_TOTAL: i32 = 16_488;

/// The built-in weights, created once.
pub(super) fn standard() -> &'static Arc<Weights> {
    static STANDARD: OnceLock<Arc<Weights>> = OnceLock::new();
    STANDARD.get_or_init(Arc::default)
}

/// All weights and parameters of the evaluation.
#[derive(Clone, Debug)]
pub struct Weights {
    scores: [Score; SLOTS],
    /// The numbers of the groups that are not linear.
    pub parameters: Parameters,
}

impl Default for Weights {
    fn default() -> Weights {
        let mut weights = Weights {
            scores: [Score::ZERO; SLOTS],
            parameters: Parameters::default(),
        };
        for (name, start, count) in terms::rows() {
            let row = values::VALUES.iter().find(|(known, _)| *known == name);
            let values = row.map_or(&[][..], |(_, values)| values);
            for (offset, &(opening, endgame)) in values.iter().take(count).enumerate() {
                weights.set(start + offset, opening, endgame);
            }
        }
        weights
    }
}

impl Weights {
    /// The opening and endgame weights of a feature; 0 past the last feature.
    pub fn get(&self, index: usize) -> (i32, i32) {
        let score = self.scores.get(index).copied().unwrap_or_default();
        (score.opening(), score.endgame())
    }

    /// Sets the weights of a feature; an index past the last feature is ignored.
    pub fn set(&mut self, index: usize, opening: i32, endgame: i32) {
        if index < FEATURES {
            self.scores[index] = Score::new(opening, endgame);
        }
    }

    /// The packed weights of a feature.
    #[inline(always)]
    pub(super) fn score(&self, index: usize) -> Score {
        self.scores[index % SLOTS]
    }

    /// The opening value of a piece; 0 for the king.
    #[inline(always)]
    pub(super) fn piece(&self, kind: PieceKind) -> i32 {
        match kind {
            PieceKind::King => 0,
            kind => self.score(terms::MATERIAL.feature(kind.index())).opening(),
        }
    }

    /// The opening value of the pieces except pawns, given the numbers from pawns to queens.
    pub(super) fn non_pawn_material(&self, counts: &[i32; 5]) -> i32 {
        (1..counts.len())
            .map(|kind| counts[kind] * self.get(terms::MATERIAL.feature(kind)).0)
            .sum()
    }

    /// The stage, from 0 to [`FULL_STAGE`], of a position with this much non-pawn material.
    pub(super) fn stage(&self, non_pawn: i32) -> i32 {
        let total = self.non_pawn_material(&[0, 4, 4, 4, 2]);
        let opening = total * SOURCE_OPENING / SOURCE_TOTAL;
        let endgame = total * SOURCE_ENDGAME / SOURCE_TOTAL;
        let above = non_pawn.clamp(endgame, opening.max(endgame)) - endgame;
        above * FULL_STAGE / (opening - endgame).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_has_its_values() {
        let rows: Vec<_> = terms::rows().collect();
        assert_eq!(rows.len(), values::VALUES.len());
        for ((name, _, count), (known, values)) in rows.iter().zip(values::VALUES) {
            assert_eq!(name, known);
            assert_eq!(*count, values.len(), "{name}");
        }
    }

    #[test]
    fn stage_runs_from_full_to_none() {
        let weights = Weights::default();
        let start = weights.non_pawn_material(&[8, 4, 4, 4, 2]);
        assert_eq!(weights.stage(start), FULL_STAGE);
        assert_eq!(weights.stage(0), 0);
        let rooks = weights.non_pawn_material(&[0, 0, 0, 2, 0]);
        assert_eq!(weights.stage(rooks), 0);
        let half = weights.non_pawn_material(&[0, 2, 2, 4, 0]);
        assert!((64..192).contains(&weights.stage(half)));
    }
}
