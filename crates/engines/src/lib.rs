//! How a net plays: searches, clocks, tablebases, and the UCI front.
//!
//! This crate must not know where nets come from, nor what games are for.

pub mod alphabeta;
pub mod bench;
mod excerpt;
pub mod external;
mod limits;
mod player;
pub mod score;
pub mod tablebase;
pub mod uci;

pub use limits::{Clock, Limits};
pub use player::{Answer, Failure, Player, Report, ScoreBound};
pub use work::StopSignal;
