//! What a search proves about every position that it visits.

use super::Exact;
use crate::score::INFINITE;
use chess::Board;
use nets::Evaluator;

/// Bounds of the value of a position for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
}

impl Bounds {
    /// What the value returned by a search with a window proves.
    pub(super) fn of(value: i32, alpha: i32, beta: i32) -> Bounds {
        Bounds {
            lower: if value > alpha { value } else { -INFINITE },
            upper: if value < beta { value } else { INFINITE },
        }
    }
}

/// Receives every position whose moves were searched.
pub(super) trait Watch {
    /// Whether the search may first try moves with a closed window. This is faster, but then some
    /// positions are visited twice.
    const SCOUTS: bool;

    fn node(&mut self, board: &Board, bounds: Bounds);
}

/// Ignores all positions.
pub(super) struct Ignore;

impl Watch for Ignore {
    const SCOUTS: bool = true;

    #[inline(always)]
    fn node(&mut self, _: &Board, _: Bounds) {}
}

impl<F: FnMut(&Board, Bounds)> Watch for F {
    const SCOUTS: bool = false;

    fn node(&mut self, board: &Board, bounds: Bounds) {
        self(board, bounds);
    }
}

impl<E: Evaluator> Exact<E> {
    /// Searches a position, passes every position whose moves were searched to `visit`, the root
    /// last, and returns the root's value.
    ///
    /// # Panics
    /// If the depth is 0.
    pub fn tree(
        &mut self,
        board: &Board,
        depth: u32,
        mut visit: impl FnMut(&Board, Bounds),
    ) -> i32 {
        assert!(depth > 0, "a tree has a root");
        self.begin(board);
        self.node(board, (depth, 0), (-INFINITE, INFINITE), &mut visit)
    }
}
