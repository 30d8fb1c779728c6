//! Positions as users enter them: one way to read them, one kind of error message.
//!
//! It must not know what the position is for.

use crate::exit::WrongInput;
use crate::output::{Output, excerpt};
use chess::{Board, Fen, FenError};

/// The word for the standard start position, as in UCI.
const START: &str = "startpos";

/// Parses a FEN from the command line, and notes what had to be dropped from it.
pub(crate) fn read(text: &str, output: &Output) -> anyhow::Result<Board> {
    if text.trim() == START {
        return Ok(Board::start());
    }
    let fen: Fen = text
        .parse()
        .map_err(|error| WrongInput::new(refusal(text, &error)))?;
    for warning in &fen.warnings {
        output.warn(warning);
    }
    Ok(fen.board)
}

/// The error message for an invalid FEN.
pub(crate) fn refusal(text: &str, error: &FenError) -> String {
    format!("invalid FEN '{}': {error}", excerpt(text))
}
