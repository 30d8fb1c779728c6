//! The UCI front: a player behind the Universal Chess Interface.
//!
//! `lines` reads what a client sends, `parse` turns a line into a command,
//! `options` defines every option once, `position` keeps the game, `session`
//! is the state machine, `job` what it does in the background, `info` how
//! everything is told. It must not know where input comes from nor where
//! output goes: tests drive it without a process.

mod info;
mod job;
mod lines;
mod options;
mod parse;
mod position;
mod session;

pub use session::{Identity, run};
