//! Shallow pruning: which moves of a node are skipped without a search.
//!
//! Each step says what it is worth; see `node`.

use super::knowledge::Node;
use super::node::PLY;
use super::picker::Picker;
use super::worker::Worker;
use chess::{EXCHANGE_VALUES, Move};
use nets::Evaluator;

/// A move that is about to be tried.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its number among the moves of the node, from 1.
    pub(super) count: usize,
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
    /// Its score in the histories.
    pub(super) history: i32,
}

/// What happens to a move before it is searched.
pub(super) enum Pruning {
    Search,
    LeaveOut,
    /// Skipped; the node's value is raised to this, which is at most alpha.
    Futile(i32),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Decides whether a late move that looks bad is skipped. `reduction` is the reduction it would
    /// get, in 1024ths of a ply.
    #[inline(always)]
    pub(super) fn prune_move(
        &self,
        node: &Node,
        picker: &mut Picker,
        candidate: Candidate,
        reduction: i32,
        alpha: i32,
    ) -> Pruning {
        let parameters = &self.shared.parameters;
        // Late-move pruning: enough moves were tried for this depth; this is the last quiet one.
        // Worth -16 [-35, +3] Elo at 10,000 nodes, +24 [-15, +65] at 0.5 s + 5 ms.
        if candidate.count >= parameters.late_move_count(node.depth, node.improving) {
            picker.skip_quiets();
        }
        let reduced_depth = (node.depth - 1 - reduction / PLY).max(0);
        if candidate.quiet {
            self.prune_quiet(node, picker, candidate, reduced_depth, alpha)
        } else {
            self.prune_capture(node, candidate, reduced_depth, alpha)
        }
    }

    #[inline(always)]
    fn prune_quiet(
        &self,
        node: &Node,
        picker: &mut Picker,
        candidate: Candidate,
        reduced_depth: i32,
        alpha: i32,
    ) -> Pruning {
        let parameters = &self.shared.parameters;
        // History pruning: the move failed again and again.
        // Worth -8 [-27, +11] Elo at 10,000 nodes.
        if reduced_depth < parameters.history_pruning_depth
            && candidate.history < -parameters.history_pruning * node.depth
        {
            picker.skip_quiets();
            return Pruning::LeaveOut;
        }
        if candidate.gives_check {
            return Pruning::Search;
        }
        let plies = candidate.history * parameters.futility_history / (PLY * PLY);
        let reduced_depth = (reduced_depth + plies).max(0);
        // Futility: the evaluation is too low for a quiet move to reach alpha.
        // Worth +25 [+6, +44] Elo at 10,000 nodes, -28 [-66, +9] at 0.5 s + 5 ms.
        if !node.in_check && reduced_depth < parameters.futility_depth {
            let hoped = node.evaluation
                + parameters.futility_base
                + parameters.futility_slope * reduced_depth;
            if hoped <= alpha {
                return Pruning::Futile(hoped);
            }
        }
        // Exchange: the piece would be lost on its target square.
        // Worth +21 [+3, +39] Elo at 10,000 nodes, -10 [-44, +23] at 0.5 s + 5 ms.
        let least = -parameters.quiet_exchange_slope * reduced_depth * reduced_depth;
        if node.board.exchange_at_least(candidate.mv, least) {
            Pruning::Search
        } else {
            Pruning::LeaveOut
        }
    }

    #[inline(always)]
    fn prune_capture(
        &self,
        node: &Node,
        candidate: Candidate,
        reduced_depth: i32,
        alpha: i32,
    ) -> Pruning {
        let parameters = &self.shared.parameters;
        if candidate.gives_check {
            return Pruning::Search;
        }
        // Futility of captures: even with the victim the evaluation stays below alpha.
        // Worth +12 [-6, +30] Elo at 10,000 nodes.
        if !node.in_check && reduced_depth < parameters.capture_futility_depth {
            let victim = node
                .board
                .captured_kind(candidate.mv)
                .map_or(0, |kind| EXCHANGE_VALUES[kind.index()]);
            let hoped = node.evaluation
                + parameters.capture_futility_base
                + parameters.capture_futility_slope * reduced_depth
                + victim
                + candidate.history * parameters.capture_futility_history / PLY;
            if hoped <= alpha {
                return Pruning::LeaveOut;
            }
        }
        // Exchange: the capture loses more than the depth allows.
        // Worth +9 [-9, +26] Elo at 10,000 nodes.
        let least = -parameters.capture_exchange_slope * node.depth
            - candidate.history * parameters.capture_exchange_history / PLY;
        if node.board.exchange_at_least(candidate.mv, least.min(0)) {
            Pruning::Search
        } else {
            Pruning::LeaveOut
        }
    }
}
