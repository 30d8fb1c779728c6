//! Questions about one move: is it legal, does it capture, does it give check.

use super::Board;
use crate::attacks::{
    self, between, bishop_attacks, king_attacks, line, pawn_attacks, rook_attacks,
};
use crate::moves::MoveKind;
use crate::{Bitboard, Move, PieceKind, Rank, Square};

impl Board {
    /// Whether a move from elsewhere, such as a transposition table, is legal here.
    ///
    /// Exact for all 65,536 values: true only for those that
    /// [`legal_moves`](Board::legal_moves) gives.
    pub fn is_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if !self.color(self.side).contains(from) {
            return false;
        }
        match mv.kind() {
            MoveKind::Castling => self.is_legal_castling(mv),
            MoveKind::EnPassant => self.is_legal_en_passant(mv),
            MoveKind::Promotion(_) => {
                self.kind_at(from) == Some(PieceKind::Pawn)
                    && to.rank().relative_to(self.side) == Rank::Eighth
                    && self.is_legal_step(PieceKind::Pawn, from, to)
            }
            MoveKind::Normal => match self.kind_at(from) {
                // Moves that do not promote must have their promotion bits clear.
                _ if mv != Move::normal(from, to) => false,
                Some(PieceKind::Pawn) => {
                    to.rank().relative_to(self.side) != Rank::Eighth
                        && self.is_legal_step(PieceKind::Pawn, from, to)
                }
                Some(kind) => self.is_legal_step(kind, from, to),
                None => false,
            },
        }
    }

    /// Whether the move captures an enemy man, en passant included.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        mv.is_en_passant() || self.color(!self.side).contains(mv.to())
    }

    /// The kind of enemy man that the move takes, if any.
    #[inline]
    pub fn captured_kind(&self, mv: Move) -> Option<PieceKind> {
        if mv.is_en_passant() {
            Some(PieceKind::Pawn)
        } else if mv.is_castling() {
            None
        } else {
            self.kind_at(mv.to())
        }
    }

    /// Whether a legal move attacks the enemy king.
    pub fn gives_check(&self, mv: Move) -> bool {
        if mv.is_castling() {
            // Two men move: rare enough to make the move and look.
            return self.after(mv).in_check();
        }
        let us = self.side;
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let mut occupied = (self.occupied() ^ from.into()) | to.into();
        let kind = mv.promotes_to().or(self.kind_at(from));
        if kind.is_some_and(|kind| attacks::attacks(kind, us, to, occupied).contains(king)) {
            return true;
        }
        let mut vacated = Bitboard::from(from);
        if mv.is_en_passant() {
            let captured = Square::new(to.file(), from.rank());
            occupied ^= captured.into();
            vacated |= captured.into();
        }
        let may_discover = vacated.into_iter().any(|square| line(king, square).any());
        let straight = self.straight_sliders(us).without(vacated);
        let diagonal = self.diagonal_sliders(us).without(vacated);
        may_discover
            && (rook_attacks(king, occupied).meets(straight)
                || bishop_attacks(king, occupied).meets(diagonal))
    }

    /// Whether one man may go to a square, without en passant, castling and promotion bits.
    fn is_legal_step(&self, kind: PieceKind, from: Square, to: Square) -> bool {
        let us = self.side;
        if self.color(us).contains(to) {
            return false;
        }
        let occupied = self.occupied();
        let king = self.king(us);
        match kind {
            PieceKind::King => {
                return king_attacks(from).contains(to)
                    && !self
                        .attackers_to(to, occupied ^ from.into())
                        .meets(self.color(!us));
            }
            PieceKind::Pawn if !self.pawn_reaches(from, to) => return false,
            PieceKind::Pawn => {}
            _ if !attacks::attacks(kind, us, from, occupied).contains(to) => return false,
            _ => {}
        }
        if self.pinned.contains(from) && !line(king, from).contains(to) {
            return false;
        }
        self.checkers.is_empty()
            || !self.checkers.several()
                && (between(king, self.checkers.first()) | self.checkers).contains(to)
    }

    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        let us = self.side;
        if pawn_attacks(us, from).contains(to) {
            return self.color(!us).contains(to);
        }
        let empty = !self.occupied();
        let single = Bitboard::from(from).forward(us) & empty;
        let double = single.forward(us) & empty;
        single.contains(to) || from.rank().relative_to(us) == Rank::Second && double.contains(to)
    }

    fn is_legal_en_passant(&self, mv: Move) -> bool {
        mv == Move::en_passant(mv.from(), mv.to())
            && self.en_passant() == Some(mv.to())
            && self.kind_at(mv.from()) == Some(PieceKind::Pawn)
            && pawn_attacks(self.side, mv.from()).contains(mv.to())
            && self.en_passant_keeps_king_safe(self.side, mv.from(), mv.to())
    }

    fn is_legal_castling(&self, mv: Move) -> bool {
        let (us, king, rook) = (self.side, mv.from(), mv.to());
        mv == Move::castling(king, rook)
            && self.checkers.is_empty()
            && king == self.king(us)
            && self.castling.rooks(us).contains(rook)
            && self.can_castle(
                us,
                king,
                rook,
                self.attacked_by(!us, self.occupied() ^ king.into()),
            )
    }
}
