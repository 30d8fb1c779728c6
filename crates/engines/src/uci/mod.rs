//! The UCI front: a player behind the Universal Chess Interface.
//!
//! `lines` reads what a client sends, `parse` turns a line into a command, `go`
//! and `position` say what two of them mean, `options` are those that the front
//! itself obeys (the others are the engine's), `session` is the state machine,
//! `tasks` what is under way, `job` how it is done in the background, `info`
//! how everything is told. It must not know who plays, where input comes from nor
//! where output goes: tests drive it without a process.

mod go;
mod info;
mod job;
mod lines;
mod options;
mod parse;
mod position;
mod session;
mod tasks;

pub use session::{Identity, run};
