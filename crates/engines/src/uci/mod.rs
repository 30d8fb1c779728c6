//! The UCI front: a player behind the Universal Chess Interface.
//!
//! `lines` reads what a client sends, `parse` turns a line into a command, `go`
//! and `position` say what two of them mean, `options` defines every option
//! once (`definition` is what that means), `session` is the state machine,
//! `tasks` what is under way, `job` how it is done in the background, `info`
//! how everything is told. It must not know where input comes from nor where
//! output goes: tests drive it without a process.

mod definition;
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
