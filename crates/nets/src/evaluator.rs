//! The interface between an evaluation and the alpha-beta search.

use chess::{Board, Move};

/// The value of a position for an alpha-beta search.
///
/// An evaluator holds the state of one thread. The search reports every move
/// that it makes and takes back, so that the evaluation can be updated
/// incrementally; one that computes each position from scratch needs only
/// [`evaluate`](Evaluator::evaluate). The search is generic over this trait, not
/// boxed, so that calls are inlined.
pub trait Evaluator: Clone + Send {
    /// Forgets all moves: the search starts from this board.
    fn reset(&mut self, _board: &Board) {}

    /// The search made a move.
    #[inline(always)]
    fn push(&mut self, _parent: &Board, _mv: Move, _child: &Board) {}

    /// The search passed the turn without a move.
    #[inline(always)]
    fn push_null(&mut self) {}

    /// The search took back its last move, real or null.
    #[inline(always)]
    fn pop(&mut self) {}

    /// The value in centipawns for the side to move. Never called in check.
    ///
    /// `board` is the one of the last push, or of the reset.
    fn evaluate(&mut self, board: &Board) -> i32;

    /// How the value of a position comes about, in lines for people; by default
    /// only the value.
    fn explain(&mut self, board: &Board) -> String {
        format!("value for the side to move  {}\n", self.evaluate(board))
    }
}
