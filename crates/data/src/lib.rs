//! From games to training data.

pub mod file;
pub mod lines;
pub mod pgn;
