//! The search that some trainings need. Whoever runs them hands it in: this crate knows
//! no engine.

use chess::{Board, Move};
use nets::ntuple::NTuple;
use std::sync::Arc;

/// Makes searches for the threads of a training.
pub trait Search: Send + Sync {
    /// A search that values positions by this network. It is dropped before the network
    /// is changed.
    fn searcher(&self, network: &Arc<NTuple>) -> Box<dyn Searcher>;
}

/// A plain alpha-beta search of exact depth with quiescence behind it, for one thread.
/// What it finds depends on its arguments and the network alone.
pub trait Searcher {
    /// Compares the moves of a board with a legal one of them. Each is looked at to so
    /// many plies, at least 1, of which it is the first.
    fn compare(&mut self, board: &Board, desired: Move, depth: u32) -> Compared;

    /// Searches a board to a depth of at least 1, and tells of every board whose moves
    /// were looked at.
    fn tree(&mut self, board: &Board, depth: u32, visit: &mut dyn FnMut(&Board, Bounds));
}

/// Where a principal variation ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// The value of its first move for the side that makes it.
    pub value: i32,
    /// The board from which the value comes.
    pub board: Board,
}

/// How the other moves of a position compare with the desired one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The leaf of the desired move.
    pub desired: Leaf,
    /// Those of all moves with a higher value.
    pub better: Vec<Leaf>,
    /// How many others have the same value.
    pub equal: usize,
}

/// What a search has proved of a board: its value for the side to move lies between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// It is at least this.
    pub lower: i32,
    /// It is at most this.
    pub upper: i32,
}
