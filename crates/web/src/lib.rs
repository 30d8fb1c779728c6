//! The page on which runs are watched, models looked into and played against, and the
//! server behind it.
//!
//! The server reads: every figure that it shows comes from the files of a folder, through
//! `lab`. `connections` bounds what clients may hold, `guard` decides who may ask, `assets` is the page as it was built, `shelf` knows
//! what lies in the folder (`items` has it in lines) and `news` tells what changes; `runs`,
//! `curves`, `games`, `inside`, `shards` and `workforce` answer questions about it. `rules` knows positions
//! and moves, `models` which players may be asked for, and `desk` lets them think, a few at
//! once (`thoughts`). `control` starts and stops runs, which are processes of their own;
//! `server` joins all this.
//!
//! This crate must not know how anything is computed, nor terminals.

mod answer;
mod assets;
mod connections;
mod control;
mod curves;
mod desk;
mod export;
mod games;
mod guard;
mod inside;
mod items;
mod models;
mod news;
mod rules;
mod runs;
mod server;
mod shards;
mod shelf;
#[cfg(test)]
mod tests;
mod thoughts;
#[cfg(test)]
mod types;
mod workforce;

pub use games::Openings;
pub use server::{Options, ServeError, Server};
