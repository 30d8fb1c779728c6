//! The UCI front as its clients meet it: lines in, lines out, without a process.

mod client;
mod ends;
mod flow;
mod fuzz;
mod nets;
mod random;
mod transcripts;
