//! Other programs as players, however badly they behave.

mod ends;
mod games;
mod moves;
mod program;
mod silence;
mod start;
mod stockfish;
