//! The hand-written evaluation.

use crate::Evaluator;
use chess::{Board, Color, PieceKind};

/// The hand-written evaluation.
#[derive(Clone, Debug, Default)]
pub struct Classical;

const VALUES: [i32; 5] = [100, 320, 330, 500, 900];

impl Evaluator for Classical {
    fn evaluate(&mut self, board: &Board) -> i32 {
        let side = |color: Color| -> i32 {
            PieceKind::ALL
                .into_iter()
                .zip(VALUES)
                .map(|(kind, value)| {
                    let centre: i32 = board
                        .pieces(color, kind)
                        .into_iter()
                        .map(|square| {
                            let distance = |index: usize| (2 * index as i32 - 7).abs() / 2;
                            6 - distance(square.file().index()) - distance(square.rank().index())
                        })
                        .sum();
                    board.pieces(color, kind).count() as i32 * value + 3 * centre
                })
                .sum()
        };
        let us = board.side_to_move();
        side(us) - side(!us)
    }
}
