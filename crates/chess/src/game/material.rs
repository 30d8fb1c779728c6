//! Positions that nobody can win.

use crate::attacks::{king_attacks, pawn_attacks, pawn_attacks_of_all};
use crate::{Bitboard, Board, Color, PieceKind};

impl Board {
    /// Whether neither side has the men to mate by any play: bare kings, one extra
    /// knight or bishop, or any number of bishops on squares of one colour.
    pub fn has_insufficient_material(&self) -> bool {
        let heavy =
            self.kind(PieceKind::Pawn) | self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen);
        if heavy.any() {
            return false;
        }
        let knights = self.kind(PieceKind::Knight);
        let bishops = self.kind(PieceKind::Bishop);
        if knights.any() {
            return bishops.is_empty() && !knights.several();
        }
        !(bishops.meets(Bitboard::LIGHT) && bishops.meets(Bitboard::DARK))
    }

    /// Whether the position is plainly dead: insufficient material, or kings
    /// and pawns only, with every pawn permanently blocked by an enemy pawn and no king
    /// able to reach a pawn that it could take.
    ///
    /// The test is slower than the rules of a game need and never calls a
    /// position dead that can be won; some dead positions escape it.
    pub fn is_plainly_dead(&self) -> bool {
        self.has_insufficient_material() || self.is_locked()
    }

    fn is_locked(&self) -> bool {
        let pawns = self.kind(PieceKind::Pawn);
        // A check by a pawn may be mate. Later there is none, as blocked pawns never move.
        if self.occupied() != pawns | self.kind(PieceKind::King)
            || self.en_passant().is_some()
            || self.in_check()
        {
            return false;
        }
        let white = self.pieces(Color::White, PieceKind::Pawn);
        let black = self.pieces(Color::Black, PieceKind::Pawn);
        let all_blocked = white.forward(Color::White) == black;
        let can_capture = pawn_attacks_of_all(white, Color::White).meets(black)
            || pawn_attacks_of_all(black, Color::Black).meets(white);
        all_blocked
            && !can_capture
            && Color::ALL
                .into_iter()
                .all(|color| !self.king_can_take(color))
    }

    /// Whether a king could walk to an enemy pawn that no pawn guards if the other
    /// king did not stand in its way.
    fn king_can_take(&self, color: Color) -> bool {
        let enemy_pawns = self.pieces(!color, PieceKind::Pawn);
        let guarded: Bitboard = enemy_pawns
            .into_iter()
            .map(|pawn| pawn_attacks(!color, pawn))
            .fold(Bitboard::EMPTY, |all, attacked| all | attacked);
        let closed = guarded | self.pieces(color, PieceKind::Pawn);
        let mut reached = Bitboard::from(self.king(color));
        loop {
            let next = reached
                .into_iter()
                .map(king_attacks)
                .fold(reached, |all, step| all | step.without(closed));
            if next.meets(enemy_pawns) {
                return true;
            }
            if next == reached {
                return false;
            }
            reached = next;
        }
    }
}
