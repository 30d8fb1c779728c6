//! Tables of each side's perspective of the board: the inputs of all men.
//!
//! The numbers come from [`Inputs`]; a table look-up is faster than computing them for each man of
//! millions of positions.

use chess::{Color, Piece, PieceKind, Square};
use nets::nnue::{Inputs, View};

/// The number of different men: six kinds of two colours on 64 squares.
const MEN: usize = 12 * 64;

/// The perspective of a side whose king remains within the same view.
#[derive(Clone, Debug)]
pub(crate) struct Perspective {
    pub(crate) bucket: usize,
    /// The input of each man, numbered from the first of the bucket.
    pub(crate) inputs: Box<[u16; MEN]>,
}

/// A man on a square, as a number.
#[inline(always)]
pub(crate) fn man(piece: Piece, square: Square) -> u16 {
    (64 * (2 * piece.kind.index() + piece.color.index()) + square.index()) as u16
}

/// The index of the perspective of a view.
#[inline(always)]
pub(crate) fn perspective(view: &View, side: Color) -> usize {
    2 * view.number() + side.index()
}

/// The perspectives of all views.
pub(crate) fn perspectives(inputs: &Inputs) -> Vec<Perspective> {
    let nothing = Perspective {
        bucket: 0,
        inputs: Box::new([0; MEN]),
    };
    let mut perspectives = vec![nothing; 2 * inputs.view_count()];
    for side in Color::ALL {
        for king in Square::all() {
            let view = inputs.view(side, king);
            let perspective = &mut perspectives[perspective(&view, side)];
            perspective.bucket = view.number() >> usize::from(inputs.is_mirrored());
            let first = perspective.bucket * inputs.bucket_size();
            for (color, kind) in Color::ALL
                .into_iter()
                .flat_map(|color| PieceKind::ALL.map(|kind| (color, kind)))
            {
                for square in Square::all() {
                    let piece = Piece::new(color, kind);
                    let input = view.feature(piece, square) - first;
                    assert!(input < inputs.bucket_size());
                    perspective.inputs[usize::from(man(piece, square))] = input as u16;
                }
            }
        }
    }
    perspectives
}
