//! A position and its desired move, in 40 bytes.

use chess::{Board, BoardBuilder, Color, File, Move, Square};
use data::loader::Sample;
use data::packed::PackedPosition;
use data::position::Position;

/// The value of `en_passant` without an en passant square, and of `mv` without a move.
const NONE: u8 = u8::MAX;
const NO_MOVE: u16 = 0;

/// A whole position, including castling rights, with its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LabelledPosition {
    men: PackedPosition,
    mv: u16,
    /// For each side one bit for each file whose rook may castle.
    castling: [u8; 2],
    en_passant: u8,
}

impl Sample for LabelledPosition {
    fn new(position: &Position, _: &[Position]) -> LabelledPosition {
        let board = &position.board;
        LabelledPosition {
            men: position.into(),
            mv: position.mv.map_or(NO_MOVE, Move::to_bits),
            castling: Color::ALL.map(|color| {
                let rooks = board.castling().rooks(color);
                rooks
                    .into_iter()
                    .fold(0, |files, rook: Square| files | 1 << rook.file().index())
            }),
            en_passant: board
                .en_passant()
                .map_or(NONE, |square| square.index() as u8),
        }
    }
}

impl LabelledPosition {
    /// The board; `None` if it is invalid.
    pub(crate) fn board(&self) -> Option<Board> {
        let mut builder = BoardBuilder::new();
        for (square, piece) in self.men.pieces() {
            builder.pieces[square.index()] = Some(piece);
        }
        builder.side_to_move = self.men.side_to_move();
        for color in Color::ALL {
            let files = self.castling[color.index()];
            let has = |file: &u8| files >> file & 1 == 1;
            let rooks = (0..8)
                .filter(has)
                .map(|file| (color, File::from_index(file)));
            builder.castling.extend(rooks);
        }
        builder.en_passant = (self.en_passant != NONE).then(|| Square::from_index(self.en_passant));
        builder.build().ok().map(|(board, _)| board)
    }

    /// The board and the move, if there are several legal moves and this is one of them.
    pub(crate) fn with_move(&self) -> Option<(Board, Move)> {
        if self.mv == NO_MOVE {
            return None;
        }
        let (board, mv) = (self.board()?, Move::from_bits(self.mv));
        (board.is_legal(mv) && board.count_legal_moves() > 1).then_some((board, mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data::position::Outcome;

    fn labelled(fen: &str, mv: Option<&str>) -> (Board, LabelledPosition) {
        let board = Board::from_fen(fen).expect("a position");
        let position = Position {
            board,
            mv: mv.map(|mv| board.parse_uci(mv).expect("a move")),
            score: 0,
            result: Outcome::Draw,
            ply: 0,
        };
        (board, LabelledPosition::new(&position, &[]))
    }

    #[test]
    fn boards_and_moves_come_back() {
        for (fen, mv) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "g1f3",
            ),
            ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1", "e8c8"),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3"),
            (
                "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RKR1R2 w Dfb - 0 1",
                "a2a3",
            ),
        ] {
            let (board, labelled) = labelled(fen, Some(mv));
            assert_eq!(labelled.board().expect("a board").fen(), board.fen());
            let with_move = labelled.with_move().expect("a choice");
            assert_eq!(
                (with_move.0.fen(), Some(with_move.1)),
                (board.fen(), board.parse_uci(mv).ok())
            );
        }
        assert!(size_of::<LabelledPosition>() <= 40);
    }

    #[test]
    fn without_a_choice_nothing_is_asked() {
        assert_eq!(
            labelled("4k3/8/8/8/8/8/8/4K3 w - - 0 1", None)
                .1
                .with_move(),
            None
        );
        let (_, forced) = labelled("7k/8/8/8/8/8/r7/7K w - - 0 1", Some("h1g1"));
        assert_eq!(forced.with_move(), None);
    }
}
