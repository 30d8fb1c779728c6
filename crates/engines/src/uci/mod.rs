//! The UCI front end: a player behind the Universal Chess Interface.
//!
//! `lines` reads what a client sends and `parse` turns a line into a command; `go` and `position`
//! interpret two of them, `options` handles those options that are not the engine's. `session` is
//! the state machine, `tasks` tracks what is in progress, `job` runs it in the background, `info`
//! formats all output. It must not know which engine plays, where input comes from nor where output
//! goes: tests drive it without a process.

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
