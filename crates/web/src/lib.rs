//! The page on which runs are watched, models looked into and played against, and the
//! server behind it.
//!
//! The server reads: every figure that it shows comes from the files of a folder, through
//! `lab`. `guard` decides who may ask, `assets` is the page as it was built, `shelf` knows
//! what lies in the folder and `stream` tells what changes; `runs`, `curves`, `games`,
//! `inside` and `shards` answer questions about it. `rules` and `players` let people play
//! and analyse, `desk` bounds how many do so at once. `control` starts and stops runs, which
//! are processes of their own.
//!
//! This crate must not know how anything is computed, nor terminals.

mod answer;
mod assets;
mod control;
mod curves;
mod desk;
mod export;
mod games;
mod guard;
mod inside;
mod page;
mod players;
mod rules;
mod runs;
mod server;
mod shards;
mod shelf;
mod stream;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod types;

pub use page::Options;
pub use server::{ServeError, Server};
