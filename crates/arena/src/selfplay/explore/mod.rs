//! Games in which a tree search with a policy and a value explores: they give the policies that its
//! searches found, and the results.
//!
//! - `settings` says how well moves are searched and what is recorded, `schedules` which of these
//!   settings change from ply to ply;
//! - `game` is one game, which plays on whenever its search has what it waited for: it depends only
//!   on settings, model, seed and its number;
//! - `table` plays many of them side by side on one thread, so that their positions share the
//!   batches of the model, and `portable` lets other processes do so;
//! - `rows` makes records of a game's positions, `resignation` counts bad values, `tally` sums up
//!   many games, and `export` writes games for people and other programs.
//!
//! It must not know what learns from the records.

mod export;
mod game;
mod portable;
mod resignation;
mod rows;
mod schedules;
mod settings;
mod table;
mod tally;

pub use export::{ExportPaths, GameSummary};
pub use portable::KIND;
pub use resignation::{Resignation, Side};
pub use rows::Explored;
pub use schedules::OverPlies;
pub use settings::{Backend, Counts, ExploreSettings, NoiseSettings, ResignSettings};
pub(super) use table::Exploring;
pub use tally::{Calibration, ExploreTally};
