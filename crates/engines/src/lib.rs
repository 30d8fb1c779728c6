//! How a model plays: searches, time management, tablebases, the UCI front end, other programs, and
//! the one grammar that describes players.
//!
//! This crate must not know where models come from, nor what games are for.

pub mod alphabeta;
pub mod bench;
mod engine;
pub mod exact;
mod excerpt;
pub mod external;
mod limits;
pub mod mcts;
mod memory;
mod mixing;
pub mod options;
mod player;
mod random;
pub mod recipe;
pub mod score;
pub mod sequence;
pub mod tablebase;
mod time;
pub mod uci;
pub mod words;

pub use engine::Engine;
pub use limits::{Clock, Limits};
pub use nets::Chances;
pub use player::{Answer, Failure, MoveStatistics, Player, Report, STACK_BYTES, ScoreBound};
pub use work::StopSignal;
