//! How the result of a node updates the histories.

use super::history::piece_target;
use super::picker::is_quiet;
use super::table::Bound;
use super::worker::Worker;
use crate::score;
use arrayvec::ArrayVec;
use chess::{Bitboard, Board, Move};
use nets::Evaluator;

/// The distances, in plies, at which continuation tables are updated, and their weights.
const DISTANCES: [(usize, i32); 3] = [(1, 4), (2, 4), (4, 2)];
/// The denominator of these weights.
const WEIGHT_PARTS: i32 = 4;

/// How many moves of either sort are kept to be penalised: later ones were reduced so much that
/// their failure means little.
const MOST_TRIED: usize = 32;

/// The moves that a node tried before its best one.
#[derive(Default)]
pub(super) struct Tried {
    quiets: ArrayVec<Move, MOST_TRIED>,
    captures: ArrayVec<Move, MOST_TRIED>,
}

impl Tried {
    #[inline(always)]
    pub(super) fn note(&mut self, mv: Move, quiet: bool) {
        let moves = if quiet {
            &mut self.quiets
        } else {
            &mut self.captures
        };
        // Moves that do not fit get no penalty.
        let _ = moves.try_push(mv);
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// The history of a move: about -68,000 to 68,000 for quiet moves, a quarter of that for
    /// captures.
    #[inline]
    pub(super) fn move_history(
        &self,
        board: &Board,
        threats: Bitboard,
        ply: usize,
        mv: Move,
        quiet: bool,
    ) -> i32 {
        let history = &self.memory.history;
        if !quiet {
            return history.capture(board, mv);
        }
        let index = piece_target(board, mv);
        let [last, earlier, _] = self.rows(ply);
        history.quiet(board, threats, mv)
            + history.continuation(last, index)
            + history.continuation(earlier, index)
    }

    /// Gives the best move a bonus, and the moves tried before it a penalty.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn learn(
        &mut self,
        board: &Board,
        threats: Bitboard,
        ply: usize,
        depth: i32,
        best: Move,
        tried: &Tried,
    ) {
        let bonus = self.shared.parameters.history_bonus(depth);
        if is_quiet(board, best) {
            self.frame_mut(ply).killer = Some(best);
            self.reward_quiet(board, threats, ply, best, bonus);
            for &mv in &tried.quiets {
                self.reward_quiet(board, threats, ply, mv, -bonus);
            }
        } else {
            self.memory.history.update_capture(board, best, bonus);
        }
        for &mv in &tried.captures {
            self.memory.history.update_capture(board, mv, -bonus);
        }
    }

    pub(super) fn reward_quiet(
        &mut self,
        board: &Board,
        threats: Bitboard,
        ply: usize,
        mv: Move,
        bonus: i32,
    ) {
        let index = piece_target(board, mv);
        let side = board.side_to_move();
        self.memory.history.update_quiet(side, threats, mv, bonus);
        self.memory.history.update_pawn(board, index, bonus);
        self.update_continuations(board, ply, mv, bonus);
    }

    pub(super) fn update_continuations(&mut self, board: &Board, ply: usize, mv: Move, bonus: i32) {
        let index = piece_target(board, mv);
        for (back, weight) in DISTANCES {
            let row = self.frame_before(ply, back).row;
            let bonus = bonus * weight / WEIGHT_PARTS;
            self.memory.history.update_continuation(row, index, bonus);
        }
    }

    /// Learns from the static evaluations before and after a quiet move of the opponent, long
    /// before its search returns: a move that worsened the evaluation of its own side is tried
    /// later in future, one that improved it earlier.
    #[inline]
    pub(super) fn learn_evaluation(&mut self, board: &Board, ply: usize, evaluation: i32) {
        let parent = *self.frame_before(ply, 1);
        let Some(made) = parent.made else {
            return;
        };
        if !parent.made_quiet || parent.evaluation == score::NONE {
            return;
        }
        let parameters = &self.shared.parameters;
        let most = parameters.evaluation_lesson_most;
        let gain = -(parent.evaluation + evaluation);
        let bonus = (parameters.evaluation_lesson * gain).clamp(-most, most);
        let side = !board.side_to_move();
        self.memory
            .history
            .update_quiet(side, parent.threats, made, bonus);
    }

    /// No move refuted the opponent's reduced move, so it was better than expected.
    pub(super) fn reward_unanswered(&mut self, ply: usize, depth: i32) {
        let row = self.frame_before(ply, 1).row;
        let bonus = self.shared.parameters.history_bonus(depth) / 2;
        for (back, weight) in DISTANCES {
            let earlier = self.frame_before(ply, 1 + back).row;
            if row < super::history::PIECE_TARGETS {
                let bonus = bonus * weight / WEIGHT_PARTS;
                self.memory.history.update_continuation(earlier, row, bonus);
            }
        }
    }

    /// Updates the correction histories if the value of a quiet node differs from its evaluation.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn learn_correction(
        &mut self,
        board: &Board,
        ply: usize,
        depth: i32,
        best: Option<Move>,
        value: i32,
        evaluation: i32,
        bound: Bound,
    ) {
        let is_tactical = best.is_some_and(|mv| !is_quiet(board, mv));
        let tells_nothing = bound == Bound::Lower && value <= evaluation
            || bound == Bound::Upper && value >= evaluation;
        if evaluation == score::NONE || is_tactical || tells_nothing || score::is_decisive(value) {
            return;
        }
        let last = self.frame_before(ply, 1).row;
        let earlier = self.frame_before(ply, 2).row;
        self.memory
            .correction
            .update(board, last, earlier, depth, value - evaluation);
    }
}
