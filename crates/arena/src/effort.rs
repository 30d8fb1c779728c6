//! Time and nodes that players spend on their moves.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// The cost of a number of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// The number of moves.
    pub moves: u64,
    /// Their total time.
    pub microseconds: u64,
    /// Their total nodes.
    pub nodes: u64,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Effort) {
        self.moves += other.moves;
        self.microseconds += other.microseconds;
        self.nodes += other.nodes;
    }
}
