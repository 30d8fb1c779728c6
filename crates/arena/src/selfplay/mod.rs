//! Self-play: a player plays against itself, to produce positions.
//!
//! - `settings` says how games are played, `horizon` how long they may be, and `by_generation`
//!   holds settings that change with generations;
//! - `game` plays one numbered game, which depends only on the settings, the model, the seed and
//!   that number;
//! - `worker` plays games for a dispatcher, and `portable` lets other processes do so;
//! - `record` keeps finished games, in whatever order they end, so that a kill loses only the games
//!   in progress;
//! - `explore` plays games of tree searches, many side by side on each thread, and records the
//!   policies that the searches found;
//! - `run` plays until there are enough games, and `finish` makes one shard of them, in the order
//!   of their numbers: the same bytes for any number of threads.
//!
//! It must not know what learns from the positions.

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
