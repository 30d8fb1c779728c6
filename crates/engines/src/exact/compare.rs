//! Compares the moves of a position with one of them.

use super::Exact;
use super::order::Moves;
use super::tree::Ignore;
use crate::score::INFINITE;
use chess::{Board, Move, MoveFilter};
use nets::Evaluator;

/// The principal variation of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variation {
    /// Its first move.
    pub mv: Move,
    /// Its value for the side that makes the move.
    pub value: i32,
    /// The position whose evaluation is the value.
    pub leaf: Board,
}

/// How the other moves compare with the desired one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The desired move.
    pub desired: Variation,
    /// The moves with a higher value.
    pub better: Vec<Variation>,
    /// How many others have the same value.
    pub equal: usize,
}

impl<E: Evaluator> Exact<E> {
    /// Compares the legal moves of a position with `desired`, each searched to `depth` plies
    /// including the move itself.
    ///
    /// Each move is first searched with a closed window, to see whether it is at least as good.
    /// Most are not, and are soon refuted; only for the others the exact value and its leaf are
    /// searched.
    ///
    /// # Panics
    /// If the depth is 0.
    pub fn compare(&mut self, board: &Board, desired: Move, depth: u32) -> Compared {
        assert!(depth > 0, "a move is a ply");
        self.begin(board);
        let desired = self.variation(board, desired, depth, -INFINITE);
        let (mut better, mut equal) = (Vec::new(), 0);
        let mut moves = Moves::of(board, MoveFilter::All);
        while let Some(mv) = moves.next() {
            if mv == desired.mv || !self.reaches(board, mv, depth, desired.value) {
                continue;
            }
            let variation = self.variation(board, mv, depth, desired.value - 1);
            match variation.value > desired.value {
                true => better.push(variation),
                false => equal += 1,
            }
        }
        Compared {
            desired,
            better,
            equal,
        }
    }

    /// The exact value of a legal move, searched to `depth` plies including the move itself.
    ///
    /// # Panics
    /// If the depth is 0.
    pub fn value_of(&mut self, board: &Board, mv: Move, depth: u32) -> Variation {
        assert!(depth > 0, "a move is a ply");
        self.begin(board);
        self.variation(board, mv, depth, -INFINITE)
    }

    /// The exact value of a move if it is above the bound `above`, and its leaf.
    fn variation(&mut self, board: &Board, mv: Move, depth: u32, above: i32) -> Variation {
        let below = (depth - 1, 1);
        let value = self.child(board, mv, below, (above, INFINITE), &mut Ignore);
        let leaf = self.leaves[1];
        Variation { mv, value, leaf }
    }

    /// Whether a move has at least this value.
    fn reaches(&mut self, board: &Board, mv: Move, depth: u32, value: i32) -> bool {
        let window = (value - 1, value);
        self.child(board, mv, (depth - 1, 1), window, &mut Ignore) >= value
    }
}
