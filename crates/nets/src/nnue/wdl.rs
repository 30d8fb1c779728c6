//! Win, draw and loss: a simple net whose outputs are the logits of the game's result,
//! three for each output bucket.

use super::accumulators::Accumulators;
use super::fresh::{self, Fresh};
use super::network::Network;
pub use super::shape::OUTCOMES;
use super::simd::Kernels;
use super::simple::Simple;
use crate::Evaluator;
use crate::classical::LARGEST_VALUE;
use chess::Board;
use std::sync::Arc;

/// How many centipawns of an alpha-beta search a difference of 1 between the logits of
/// win and loss is: in self-play the odds of each change by the factor e with every 170
/// centipawns.
const CENTIPAWNS: f32 = 85.0;

/// Such a net with the accumulators of one thread. Boards may come in any order: only
/// the men that differ from the last board with the same view are replaced.
pub struct WdlEvaluator {
    net: Arc<Simple>,
    accumulators: Accumulators,
}

impl WdlEvaluator {
    /// The net must have three outputs for each bucket, as [`check_wdl`] checks.
    ///
    /// [`check_wdl`]: super::SimpleShape::check_wdl
    pub fn new(net: Arc<Simple>) -> WdlEvaluator {
        let accumulators = Accumulators::new(net.transformer(), Kernels::best());
        WdlEvaluator { net, accumulators }
    }

    /// The logits of a win, a draw and a loss for the side to move.
    #[inline]
    pub fn logits(&mut self, board: &Board) -> [f32; OUTCOMES] {
        let kernels = self.accumulators.kernels();
        self.accumulators.reset(self.net.transformer(), board);
        let sums = self.accumulators.sums(self.net.transformer(), board);
        self.net.outcomes(kernels, &sums, board.occupied().count())
    }

    /// The same, computed from scratch: slow, and the reference for [`logits`](Self::logits).
    pub fn fresh_logits(&self, board: &Board) -> [f32; OUTCOMES] {
        let kernels = self.accumulators.kernels();
        let fresh = Fresh::new(self.net.transformer(), kernels, &fresh::men(board));
        let sums = fresh.seen_by(board.side_to_move());
        self.net.outcomes(kernels, &sums, board.occupied().count())
    }
}

/// Clones share only the net.
impl Clone for WdlEvaluator {
    fn clone(&self) -> WdlEvaluator {
        WdlEvaluator::new(self.net.clone())
    }
}

/// The value compares only win and loss; the logit of a draw is ignored.
impl Evaluator for WdlEvaluator {
    fn evaluate(&mut self, board: &Board) -> i32 {
        let [win, _, loss] = self.logits(board);
        ((CENTIPAWNS * (win - loss)) as i32).clamp(-LARGEST_VALUE, LARGEST_VALUE)
    }
}
