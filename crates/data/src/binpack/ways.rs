//! How a chain encodes moves: by the number of the man among the mover's men, and the
//! number of the move among the man's pseudo-legal moves (its ways).
//!
//! The numbering ignores legality: it depends only on where men stand, the en-passant
//! square and the castling rights.

use chess::{Bitboard, Board, Color, Move, PieceKind, Rank, Square, Wing, attacks};

use super::bits::width;
use crate::spread;

/// How many promotions each move of a pawn on the seventh rank has.
const PROMOTIONS: u32 = PieceKind::PROMOTIONS.len() as u32;

/// The pseudo-legal moves of one man.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways {
    from: Square,
    kind: Kind,
    destinations: Bitboard,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Usual,
    /// A pawn that may be able to capture en passant on this square.
    Passing(Square),
    Promoting,
    /// A king, with the rooks that may still castle.
    Castling(Bitboard),
}

impl Ways {
    /// The pseudo-legal moves of a man of the side to move.
    #[inline]
    pub(super) fn of(board: &Board, from: Square) -> Self {
        let us = board.side_to_move();
        let own = board.color(us);
        let occupied = board.occupied();
        let man = board.kind_at(from);
        let (kind, destinations) = match man {
            Some(PieceKind::Pawn) => return Self::of_pawn(board, us, from, occupied),
            Some(PieceKind::King) => {
                let kind = match board.castling().rooks(us) {
                    Bitboard::EMPTY => Kind::Usual,
                    rooks => Kind::Castling(rooks),
                };
                (kind, attacks::king_attacks(from))
            }
            Some(PieceKind::Knight) => (Kind::Usual, attacks::knight_attacks(from)),
            Some(PieceKind::Bishop) => (Kind::Usual, attacks::bishop_attacks(from, occupied)),
            Some(PieceKind::Rook) => (Kind::Usual, attacks::rook_attacks(from, occupied)),
            Some(PieceKind::Queen) => (Kind::Usual, attacks::queen_attacks(from, occupied)),
            None => (Kind::Usual, Bitboard::EMPTY),
        };
        Self {
            from,
            kind,
            destinations: destinations.without(own),
        }
    }

    #[inline]
    fn of_pawn(board: &Board, us: Color, from: Square, occupied: Bitboard) -> Self {
        let single = Bitboard::from(from).forward(us).without(occupied);
        let mut pushes = single;
        if from.rank().relative_to(us) == Rank::Second {
            pushes |= single.forward(us).without(occupied);
        }
        let mut targets = board.color(!us);
        let mut kind = Kind::Usual;
        if from.rank().relative_to(us) == Rank::Seventh {
            kind = Kind::Promoting;
        } else if let Some(square) = board.en_passant() {
            targets |= square.into();
            kind = Kind::Passing(square);
        }
        Self {
            from,
            kind,
            destinations: attacks::pawn_attacks(us, from) & targets | pushes,
        }
    }

    /// Whether all these moves are known to be legal: the king is not in check, and the
    /// man is neither pinned nor a king nor a pawn that may capture en passant.
    #[inline]
    pub(super) fn are_legal(&self, board: &Board) -> bool {
        matches!(self.kind, Kind::Usual | Kind::Promoting)
            && !board.in_check()
            && !board.pinned().contains(self.from)
            && !board.kind(PieceKind::King).contains(self.from)
    }

    /// How many moves there are.
    #[inline]
    fn count(&self) -> u32 {
        let squares = self.destinations.count();
        match self.kind {
            Kind::Usual | Kind::Passing(_) => squares,
            Kind::Promoting => squares * PROMOTIONS,
            Kind::Castling(rooks) => squares + rooks.count(),
        }
    }

    /// How many bits the number of a move takes.
    #[inline]
    pub(super) fn width(&self) -> u32 {
        width(self.count())
    }

    /// The move with this number, if there is one.
    #[inline]
    pub(super) fn mv(&self, number: u32) -> Option<Move> {
        if number >= self.count() {
            return None;
        }
        let from = self.from;
        let square = |number| nth(self.destinations, number);
        Some(match self.kind {
            Kind::Usual => Move::normal(from, square(number)),
            Kind::Passing(passed) => match square(number) {
                to if to == passed => Move::en_passant(from, to),
                to => Move::normal(from, to),
            },
            Kind::Promoting => {
                let kind = PieceKind::PROMOTIONS[(number % PROMOTIONS) as usize];
                Move::promotion(from, square(number / PROMOTIONS), kind)
            }
            // The queen's rook comes first, like its file.
            Kind::Castling(rooks) => match number.checked_sub(self.destinations.count()) {
                Some(number) => Move::castling(from, nth(rooks, number)),
                None => Move::normal(from, square(number)),
            },
        })
    }

