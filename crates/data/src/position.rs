//! A position with its labels for training: the move that was played, a score and the
//! result of the game.
//!
//! Score and result are those of the side to move, as in the file formats. This module
//! must not know how positions are stored.

use std::fmt;

use chess::{Board, Color, Move, PieceKind};

use crate::{pgn::GameResult, score};

/// The result of the game for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
pub enum Outcome {
    /// The side to move lost.
    Loss = -1,
    /// The game was drawn.
    Draw = 0,
    /// The side to move won.
    Win = 1,
}

impl Outcome {
    /// Every outcome, the worst first.
    pub const ALL: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];

    /// The outcome for the other side.
    #[inline(always)]
    #[must_use]
    pub const fn reversed(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// -1, 0 or 1.
    #[inline(always)]
    pub const fn number(self) -> i8 {
        self as i8
    }

    /// The outcome with the number -1, 0 or 1.
    pub const fn from_number(number: i64) -> Option<Outcome> {
        match number {
            -1 => Some(Outcome::Loss),
            0 => Some(Outcome::Draw),
            1 => Some(Outcome::Win),
            _ => None,
        }
    }

    /// The outcome of a game for one side; `None` if it has no result.
    pub const fn of_game(result: GameResult, side: Color) -> Option<Outcome> {
        let for_white = match result {
            GameResult::WhiteWins => Outcome::Win,
            GameResult::BlackWins => Outcome::Loss,
            GameResult::Draw => Outcome::Draw,
            GameResult::Unknown => return None,
        };
        Some(for_white.seen_by(side))
    }

    /// The outcome for White from that of a side, or the reverse.
    #[inline(always)]
    #[must_use]
    pub const fn seen_by(self, side: Color) -> Outcome {
        match side {
            Color::White => self,
            Color::Black => self.reversed(),
        }
    }
}

/// A training position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The board.
    pub board: Board,
    /// The move that was played here, if it is known.
    pub mv: Option<Move>,
    /// The score for the side to move, encoded as in [`score`].
    pub score: i16,
    /// The result of the game for the side to move.
    pub result: Outcome,
    /// How many plies of the game came before.
    pub ply: u16,
}

impl Position {
    /// Whether the position only keeps a chain of moves together and is not for
    /// training.
    #[inline(always)]
    pub const fn is_marked(&self) -> bool {
        self.score == score::MARK
    }

    /// Whether `next` is the position after the move of this one, in the same
    /// game. The fifty-move clock is ignored.
    pub fn is_followed_by(&self, next: &Position) -> bool {
        let Some(mv) = self.mv else {
            return false;
        };
        self.ply.checked_add(1) == Some(next.ply)
            && self.result == next.result.reversed()
            && is_same(&self.board.after(mv), &next.board)
    }

    /// Whether the move is a capture.
    #[inline]
    pub fn is_capture(&self) -> bool {
        self.mv.is_some_and(|mv| self.board.is_capture(mv))
    }

    /// A key of the men on their squares and the side to move, which is what most nets
    /// see.
    #[inline]
    pub fn placement_key(&self) -> u64 {
        const BLACK_TO_MOVE: u64 = 0xA5F1_5B0C_3D87_E263;
        let keys = self.board.keys();
        let side = (self.board.side_to_move() as u64).wrapping_neg() & BLACK_TO_MOVE;
        keys.pawns ^ keys.non_pawns[0] ^ keys.non_pawns[1] ^ side
    }
}

/// Whether two boards are the same except for their clocks.
fn is_same(one: &Board, other: &Board) -> bool {
    one.key() == other.key()
        && one.side_to_move() == other.side_to_move()
        && one.en_passant() == other.en_passant()
        && one.castling() == other.castling()
        && one.color(Color::White) == other.color(Color::White)
        && one.color(Color::Black) == other.color(Color::Black)
        && PieceKind::ALL
            .into_iter()
            .all(|kind| one.kind(kind) == other.kind(kind))
}

/// From whose point of view the labels of a file are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// Score and result are those of the side to move, as the formats require.
    #[default]
    SideToMove,
    /// Score and result change sign where Black is to move. This corrects a file that
    /// was written from White's point of view, and it converts a correct file to
    /// White's point of view.
    White,
}

impl fmt::Display for Labels {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Labels::SideToMove => "side to move",
            Labels::White => "white",
        })
    }
}

impl Labels {
    /// Converts a position with such labels to the labels of the side to move.
    #[inline]
    #[must_use]
    pub fn turned(self, position: &Position) -> Position {
        let mut position = *position;
        if self == Labels::White && position.board.side_to_move() == Color::Black {
            position.result = position.result.reversed();
            if !position.is_marked() {
                position.score = position.score.saturating_neg();
            }
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str, mv: &str, score: i16, result: Outcome, ply: u16) -> Position {
        let board = Board::from_fen(fen).expect("a position");
        Position {
            board,
            mv: board.parse_uci(mv).ok(),
            score,
            result,
            ply,
        }
    }

    #[test]
    fn positions_of_a_game_follow_each_other() {
        let first = position(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "e2e4",
            20,
            Outcome::Win,
            0,
        );
        let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 7 9";
        let next = position(after, "e7e5", -15, Outcome::Loss, 1);
        assert!(first.is_followed_by(&next));
        for wrong in [
            Position { ply: 2, ..next },
            Position {
                result: Outcome::Win,
                ..next
            },
            position(&after.replace("KQkq", "KQk"), "e7e5", 0, Outcome::Loss, 1),
        ] {
            assert!(!first.is_followed_by(&wrong), "{wrong:?}");
        }
        assert!(!Position { mv: None, ..first }.is_followed_by(&next));
    }

    #[test]
    fn white_labels_turn_where_black_is_to_move() {
        let white = position(
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "e2e4",
            90,
            Outcome::Win,
            8,
        );
        let black = position(
            "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
            "e8d8",
            90,
            Outcome::Win,
            9,
        );
        let turned = |position| {
            let position = Labels::White.turned(&position);
            (position.score, position.result)
        };
        assert_eq!(turned(white), (90, Outcome::Win));
        assert_eq!(turned(black), (-90, Outcome::Loss));
        let least = Position {
            score: i16::MIN,
            ..black
        };
        assert_eq!(turned(least).0, i16::MAX);
        let marked = Position {
            score: score::MARK,
            ..black
        };
        assert_eq!(turned(marked).0, score::MARK);
        assert_eq!(Labels::SideToMove.turned(&black), black);
    }

    #[test]
    fn placements_ignore_rights_but_not_the_side() {
        let key = |fen| position(fen, "", 0, Outcome::Draw, 0).placement_key();
        let with_rights = key("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        assert_eq!(with_rights, key("r3k2r/8/8/8/8/8/8/R3K2R w - - 9 30"));
        assert_ne!(with_rights, key("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"));
        assert_ne!(with_rights, key("r3k2r/8/8/8/8/8/8/R3K1R1 w - - 0 1"));
    }
}
