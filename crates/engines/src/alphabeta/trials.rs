//! Searches within a node that decide whether, and how deep, it is searched:
//! the null move, ProbCut, and the test for a singular move.

use super::knowledge::Node;
use super::picker::{Picker, Stage};
use super::table::{Bound, Known};
use super::worker::Worker;
use crate::score;
use chess::Move;
use nets::Evaluator;

impl<E: Evaluator> Worker<'_, E> {
    /// Searches the position with the turn passed; returns a value that cuts the node off, if there
    /// is one.
    pub(super) fn try_null_move(&mut self, node: &Node, beta: i32) -> Option<i32> {
        let Node { ply, depth, .. } = *node;
        let parameters = &self.shared.parameters;
        let surplus = ((node.estimate - beta) / parameters.null_move_surplus)
            .min(parameters.null_move_most_surplus);
        let reduced = depth - (parameters.null_move_base + depth / 3 + surplus);
        self.make_null(ply);
        let value = -self.search::<false>(ply + 1, reduced, -beta, -beta + 1, !node.expects_cut);
        self.take_back();
        if self.stopped || value < beta {
            return None;
        }
        // A mate found by passing is no proof.
        let value = if score::is_win(value) { beta } else { value };
        if self.null_move_from > 0 || depth < parameters.null_move_verify {
            return Some(value);
        }
        // At high depth overlooking a zugzwang would cost too much: verify without null moves.
        self.null_move_from = ply + (3 * reduced.max(0) as usize) / 4 + 1;
        let verified = self.search::<false>(ply, reduced, beta - 1, beta, false);
        self.null_move_from = 0;
        (!self.stopped && verified >= beta).then_some(value)
    }

    /// Searches captures against a raised beta at reduced depth.
    pub(super) fn try_probcut(
        &mut self,
        node: &Node,
        raised: i32,
        known_move: Option<Move>,
    ) -> Option<i32> {
        let Node { ref board, ply, .. } = *node;
        let mut picker = Picker::captures(board, known_move, raised - node.evaluation);
        let reduced = node.depth - self.shared.parameters.probcut_reduction;
        let checks = board.check_map();
        while let Some(mv) = picker.next(self.context(board, &checks, chess::Bitboard::EMPTY, ply))
        {
            if picker.stage() >= Stage::BadCaptures {
                break;
            }
            self.make(board, mv, ply);
            let mut value = -self.quiescence::<false>(ply + 1, -raised, -raised + 1, false);
            if value >= raised && reduced > 0 {
                value = -self.search::<false>(ply + 1, reduced, -raised, -raised + 1, true);
            }
            self.take_back();
            if self.stopped {
                return None;
            }
            if value >= raised {
                let entry = Known {
                    best: Some(mv),
                    value,
                    evaluation: node.raw,
                    depth: reduced + 1,
                    bound: Bound::Lower,
                    was_principal: false,
                };
                self.shared.table.store(board.key(), ply, entry);
                return Some(value);
            }
        }
        None
    }

    /// Searches the node without its table move: if no other move comes near its value, the move is
    /// singular, and the extension is returned. `Err` is a value that cuts the node off.
    pub(super) fn test_singular<const PRINCIPAL: bool>(
        &mut self,
        node: &Node,
        beta: i32,
        quiet: bool,
        known: &Known,
    ) -> Result<i32, i32> {
        let Node { ply, depth, .. } = *node;
        let parameters = &self.shared.parameters;
        let slack = 1 + i32::from(node.was_principal && !PRINCIPAL);
        let bound = known.value - slack * parameters.singular_slope * depth / 16;
        self.frame_mut(ply).excluded = known.best;
        let value = self.search::<false>(ply, (depth - 1) / 2, bound - 1, bound, node.expects_cut);
        self.frame_mut(ply).excluded = None;
        if value < bound {
            let double = i32::from(!PRINCIPAL && value < bound - parameters.double_extension);
            let triple =
                i32::from(!PRINCIPAL && quiet && value < bound - parameters.triple_extension);
            return Ok(1 + double + triple);
        }
        if value >= beta && !score::is_decisive(value) {
            return Err(value);
        }
        // Not singular, though the node is expected to be cut off: other moves probably do so too.
        Ok(if known.value >= beta {
            -parameters.negative_extension_beta
        } else if node.expects_cut {
            -parameters.negative_extension_cut
        } else {
            0
        })
    }
}
