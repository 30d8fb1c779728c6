//! Plain text: positions as lines that people can read.
//!
//! ```text
//! fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//! move e2e4
//! score 25
//! ply 0
//! result 1
//! e
//! ```
//!
//! Score and result are those of the side to move. `read` reads a block of whole
//! records, `blocks` splits a file into such blocks, `write` writes records.

mod blocks;
mod read;
mod write;

pub use blocks::{PlainError, TextBlock, TextBlocks};
pub use read::{PlainProblem, Problem, read};
pub use write::write;
