//! Many games: players meet, and what the results prove.
//!
//! This crate must not know training, nor terminals: it returns values and
//! errors, and whoever called it shows them.

pub mod game;
pub mod ledger;
pub mod players;
pub mod schedule;
pub mod statistics;
pub mod verdict;
mod words;
pub mod workers;

pub use words::WordsError;
