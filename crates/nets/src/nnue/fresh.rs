//! Accumulators of any set of men, computed from scratch: for positions outside a line
//! of play, and to check accumulators that were updated incrementally.

use super::accumulators::{Accumulated, MATERIAL};
use super::memory::Rows;
use super::simd::{Changes, Kernels};
use super::transformer::Transformer;
use chess::{Board, Color, Piece, PieceKind, Square};

/// The sums of both sides.
pub(super) struct Fresh {
    sums: Rows,
    material: [[i32; MATERIAL]; 2],
}

/// All men of a board.
pub(super) fn men(board: &Board) -> Vec<(Piece, Square)> {
    let squares = board.occupied().into_iter();
    squares
        .filter_map(|square| Some((board.piece_at(square)?, square)))
        .collect()
}

impl Fresh {
    /// The sums of these men, both kings among them.
    pub(super) fn new(
        transformer: &Transformer,
        kernels: &Kernels,
        men: &[(Piece, Square)],
    ) -> Fresh {
        let mut fresh = Fresh {
            sums: Rows::zeros(2, transformer.width()),
            material: [[0; MATERIAL]; 2],
        };
        for color in Color::ALL {
            let is_king =
                |(piece, _): &&(Piece, Square)| *piece == Piece::new(color, PieceKind::King);
            let Some(&(_, king)) = men.iter().find(is_king) else {
                continue;
            };
            let view = transformer.inputs().view(color, king);
            let rows: Vec<u32> = men
                .iter()
                .map(|&(piece, square)| view.feature(piece, square) as u32)
                .collect();
            let target = fresh.sums.row_mut(color.index());
            let changes = Changes {
                removed: &[],
                added: &rows,
            };
            kernels.update(&transformer.weights, &transformer.biases, target, changes);
            if transformer.has_psqt() {
                let material = &mut fresh.material[color.index()];
                for &row in &rows {
                    for (sum, weight) in material.iter_mut().zip(transformer.psqt_row(row as usize))
                    {
                        *sum += weight;
                    }
                }
            }
        }
        fresh
    }

    /// The sums as the side to move sees them.
    pub(super) fn seen_by(&self, us: Color) -> Accumulated<'_> {
        Accumulated {
            own: self.sums.row(us.index()),
            other: self.sums.row((!us).index()),
            own_material: &self.material[us.index()],
            other_material: &self.material[(!us).index()],
        }
    }
}
