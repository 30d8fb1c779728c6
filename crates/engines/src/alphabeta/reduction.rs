//! Late-move reductions: by how much a move is reduced at first.

use super::knowledge::Node;
use super::node::PLY;
use super::pruning::Candidate;
use super::worker::Worker;
use nets::Evaluator;
use std::sync::LazyLock;

/// The size of the table of logarithms; greater depths and move counts use its last entry.
const SIZE: usize = 64;

/// Natural logarithms in 1024ths.
static LOGARITHMS: LazyLock<[i32; SIZE]> = LazyLock::new(|| {
    std::array::from_fn(|number| ((number.max(1) as f64).ln() * f64::from(PLY)).round() as i32)
});

impl<E: Evaluator> Worker<'_, E> {
    /// The reduction of the `count`-th move, in 1024ths of a ply, from depth and move count alone.
    /// It is smaller the wider the window is in relation to the root's.
    #[inline(always)]
    pub(super) fn base_reduction(&self, node: &Node, count: usize, window: i32) -> i32 {
        let parameters = &self.shared.parameters;
        let logarithms = &*LOGARITHMS;
        let depth = (node.depth.max(0) as usize).min(SIZE - 1);
        let product = logarithms[depth] * logarithms[count.min(SIZE - 1)] / PLY;
        let reduction =
            parameters.reduction_base + product * parameters.reduction_slope / PLY + PLY / 2
                - window * (PLY / 2) / self.root_delta.max(1);
        if node.was_principal {
            reduction - parameters.reduction_principal / 2
        } else {
            reduction
        }
    }

    /// The reduction of a move with everything known about it and the node.
    #[inline(always)]
    pub(super) fn full_reduction<const PRINCIPAL: bool>(
        &self,
        node: &Node,
        candidate: Candidate,
        base: i32,
    ) -> i32 {
        let parameters = &self.shared.parameters;
        let mut reduction = base;
        if node.ply == 0 {
            reduction -= parameters.reduction_root;
        }
        if node.was_principal {
            reduction -= parameters.reduction_principal / 2
                + parameters.reduction_open * i32::from(PRINCIPAL);
        }
        if node.expects_cut {
            reduction += parameters.reduction_cut;
        }
        if node.known_captures {
            reduction += parameters.reduction_capture;
        }
        if !node.improving {
            reduction += parameters.reduction_worsening;
        }
        if self.frame(node.ply + 1).refutations > parameters.reduction_refutations {
            reduction += parameters.reduction_refuted;
        }
        if Some(candidate.mv) == node.killer {
            reduction -= parameters.reduction_killer;
        }
        if candidate.gives_check {
            reduction -= parameters.reduction_check;
        }
        reduction
            - node.correction.abs() * parameters.reduction_correction
            - candidate.history * parameters.reduction_history / PLY
    }
}
