//! Static exchange evaluation: who wins a series of captures on one square.

use super::Board;
use crate::attacks::{bishop_attacks, rook_attacks};
use crate::{Bitboard, Color, Move, PieceKind};

/// What each kind is worth in an exchange, in centipawns; the king counts 0
/// because it is never exchanged.
pub const EXCHANGE_VALUES: [i32; 6] = [100, 320, 330, 500, 900, 0];

const fn value(kind: PieceKind) -> i32 {
    EXCHANGE_VALUES[kind.index()]
}

impl Board {
    /// Whether a legal move wins at least `threshold` when both sides then
    /// capture on its target with their least valuable men and stop when they
    /// like. Pins are ignored. Castling wins nothing.
    pub fn exchange_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let mut balance = self.first_gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        let victim = mv.promotes_to().or(self.kind_at(mv.from()));
        balance -= victim.map_or(0, value);
        // Enough even if the man that moved is lost for nothing.
        balance >= 0 || self.exchange_continues(mv, balance)
    }

    /// What the first move wins by capture and promotion.
    fn first_gain(&self, mv: Move) -> i32 {
        let captured = self.captured_kind(mv).map_or(0, value);
        let promoted = mv
            .promotes_to()
            .map_or(0, |kind| value(kind) - value(PieceKind::Pawn));
        captured + promoted
    }

    /// Plays the captures out. `balance` is how far the first side is above the
    /// threshold if its man on the target is lost for nothing.
    fn exchange_continues(&self, mv: Move, mut balance: i32) -> bool {
        let target = mv.to();
        let us = self.side;
        let mut occupied = (self.occupied() ^ mv.from().into()) | target.into();
        if mv.is_en_passant() {
            occupied ^= crate::Square::new(target.file(), mv.from().rank()).into();
        }
        let straight = self.straight_sliders(Color::White) | self.straight_sliders(Color::Black);
        let diagonal = self.diagonal_sliders(Color::White) | self.diagonal_sliders(Color::Black);
        let mut attackers = self.attackers_to(target, occupied);
        let mut side = !us;
        loop {
            attackers &= occupied;
            let own = attackers & self.color(side);
            let Some(attacker) = self.least_valuable(own) else {
                break;
            };
            // The king may not capture a guarded man.
            if attacker == PieceKind::King && attackers.meets(self.color(!side)) {
                break;
            }
            let from = (own & self.kind(attacker)).first();
            occupied ^= Bitboard::from(from);
            side = !side;
            balance = -balance - 1 - value(attacker);
            if balance >= 0 {
                break;
            }
            attackers |= rook_attacks(target, occupied) & straight
                | bishop_attacks(target, occupied) & diagonal;
        }
        side != us
    }

    fn least_valuable(&self, men: Bitboard) -> Option<PieceKind> {
        PieceKind::ALL
            .into_iter()
            .find(|&kind| men.meets(self.kind(kind)))
    }
}