    /// The number of a legal move of this man.
    pub(super) fn number(&self, mv: Move) -> u32 {
        let before = |squares: Bitboard| (squares & below(mv.to())).count();
        match self.kind {
            Kind::Castling(rooks) if mv.is_castling() => self.destinations.count() + before(rooks),
            Kind::Promoting => {
                let kind = mv.promotes_to().unwrap_or(PieceKind::Queen);
                before(self.destinations) * PROMOTIONS
                    + (kind.index() - PieceKind::Knight.index()) as u32
            }
            Kind::Usual | Kind::Passing(_) | Kind::Castling(_) => before(self.destinations),
        }
    }
}

/// The number of a man among those of the side to move.
pub(super) fn man_number(board: &Board, from: Square) -> u32 {
    (board.color(board.side_to_move()) & below(from)).count()
}

/// Whether all castling rights are those of ordinary chess.
pub(crate) fn is_ordinary(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| {
        let king = board.king(color);
        board.castling().rooks(color).is_empty()
            || king.file() == chess::File::E
                && Wing::ALL.into_iter().all(|wing| {
                    let rook = board.castling().rook(color, wing, king);
                    rook.is_none_or(|rook| matches!(rook.file(), chess::File::A | chess::File::H))
                })
    })
}

/// The squares before this one.
#[inline(always)]
fn below(square: Square) -> Bitboard {
    Bitboard((1 << square.index()) - 1)
}

/// The square of the set with this number, from 0. It must exist.
#[inline(always)]
pub(super) fn nth(squares: Bitboard, number: u32) -> Square {
    Square::from_index(spread::nth(squares.0, number) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARDS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R b KQkq - 0 1",
        "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1",
    ];

    #[test]
    fn every_legal_move_has_a_number_of_its_own() {
        for fen in BOARDS {
            let board = Board::from_fen(fen).expect("a position");
            for from in board.color(board.side_to_move()) {
                let ways = Ways::of(&board, from);
                let mut all = (0..ways.count()).filter_map(|number| ways.mv(number));
                assert!(!ways.are_legal(&board) || all.all(|mv| board.is_legal(mv)));
            }
            for &mv in &board.legal_moves() {
                let ways = Ways::of(&board, mv.from());
                let number = ways.number(mv);
                assert!(number < ways.count(), "{mv:?} in {fen}");
                assert_eq!(ways.mv(number), Some(mv), "{fen}");
                let man = man_number(&board, mv.from());
                assert_eq!(nth(board.color(board.side_to_move()), man), mv.from());
            }
        }
    }

    #[test]
    fn numbers_are_those_of_the_format() {
        let number = |fen: &str, mv: &str| {
            let board = Board::from_fen(fen).expect("a position");
            let mv = board.parse_uci(mv).expect("a move");
            let ways = Ways::of(&board, mv.from());
            (man_number(&board, mv.from()), ways.number(mv), ways.count())
        };
        // Single step before double step.
        assert_eq!(number(BOARDS[0], "e2e3"), (12, 0, 2));
        assert_eq!(number(BOARDS[0], "e2e4"), (12, 1, 2));
        // Four kinds for each square: the capture of a8 comes first.
        let promoting = "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1";
        assert_eq!(number(promoting, "b7a8n"), (3, 0, 8));
        assert_eq!(number(promoting, "b7b8q"), (3, 7, 8));
        // Castling after the king's own steps, long before short.
        assert_eq!(number(BOARDS[1], "e1c1"), (1, 2, 4));
        assert_eq!(number(BOARDS[1], "e1g1"), (1, 3, 4));
        // With only one right, castling has the first number.
        assert_eq!(number(BOARDS[5], "e1g1"), (1, 5, 6));
        // En passant comes between pushes and captures, in the order of squares.
        assert_eq!(number(BOARDS[3], "e5d6"), (2, 0, 2));
        assert_eq!(number(BOARDS[3], "c5d6"), (1, 1, 2));
    }

    #[test]
    fn chess960_rights_are_known() {
        for (fen, expected) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", true),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w - - 0 1", true),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", false),
            ("r4k1r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", false),
        ] {
            let board = Board::from_fen(fen).expect("a position");
            assert_eq!(is_ordinary(&board), expected, "{fen}");
        }
    }
}
