//! The page on which runs are watched, models looked into and played against, and the
//! server behind it.
//!
//! The server reads: every figure that it shows comes from the files of a folder, through
//! `lab`. `connections` limits connections and timeouts, `auth` checks hosts, origins and
//! tokens, `assets` is the page as it was built, `run_index` indexes and watches the folder
//! (`summaries` are its entries) and `event_stream` sends changes; `runs`, `curves`, `games`,
//! `inspection`, `shards` and `cluster_status` answer requests about it. `rules` knows
//! positions and moves, `models` which players are available, and `searches` runs a limited
//! number of searches (`search_results`). `control` starts and stops runs, which are separate
//! `processes`, and `bounds` says which files their settings may name; `server` joins all this.
//!
//! This crate must not know how anything is computed, nor terminals.

mod answer;
mod assets;
mod auth;
mod bounds;
mod cluster_status;
mod connections;
mod control;
mod curves;
mod event_stream;
mod export;
mod games;
mod inspection;
mod models;
mod processes;
mod rules;
mod run_index;
mod runs;
mod search_results;
mod searches;
mod server;
mod shards;
mod summaries;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod types;

pub use games::Openings;
pub use server::{Options, ServeError, Server};
