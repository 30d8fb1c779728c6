//! From games to training data.

pub mod pgn;
