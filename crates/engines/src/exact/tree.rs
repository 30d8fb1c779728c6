//! What a search proves of every board it looks at.

use super::Exact;
use crate::score::INFINITE;
use chess::Board;
use nets::Evaluator;

/// Between these lies the value of a board for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// It is at least this.
    pub lower: i32,
    /// It is at most this.
    pub upper: i32,
}

impl Bounds {
    /// What a search with a window has proved by its value.
    pub(super) fn of(value: i32, alpha: i32, beta: i32) -> Bounds {
        Bounds {
            lower: if value > alpha { value } else { -INFINITE },
            upper: if value < beta { value } else { INFINITE },
        }
    }
}

/// One who is told of every board whose moves were looked at.
pub(super) trait Watch {
    /// Whether moves may first be asked only if they raise the value. This is faster, but
    /// then some boards are looked at twice.
    const SCOUTS: bool;

    fn node(&mut self, board: &Board, bounds: Bounds);
}

/// Does not care.
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
    /// Searches a board and tells of all boards whose moves were looked at, itself the
    /// last; gives its value.
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
