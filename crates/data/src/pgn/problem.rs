//! What can be wrong with a game, and where.

use chess::{Board, Color, FenError, SanError};

use super::text::excerpt;

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A word is not a legal move in its position.
    #[error("{number} {word}: {error}, in {fen}")]
    Move {
        /// The beginning of the word.
        word: String,
        /// The number of the move, with its dots.
        number: String,
        /// Why it is not a move.
        error: SanError,
        /// The position before it.
        fen: String,
    },
    /// There is a null move in check.
    #[error("{number} --: a side in check cannot pass, in {fen}")]
    PassInCheck {
        /// The number of the move, with its dots.
        number: String,
        /// The position before it.
        fen: String,
    },
    /// The start position is invalid.
    #[error("the start position '{fen}' is invalid: {error}")]
    Start {
        /// The text of the tag.
        fen: String,
        /// Why it is invalid.
        error: FenError,
    },
    /// The game has other rules.
    #[error("the variant '{0}' is not supported")]
    Variant(String),
    /// A comment is not closed.
    #[error("a comment is never closed")]
    UnclosedComment,
    /// A variation is not closed.
    #[error("a variation is never closed")]
    UnclosedVariation,
    /// A variation is closed that was not opened.
    #[error("a variation is closed but was never opened")]
    StrayClose,
    /// A variation has no move to replace.
    #[error("a variation has no move to replace")]
    StrayVariation,
    /// Variations are nested too deep.
    #[error("variations are nested more than {0} deep")]
    TooDeep(usize),
    /// The game is too large to be read.
    #[error("the game is larger than {} MiB", .0 >> 20)]
    TooLarge(usize),
}

impl Problem {
    /// The problem that a word is not a legal move in a position.
    pub(crate) fn of_move(word: &[u8], error: SanError, board: &Board) -> Self {
        let (number, fen) = (number(board), board.fen());
        Problem::Move {
            word: excerpt(word),
            number,
            error,
            fen,
        }
    }

    /// The problem that a null move is not allowed in a position.
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

/// A place in a file; both numbers count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The number of the game.
    pub game: u64,
    /// The number of the line.
    pub line: u64,
}

/// A game that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenGame {
    /// The game, and the line of the problem.
    pub place: Place,
    /// What is wrong with it; only the first problem is reported.
    pub problem: Problem,
}
