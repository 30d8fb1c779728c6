//! The limits of a search.

use chess::Move;
use std::time::{Duration, Instant};

/// A player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The limits of a search. The first one that is reached ends it; without any it runs until it is
/// stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Iterations of iterative deepening.
    pub depth: Option<u32>,
    /// Nodes, exactly.
    pub nodes: Option<u64>,
    /// Nodes after which no new iteration begins. Only players inside this process know this limit.
    pub soft_nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// A mate in this many moves ends the search.
    pub mate: Option<u32>,
    /// The moves to choose from; all if empty.
    pub search_moves: Vec<Move>,
    /// When the clock began to run; `None` if it begins with the search.
    pub since: Option<Instant>,
}

impl Limits {
    /// A search of this many nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// A search of this many iterations.
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// A search of this much time.
    pub fn move_time(time: Duration) -> Limits {
        Limits {
            move_time: Some(time),
            ..Limits::default()
        }
    }

    /// Whether time limits the search.
    pub fn is_timed(&self) -> bool {
        self.move_time.is_some() || self.clock.is_some()
    }
}
