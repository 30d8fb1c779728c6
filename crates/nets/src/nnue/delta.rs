//! Which men a move removes from the board and adds to it, as a net counts them.

use chess::{Board, Color, Move, Piece, PieceKind, Square, Wing};

/// One man that leaves or enters.
pub(crate) type Man = (Piece, Square);

/// What a move changes: one or two men leave, one or two enter.
#[derive(Clone, Copy)]
pub(crate) struct Delta {
    removed: [Man; 2],
    added: [Man; 2],
    removed_count: u8,
    added_count: u8,
}

const NOBODY: Man = (
    Piece::new(Color::White, PieceKind::Pawn),
    Square::from_index(0),
);

impl Delta {
    /// Nothing changes.
    pub(crate) const NONE: Delta = Delta {
        removed: [NOBODY; 2],
        added: [NOBODY; 2],
        removed_count: 0,
        added_count: 0,
    };

    /// What a legal move of this board changes.
    #[inline(always)]
    pub(crate) fn of(parent: &Board, mv: Move) -> Delta {
        let us = parent.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let Some(kind) = parent.kind_at(from) else {
            return Delta::NONE;
        };
        let mover = Piece::new(us, kind);
        if mv.is_castling() {
            let wing = Wing::of(from, to);
            let rook = Piece::new(us, PieceKind::Rook);
            return Delta {
                removed: [(mover, from), (rook, to)],
                added: [
                    (mover, Square::new(wing.king_file(), from.rank())),
                    (rook, Square::new(wing.rook_file(), from.rank())),
                ],
                removed_count: 2,
                added_count: 2,
            };
        }
        let arrived = Piece::new(us, mv.promotes_to().unwrap_or(kind));
        let mut delta = Delta {
            removed: [(mover, from); 2],
            added: [(arrived, to); 2],
            removed_count: 1,
            added_count: 1,
        };
        if let Some(victim) = parent.captured_kind(mv) {
            let place = if mv.is_en_passant() {
                Square::new(to.file(), from.rank())
            } else {
                to
            };
            delta.removed[1] = (Piece::new(!us, victim), place);
            delta.removed_count = 2;
        }
        delta
    }

    /// The men that leave; the first is the one that moves.
    #[inline(always)]
    pub(crate) fn removed(&self) -> &[Man] {
        &self.removed[..usize::from(self.removed_count)]
    }

    /// The men that enter.
    #[inline(always)]
    pub(crate) fn added(&self) -> &[Man] {
        &self.added[..usize::from(self.added_count)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a move changes, as letters and squares.
    fn changes(fen: &str, mv: &str) -> String {
        let board = Board::from_fen(fen).expect("a position");
        let mv = board.parse_uci(mv).expect("a legal move");
        let delta = Delta::of(&board, mv);
        let words = |men: &[Man]| -> String {
            let word = |(piece, square): &Man| format!(" {}{square}", piece.letter());
            men.iter().map(word).collect()
        };
        format!("-{} +{}", words(delta.removed()), words(delta.added()))
    }

    #[test]
    fn every_kind_of_move() {
        let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(changes(castle, "e1g1"), "- Ke1 Rh1 + Kg1 Rf1");
        assert_eq!(changes(castle, "e1c1"), "- Ke1 Ra1 + Kc1 Rd1");
        assert_eq!(changes(castle, "a1a8"), "- Ra1 ra8 + Ra8");
        let passing = "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1";
        assert_eq!(changes(passing, "e5d6"), "- Pe5 pd5 + Pd6");
        assert_eq!(changes(passing, "e5e6"), "- Pe5 + Pe6");
        let promotion = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(changes(promotion, "e7d8q"), "- Pe7 rd8 + Qd8");
    }
}
