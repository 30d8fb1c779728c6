//! The checkers and the pinned men, recomputed after every move.

use super::Board;
use crate::attacks::{between, bishop_attacks, knight_attacks, pawn_attacks, rook_attacks};
use crate::{Bitboard, PieceKind};

impl Board {
    /// Finds the checkers and the pinned men of the side to move.
    #[inline(always)]
    pub(super) fn update_checks(&mut self) {
        let (us, them) = (self.side, !self.side);
        let king = self.king(us);
        let occupied = self.occupied();
        self.checkers = knight_attacks(king) & self.pieces(them, PieceKind::Knight)
            | pawn_attacks(us, king) & self.pieces(them, PieceKind::Pawn);
        self.pinned = Bitboard::EMPTY;
        let aligned = rook_attacks(king, Bitboard::EMPTY) & self.straight_sliders(them)
            | bishop_attacks(king, Bitboard::EMPTY) & self.diagonal_sliders(them);
        for slider in aligned {
            let blockers = between(king, slider) & occupied;
            if blockers.is_empty() {
                self.checkers |= slider.into();
            } else if !blockers.several() {
                self.pinned |= blockers & self.color(us);
            }
        }
    }
}
