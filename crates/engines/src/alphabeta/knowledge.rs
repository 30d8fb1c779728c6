//! What a node knows before it tries any move: the tablebase result, the evaluation, and what
//! follows from them.

use super::quiescence::sharpen;
use super::table::{Bound, Known};
use super::worker::Worker;
use crate::score::{self, MAX_PLY};
use crate::tablebase::Verdict;
use chess::{Board, Move, PieceKind};
use nets::Evaluator;

/// Tablebase results are stored as if searched this much deeper: no search knows better.
const TABLEBASE_DEPTH: i32 = 6;

/// What a node knows before it tries any move.
pub(super) struct Node {
    pub(super) board: Board,
    pub(super) ply: usize,
    /// The remaining depth, after the node's own extensions and reductions.
    pub(super) depth: i32,
    pub(super) in_check: bool,
    /// Whether the parent expects this node to be refuted.
    pub(super) expects_cut: bool,
    /// Whether the position is, or ever was, on a principal variation.
    pub(super) was_principal: bool,
    /// The uncorrected evaluation, as the table stores it, or [`score::NONE`].
    pub(super) raw: i32,
    /// The evaluation with the correction histories applied, or [`score::NONE`] in check.
    pub(super) evaluation: i32,
    /// The evaluation, or the table's value where its bound is more informative.
    pub(super) estimate: i32,
    pub(super) correction: i32,
    /// Whether the side to move stands better than at its last turn.
    pub(super) improving: bool,
    /// Whether the table's move is a capture or a promotion.
    pub(super) known_captures: bool,
    pub(super) killer: Option<Move>,
}

/// What tablebases say about a node.
pub(super) enum Tables {
    /// A value that decides the node.
    Decide(i32),
    /// A lower and an upper bound.
    Bound(i32, i32),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Probes the tablebases; a result that decides the node is stored in the transposition table.
    #[inline]
    pub(super) fn ask_tables(
        &self,
        board: &Board,
        ply: usize,
        depth: i32,
        alpha: i32,
        beta: i32,
        was_principal: bool,
    ) -> Option<Tables> {
        let verdict = self.shared.look_up(board)?;
        let value = verdict.value(ply);
        let (bound, decides) = match verdict {
            Verdict::Loss => (Bound::Upper, value <= alpha),
            Verdict::Draw => (Bound::Exact, true),
            Verdict::Win => (Bound::Lower, value >= beta),
        };
        if decides {
            let entry = Known {
                best: None,
                value,
                evaluation: score::NONE,
                depth: (depth + TABLEBASE_DEPTH).min(MAX_PLY as i32 - 1),
                bound,
                was_principal,
            };
            self.shared.table.store(board.key(), ply, entry);
            return Some(Tables::Decide(value));
        }
        Some(match bound {
            Bound::Lower => Tables::Bound(value, score::INFINITE),
            _ => Tables::Bound(-score::INFINITE, value),
        })
    }

    /// The raw evaluation from the table or the evaluator, the evaluation with the correction
    /// histories applied, and the estimate, which prefers the table's value where its bound is more
    /// informative.
    #[inline(always)]
    pub(super) fn evaluate_node(
        &mut self,
        board: &Board,
        ply: usize,
        known: Option<Known>,
        correction: i32,
        was_principal: bool,
    ) -> (i32, i32, i32) {
        if board.in_check() {
            return (score::NONE, score::NONE, score::NONE);
        }
        if self.frame(ply).excluded.is_some() {
            let evaluation = self.frame(ply).evaluation;
            return (score::NONE, evaluation, evaluation);
        }
        let raw = match known {
            Some(known) if known.evaluation != score::NONE => known.evaluation,
            _ => self.raw_evaluation(board),
        };
        let evaluation = (raw + correction).clamp(1 - score::WIN_BOUND, score::WIN_BOUND - 1);
        let estimate = known.map_or(evaluation, |known| sharpen(&known, evaluation));
        if known.is_none() {
            let entry = Known {
                best: None,
                value: score::NONE,
                evaluation: raw,
                depth: -1,
                bound: Bound::None,
                was_principal,
            };
            self.shared.table.store(board.key(), ply, entry);
        }
        (raw, evaluation, estimate)
    }

    /// Whether the side to move stands better than at its last turn.
    pub(super) fn is_improving(&self, ply: usize, evaluation: i32) -> bool {
        if evaluation == score::NONE {
            return false;
        }
        [2, 4]
            .into_iter()
            .map(|back| self.frame_before(ply, back).evaluation)
            .find(|&earlier| earlier != score::NONE)
            .is_none_or(|earlier| evaluation > earlier)
    }
}

/// Whether the side to move has more than pawns; without pieces zugzwang is likely.
pub(super) fn has_pieces(board: &Board) -> bool {
    let us = board.side_to_move();
    let plain = board.kind(PieceKind::Pawn) | board.kind(PieceKind::King);
    board.color(us).without(plain).any()
}
