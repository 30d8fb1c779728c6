//! Under which conditions games were analysed: what must be the same for the same
//! findings.

use crate::engine::EngineFacts;
use engines::Limits;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// How long each position is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// So many positions.
    Nodes(u64),
    /// So many iterations.
    Depth(u32),
    /// So many milliseconds; no two analyses are then the same.
    Milliseconds(u64),
}

impl Limit {
    pub(crate) fn limits(self) -> Limits {
        match self {
            Limit::Nodes(nodes) => Limits::nodes(nodes),
            Limit::Depth(depth) => Limits::depth(depth),
            Limit::Milliseconds(time) => Limits::move_time(Duration::from_millis(time)),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Nodes(nodes) => write!(f, "{nodes} nodes a position"),
            Limit::Depth(depth) => write!(f, "depth {depth}"),
            Limit::Milliseconds(time) => write!(f, "{time} ms a position"),
        }
    }
}

/// All that decides what is found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Conditions {
    /// The version of this program.
    pub program: String,
    /// Who judges.
    pub engine: EngineFacts,
    /// How long.
    pub limit: Limit,
    /// How many best lines are found.
    pub multipv: usize,
    /// The hash of the text of the games.
    pub games: String,
}
