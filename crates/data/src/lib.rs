//! From games to training data.

pub mod binpack;
pub mod file;
pub mod lines;
pub mod pgn;
pub mod position;
pub mod score;
