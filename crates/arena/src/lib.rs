//! Matches between players, and the statistics of their results.
//!
//! This crate must not know training, nor terminals: it returns values and errors, and its callers
//! show them.

pub mod affinity;
pub mod effort;
pub mod game;
pub mod journal;
pub mod ledger;
pub mod openings;
pub mod pgn;
pub mod plan;
pub mod ratings;
pub mod run;
pub mod schedule;
pub mod selfplay;
pub mod statistics;
pub mod tuning;
pub mod verdict;
pub mod workers;
