//! What can be wrong with a game, and where it stands.

use chess::{Board, Color, FenError, SanError};

use super::text::excerpt;

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A word is no move in its position.
    #[error("{number} {word}: {error}, in {fen}")]
    Move {
        /// The word, as far as it is worth showing.
        word: String,
        /// The number of the move, with its dots.
        number: String,
        /// Why it is no move.
        error: SanError,
        /// The position in which it stands.
        fen: String,
    },
    /// A side passes while in check.
    #[error("{number} --: a side in check cannot pass, in {fen}")]
    PassInCheck {
        /// The number of the move, with its dots.
        number: String,
        /// The position in which it stands.
        fen: String,
    },
    /// The position from which the game should start is none.
    #[error("the start position '{fen}' is invalid: {error}")]
    Start {
        /// The text of the tag.
        fen: String,
        /// Why it is no position.
        error: FenError,
    },
    /// The game follows other rules.
    #[error("the variant '{0}' is not supported")]
    Variant(String),
    /// A comment has no end.
    #[error("a comment is never closed")]
    UnclosedComment,
    /// A variation has no end.
    #[error("a variation is never closed")]
    UnclosedVariation,
    /// A variation is closed that was never opened.
    #[error("a variation is closed but was never opened")]
    StrayClose,
    /// A variation replaces no move.
    #[error("a variation has no move to replace")]
    StrayVariation,
    /// Variations within variations, beyond reason.
    #[error("variations are nested more than {0} deep")]
    TooDeep(usize),
    /// The game was not read because of its size.
    #[error("the game is larger than {} MiB", .0 >> 20)]
    TooLarge(usize),
}

impl Problem {
    /// A word that is no move in a position.
    pub(crate) fn of_move(word: &[u8], error: SanError, board: &Board) -> Self {
        let (number, fen) = (number(board), board.fen());
        Problem::Move {
            word: excerpt(word),
            number,
            error,
            fen,
        }
    }

    /// A pass that is not allowed in a position.
    pub(crate) fn of_pass(board: &Board) -> Self {
        Problem::PassInCheck {
            number: number(board),
            fen: board.fen(),
        }
    }
}

/// The number of the next move, as it is written before the move.
fn number(board: &Board) -> String {
    let dots = match board.side_to_move() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", board.fullmove_number())
}

/// Where a game stands in its file; both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The number of the game.
    pub game: u64,
    /// The line meant.
    pub line: u64,
}

/// A game that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenGame {
    /// The game, and the line of the problem.
    pub place: Place,
    /// What is wrong with it; games often have more problems than their first.
    pub problem: Problem,
}
