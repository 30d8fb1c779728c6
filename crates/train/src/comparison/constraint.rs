//! The material constraint, which keeps weights from growing without bound.

use super::settings::Material;
use crate::network::{Row, Trained};
use chess::PieceKind;
use nets::classical::{Group, Weights, material_feature};

/// The published sum of the opening weights of two queens and four rooks, bishops and knights; it
/// defines the published scale.
const PUBLISHED_TOTAL: f64 = 16_488.0;

/// The pieces of both sides in the start position, by kind.
const PIECES: [(PieceKind, f64); 4] = [
    (PieceKind::Queen, 2.0),
    (PieceKind::Rook, 4.0),
    (PieceKind::Bishop, 4.0),
    (PieceKind::Knight, 4.0),
];

/// The sum of the opening weights of all these pieces; pawns are not included.
fn total(weight: impl Fn(usize) -> f64) -> f64 {
    let of_kind = |&(kind, count): &(PieceKind, f64)| {
        material_feature(kind).map_or(0.0, |index| count * weight(index))
    };
    PIECES.iter().map(of_kind).sum()
}

/// The sum that is kept constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Constraint {
    /// The sum in centipawns.
    total: f64,
    /// Whether material weights are trained, so that gamma changes.
    changes: bool,
}

impl Constraint {
    /// The constraint of a training with these initial weights.
    pub(super) fn new(total_wanted: Option<f64>, start: &Weights, trained: Trained) -> Constraint {
        let usual = total(|index| f64::from(start.get(index).0));
        Constraint {
            total: total_wanted.unwrap_or(usual),
            changes: trained.groups.contains(Group::PieceSquares),
        }
    }

    /// The factor that converts floats to centipawns.
    pub(super) fn gamma(self, row: &Row) -> f64 {
        match self.changes {
            true => self.total / total(|index| row[index][0]),
            false => self.total / PUBLISHED_TOTAL,
        }
    }

    /// Converts a weight in centipawns to a float of the published scale.
    pub(super) fn published(self, centipawns: f64) -> f64 {
        centipawns * PUBLISHED_TOTAL / self.total
    }
}

impl Material {
    /// Sets the material weights of a row.
    pub(super) fn put(&self, row: &mut Row) {
        for (kind, value) in [
            (PieceKind::Pawn, self.pawn),
            (PieceKind::Knight, self.knight),
            (PieceKind::Bishop, self.bishop),
            (PieceKind::Rook, self.rook),
            (PieceKind::Queen, self.queen),
        ] {
            if let Some(index) = material_feature(kind) {
                row[index] = [value; 2];
            }
        }
    }
}
