//! A net as the evaluation function of a search.

use super::accumulators::Accumulators;
use super::fresh::{self, Fresh};
use super::network::Network;
use super::simd::Kernels;
use crate::Evaluator;
use crate::classical::LARGEST_VALUE;
use chess::{Board, Move};
use std::sync::Arc;

/// A net with the accumulators of one thread. Clones share only the net.
pub struct NetEvaluator<N> {
    net: Arc<N>,
    accumulators: Accumulators,
}

impl<N: Network> NetEvaluator<N> {
    /// An evaluation by this net, with the fastest arithmetic of this CPU.
    pub fn new(net: Arc<N>) -> NetEvaluator<N> {
        NetEvaluator::with_kernels(net, Kernels::best())
    }

    pub(super) fn with_kernels(net: Arc<N>, kernels: &'static Kernels) -> NetEvaluator<N> {
        let accumulators = Accumulators::new(net.transformer(), kernels);
        let mut evaluator = NetEvaluator { net, accumulators };
        evaluator.reset(&Board::start());
        evaluator
    }

    /// The net.
    pub fn net(&self) -> &Arc<N> {
        &self.net
    }

    /// The value in the net's own units; `board` is the one of the last push.
    #[inline]
    pub fn raw_value(&mut self, board: &Board) -> i32 {
        let kernels = self.accumulators.kernels();
        let sums = self.accumulators.sums(self.net.transformer(), board);
        self.net.value(kernels, &sums, board.occupied().count())
    }
}

impl<N: Network> NetEvaluator<N> {
    /// The value of any board in the net's own units, computed from scratch: slow,
    /// and the reference for the incremental computation.
    pub fn fresh_value(&self, board: &Board) -> i32 {
        let kernels = self.accumulators.kernels();
        let fresh = Fresh::new(self.net.transformer(), kernels, &fresh::men(board));
        let sums = fresh.seen_by(board.side_to_move());
        self.net.value(kernels, &sums, board.occupied().count())
    }
}

impl<N: Network> Clone for NetEvaluator<N> {
    fn clone(&self) -> NetEvaluator<N> {
        NetEvaluator::with_kernels(self.net.clone(), self.accumulators.kernels())
    }
}

impl<N: Network> Evaluator for NetEvaluator<N> {
    fn reset(&mut self, board: &Board) {
        self.accumulators.reset(self.net.transformer(), board);
    }

    #[inline]
    fn push(&mut self, parent: &Board, mv: Move, child: &Board) {
        self.accumulators
            .push(self.net.transformer(), parent, mv, child);
    }

    #[inline]
    fn push_null(&mut self) {
        self.accumulators.push_null();
    }

    #[inline]
    fn pop(&mut self) {
        self.accumulators.pop();
    }

    #[inline]
    fn evaluate(&mut self, board: &Board) -> i32 {
        let value = self.net.scaling().apply(self.raw_value(board), board);
        value.clamp(-LARGEST_VALUE, LARGEST_VALUE)
    }
}
