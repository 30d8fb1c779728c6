//! What players spend on their moves.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// What moves took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// How many there were.
    pub moves: u64,
    /// All their time.
    pub microseconds: u64,
    /// All their nodes.
    pub nodes: u64,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Effort) {
        self.moves += other.moves;
        self.microseconds += other.microseconds;
        self.nodes += other.nodes;
    }
}
