//! Which squares a piece attacks, and the lines of the board.
//!
//! Everything here is geometry: it knows squares and occupied squares, and
//! must not know whose turn it is or what a legal move is.

mod geometry;
mod setwise;
mod sliders;

pub use geometry::{
    antidiagonal, between, diagonal, king_attacks, knight_attacks, line, pawn_attacks,
};
pub use setwise::{knight_attacks_of_all, pawn_attacks_of_all, slider_attacks_of_all};
pub use sliders::{bishop_attacks, queen_attacks, rook_attacks};

use crate::{Bitboard, Color, PieceKind, Square};

/// The squares that a piece on `square` attacks when `occupied` squares stop it.
#[inline]
pub fn attacks(kind: PieceKind, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn_attacks(color, square),
        PieceKind::Knight => knight_attacks(square),
        PieceKind::Bishop => bishop_attacks(square, occupied),
        PieceKind::Rook => rook_attacks(square, occupied),
        PieceKind::Queen => queen_attacks(square, occupied),
        PieceKind::King => king_attacks(square),
    }
}
