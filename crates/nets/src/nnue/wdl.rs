//! Win, draw and loss: a simple net whose outputs are the logits of how the game
//! ends, three for each bucket of the number of men.

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

/// Centipawns of an alpha-beta search for each unit by which the logit of a win lies
/// above that of a loss: in self-play the odds of either change by the factor e with
/// each 170 centipawns.
const CENTIPAWNS: f32 = 85.0;

/// Such a net with the accumulators of one thread. It is asked about one board after
/// the other, in any order: of the last board with the same view only the men that
/// differ are replaced.
pub struct WdlEvaluator {
    net: Arc<Simple>,
    accumulators: Accumulators,
}

impl WdlEvaluator {
    /// The net must have three outputs a bucket, as [`check_wdl`] says.
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

    /// The same, computed afresh: slow, and what the other way must agree with.
    pub fn fresh_logits(&self, board: &Board) -> [f32; OUTCOMES] {
        let kernels = self.accumulators.kernels();
        let fresh = Fresh::new(self.net.transformer(), kernels, &fresh::men(board));
        let sums = fresh.seen_by(board.side_to_move());
        self.net.outcomes(kernels, &sums, board.occupied().count())
    }
}

/// Clones share the net only.
impl Clone for WdlEvaluator {
    fn clone(&self) -> WdlEvaluator {
        WdlEvaluator::new(self.net.clone())
    }
}

/// Draws do not matter: the value is how much likelier a win is than a loss.
impl Evaluator for WdlEvaluator {
    fn evaluate(&mut self, board: &Board) -> i32 {
        let [win, _, loss] = self.logits(board);
        ((CENTIPAWNS * (win - loss)) as i32).clamp(-LARGEST_VALUE, LARGEST_VALUE)
    }
}
