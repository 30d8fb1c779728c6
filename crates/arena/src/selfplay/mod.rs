//! Self-play: one player against itself, many times, for the positions.
//!
//! - `settings` says how games are played, `horizon` how long they may be,
//!   `by_generation` what else may change with generations;
//! - `game` plays the game with a number, which depends on nothing but the
//!   settings, the evaluation, the seed and that number;
//! - `worker` does so for whoever gives out numbers, `portable` lets other processes
//!   do so;
//! - `record` keeps finished games, in whatever order they end, so that a kill
//!   loses only those that are being played;
//! - `explore` plays games of tree searches, many side by side on each thread, for what
//!   the searches found of the moves;
//! - `run` plays until there is enough, and `finish` makes one shard of it, games in the
//!   order of their numbers: the same bytes for any number of threads.
//!
//! It must not know what the positions will teach, or whom.

mod by_generation;
pub mod explore;
mod finish;
mod game;
mod horizon;
mod portable;
mod record;
mod run;
mod settings;
mod totals;
mod worker;

pub use by_generation::ByGeneration;
pub use horizon::Horizon;
pub use portable::KIND;
pub use record::GameRecord;
pub use run::{Amount, News, SelfPlay, SelfPlayError};
pub use settings::{Book, Settings, WrongSetting};
pub use totals::{MANY_REPEATED, Totals};
