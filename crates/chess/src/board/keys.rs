//! The Zobrist keys of a position: what they cover and how a piece changes them.

use crate::zobrist;
use crate::{Color, PieceKind, Square};

/// Keys of a position and of parts of it, kept up to date with every move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[repr(C)]
pub struct Keys {
    /// Everything that makes two positions the same for the repetition rule.
    pub position: u64,
    /// The pawns of both sides.
    pub pawns: u64,
    /// For each side, its pieces other than pawns.
    pub non_pawns: [u64; 2],
    /// The knights and bishops of both sides.
    pub minors: u64,
}

impl Keys {
    /// Puts a piece on a square or takes it away.
    #[inline(always)]
    pub(super) fn toggle(&mut self, color: Color, kind_index: u8, square: Square) {
        self.toggle_number(color, kind_index, zobrist::piece(color, kind_index, square));
    }

    /// Moves a piece from one square to another.
    #[inline(always)]
    pub(super) fn shift(&mut self, color: Color, kind_index: u8, from: Square, to: Square) {
        let number =
            zobrist::piece(color, kind_index, from) ^ zobrist::piece(color, kind_index, to);
        self.toggle_number(color, kind_index, number);
    }

    // Masks instead of branches: which kind of piece moves is hard to predict.
    #[inline(always)]
    fn toggle_number(&mut self, color: Color, kind_index: u8, number: u64) {
        let is_pawn = mask(kind_index == PieceKind::Pawn as u8);
        let is_minor = mask(kind_index.wrapping_sub(PieceKind::Knight as u8) < 2);
        self.position ^= number;
        self.pawns ^= number & is_pawn;
        self.non_pawns[color.index()] ^= number & !is_pawn;
        self.minors ^= number & is_minor;
    }
}

#[inline(always)]
fn mask(condition: bool) -> u64 {
    (condition as u64).wrapping_neg()
}
