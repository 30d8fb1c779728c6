//! Which moves of a position give check, prepared once for all of them.

use super::Board;
use crate::attacks::{between, bishop_attacks, knight_attacks, line, pawn_attacks, rook_attacks};
use crate::{Bitboard, Move, PieceKind};

/// Tells which moves of the side to move give check.
///
/// For a single move, [`Board::gives_check`] is enough; for many moves of one
/// position, the map is faster.
#[derive(Clone, Copy, Debug)]
pub struct CheckMap {
    /// The squares from which each kind of man attacks the enemy king.
    squares: [Bitboard; 6],
    /// Our men that are the only blocker between a slider of ours and the enemy king.
    screens: Bitboard,
}

impl Board {
    /// The check map for the side to move.
    #[inline]
    pub fn check_map(&self) -> CheckMap {
        let us = self.side;
        let king = self.king(!us);
        let occupied = self.occupied();
        let straight = rook_attacks(king, occupied);
        let diagonal = bishop_attacks(king, occupied);
        let aligned = rook_attacks(king, Bitboard::EMPTY) & self.straight_sliders(us)
            | bishop_attacks(king, Bitboard::EMPTY) & self.diagonal_sliders(us);
        let mut screens = Bitboard::EMPTY;
        for slider in aligned {
            let blockers = between(king, slider) & occupied;
            if !blockers.several() {
                screens |= blockers & self.color(us);
            }
        }
        CheckMap {
            squares: [
                pawn_attacks(!us, king),
                knight_attacks(king),
                diagonal,
                straight,
                straight | diagonal,
                Bitboard::EMPTY,
            ],
            screens,
        }
    }
}

impl CheckMap {
    /// Whether a man of this kind attacks the enemy king from the target of the
    /// move: a direct check, as opposed to a discovered one.
    #[inline(always)]
    pub fn is_direct(&self, kind: PieceKind, mv: Move) -> bool {
        self.squares[kind.index()].contains(mv.to())
    }

    /// Whether a legal move gives check on `board`, from which the map was made.
    #[inline]
    pub fn gives_check(&self, board: &Board, mv: Move) -> bool {
        if mv.is_castling() || mv.is_en_passant() || mv.promotes_to().is_some() {
            // More changes than one man going from one square to another.
            return board.gives_check(mv);
        }
        let kind = board.kind_at(mv.from()).unwrap_or(PieceKind::King);
        self.is_direct(kind, mv)
            || self.screens.contains(mv.from())
                && !line(board.king(!board.side_to_move()), mv.from()).contains(mv.to())
    }
}
