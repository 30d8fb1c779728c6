//! Positions as users give them: one way to read them, one way to complain.
//!
//! It must not know what the position is for.

use crate::exit::WrongInput;
use crate::output::{Output, excerpt};
use chess::{Board, Fen, FenError};

/// What stands for the FEN of the usual starting position, as in UCI.
const START: &str = "startpos";

/// Reads a FEN from the command line, and tells what had to be dropped from it.
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

/// Says which FEN is wrong, and why.
pub(crate) fn refusal(text: &str, error: &FenError) -> String {
    format!("invalid FEN '{}': {error}", excerpt(text))
}
