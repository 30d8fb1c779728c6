//! Many games: players meet, and what the results prove.
//!
//! This crate must not know training, nor terminals: it returns values and
//! errors, and whoever called it shows them.

pub mod openings;
pub mod ratings;
pub mod statistics;
