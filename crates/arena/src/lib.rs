//! Many games: players meet, and what the results prove.
//!
//! This crate must not know training, nor terminals: it returns values and
//! errors, and whoever called it shows them.

pub mod game;
pub mod players;
pub mod statistics;
mod words;

pub use words::WordsError;
