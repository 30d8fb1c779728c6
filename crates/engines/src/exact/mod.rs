//! Plain alpha-beta of exact depth, for training methods that need to know which leaf a value comes
//! from: comparison training, and learning from whole trees.
//!
//! It has no transposition table, no pruning beyond alpha-beta and no extensions, so its values are
//! those of minimax over all moves to the depth, followed by quiescence. What it remembers within a
//! search only orders moves. Quiescence tries captures and queen promotions that do not lose by
//! static exchange, and every answer to a check.
//!
//! Draws by repetition and by the fifty-move rule are not detected: it knows only the position. It
//! must not know how its values are used in training.

mod compare;
mod order;
#[cfg(test)]
mod tests;
mod tree;

pub use compare::{Compared, Variation};
pub use tree::Bounds;

use crate::score::{self, DRAW, INFINITE};
use chess::{Board, Move, MoveFilter};
use nets::Evaluator;
use order::{Moves, Refutations};
use tree::Watch;

/// Room for a line of usual length; longer ones grow it.
const USUAL_PLIES: usize = 64;

/// The search with its memory, for one thread.
pub struct Exact<E> {
    evaluator: E,
    /// For each ply the leaf of its principal variation, once it has one.
    leaves: Vec<Board>,
    refutations: Refutations,
}

impl<E: Evaluator> Exact<E> {
    /// A search with this evaluator.
    pub fn new(evaluator: E) -> Exact<E> {
        Exact {
            evaluator,
            leaves: vec![Board::start(); USUAL_PLIES],
            refutations: Refutations::default(),
        }
    }

    /// Clears what it remembers: a result must depend on the position alone.
    fn begin(&mut self, board: &Board) {
        self.evaluator.reset(board);
        self.refutations.forget();
    }

    /// The value of a move for the side that makes it, with `depth` plies searched after it. If the
    /// value lies inside the window, the leaf at `ply` is that of the value.
    fn child<W: Watch>(
        &mut self,
        board: &Board,
        mv: Move,
        (depth, ply): (u32, usize),
        (alpha, beta): (i32, i32),
        watch: &mut W,
    ) -> i32 {
        let child = board.after(mv);
        self.evaluator.push(board, mv, &child);
        let value = match depth {
            0 => -self.quiescence(&child, ply, -beta, -alpha),
            _ => -self.node(&child, (depth, ply), (-beta, -alpha), watch),
        };
        self.evaluator.pop();
        value
    }

    /// The value of a position, of which all moves are searched.
    fn node<W: Watch>(
        &mut self,
        board: &Board,
        (depth, ply): (u32, usize),
        (alpha, beta): (i32, i32),
        watch: &mut W,
    ) -> i32 {
        let mut moves = Moves::ordered(board, ply, &self.refutations);
        if moves.is_empty() {
            self.keep_leaf(ply, board);
            return match board.in_check() {
                true => score::mated_in(ply),
                false => DRAW,
            };
        }
        let (mut best, mut raised) = (-INFINITE, alpha);
        while let Some(mv) = moves.next() {
            let below = (depth - 1, ply + 1);
            let is_open = beta - raised > 1;
            if W::SCOUTS && best > -INFINITE && is_open {
                let window = (raised, raised + 1);
                let bound = self.child(board, mv, below, window, watch);
                if bound <= raised {
                    best = best.max(bound);
                    continue;
                }
            }
            let value = self.child(board, mv, below, (raised, beta), watch);
            if value > best {
                best = value;
                if value > raised {
                    raised = value;
                    self.take_leaf(ply);
                }
                if value >= beta {
                    self.refutations.note(board, mv, (depth, ply));
                    break;
                }
            }
        }
        watch.node(board, Bounds::of(best, alpha, beta));
        best
    }

    /// The quiescence value of a position.
    fn quiescence(&mut self, board: &Board, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        let in_check = board.in_check();
        let mut best = score::mated_in(ply);
        if !in_check {
            best = self.evaluator.evaluate(board);
            if best >= beta {
                return best;
            }
        }
        if best > alpha || in_check {
            alpha = alpha.max(best);
            self.keep_leaf(ply, board);
        }
        let filter = match in_check {
            true => MoveFilter::All,
            false => MoveFilter::Captures,
        };
        let mut moves = Moves::of(board, filter);
        while let Some(mv) = moves.next() {
            if !in_check && !order::is_worth_a_look(board, mv) {
                continue;
            }
            let child = board.after(mv);
            self.evaluator.push(board, mv, &child);
            let value = -self.quiescence(&child, ply + 1, -beta, -alpha);
            self.evaluator.pop();
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    self.take_leaf(ply);
                }
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    fn keep_leaf(&mut self, ply: usize, board: &Board) {
        if ply + 1 >= self.leaves.len() {
            self.leaves.resize(2 * (ply + 1), *board);
        }
        self.leaves[ply] = *board;
    }

    fn take_leaf(&mut self, ply: usize) {
        let leaf = self.leaves.get(ply + 1).copied();
        if let Some(leaf) = leaf {
            self.keep_leaf(ply, &leaf);
        }
    }
}
