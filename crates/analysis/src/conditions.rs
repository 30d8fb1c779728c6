//! The conditions of an analysis: all that must be the same to reproduce its findings.

use crate::engine::EngineFacts;
use engines::Limits;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// How long each position is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// This many positions.
    Nodes(u64),
    /// This many iterations.
    Depth(u32),
    /// This many milliseconds; results then differ from one analysis to the next.
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

/// Everything that determines the findings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Conditions {
    /// The version of this program.
    pub program: String,
    /// The engine that judges.
    pub engine: EngineFacts,
    /// How long it searches each position.
    pub limit: Limit,
    /// The number of best lines.
    pub multipv: usize,
    /// The hash of the text of the games.
    pub games: String,
}
