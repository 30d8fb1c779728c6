//! Quiescence: follows captures until the position is quiet, so that the evaluation never judges a
//! position in the middle of an exchange.

use super::picker::{Picker, Stage};
use super::table::{Bound, Known};
use super::worker::Worker;
use crate::score::{self, DRAW, MAX_PLY};
use chess::{Bitboard, Board, CheckMap, EXCHANGE_VALUES, Move};
use nets::Evaluator;

/// The depth under which quiescence is stored.
const STORED_DEPTH: i32 = 0;

/// After this many moves the rest is skipped, unless it wins material.
const MOST_MOVES: usize = 3;

impl<E: Evaluator> Worker<'_, E> {
    /// `with_checks` includes quiet checks: at the horizon of the search, but not beyond, or series
    /// of checks would never end.
    pub(super) fn quiescence<const PRINCIPAL: bool>(
        &mut self,
        ply: usize,
        mut alpha: i32,
        beta: i32,
        with_checks: bool,
    ) -> i32 {
        if PRINCIPAL {
            self.variations[ply].clear();
        }
        // A side that can force a repetition has at least a draw.
        if alpha < DRAW && self.can_repeat() {
            alpha = DRAW;
            if alpha >= beta {
                return alpha;
            }
        }
        if !self.enter_node(ply) {
            return DRAW;
        }
        let board = *self.line.board();
        if self.is_draw(&board) {
            return DRAW;
        }
        let in_check = board.in_check();
        if ply >= MAX_PLY {
            return if in_check {
                DRAW
            } else {
                self.raw_evaluation(&board)
            };
        }

        // Read before the table, so that both cache misses overlap.
        let correction = self.correction(&board, ply);
        let known = self.shared.table.probe(board.key(), ply);
        if !PRINCIPAL
            && let Some(known) = known
            && cuts(&known, beta)
        {
            return known.value;
        }
        let was_principal = PRINCIPAL || known.is_some_and(|known| known.was_principal);

        // Stand pat: no side has to capture.
        let mut best_value;
        let futility_base;
        let raw;
        if in_check {
            raw = score::NONE;
            best_value = score::mated_in(ply);
            futility_base = -score::INFINITE;
        } else {
            raw = match known {
                Some(known) if known.evaluation != score::NONE => known.evaluation,
                _ => self.raw_evaluation(&board),
            };
            let evaluation = (raw + correction).clamp(1 - score::WIN_BOUND, score::WIN_BOUND - 1);
            best_value = known.map_or(evaluation, |known| sharpen(&known, evaluation));
            if best_value >= beta {
                if !score::is_decisive(best_value) {
                    best_value = (best_value + beta) / 2;
                }
                if known.is_none() {
                    let entry = entry(None, best_value, raw, Bound::Lower, was_principal);
                    self.shared.table.store(board.key(), ply, entry);
                }
                return best_value;
            }
            alpha = alpha.max(best_value);
            futility_base = evaluation + self.shared.parameters.quiescence_futility;
        }

        let known_move = known.and_then(|known| known.best);
        let mut picker = if in_check {
            Picker::new(&board, known_move, None)
        } else {
            match with_checks {
                true => Picker::captures_and_checks(&board, known_move),
                false => Picker::captures(&board, known_move, 0),
            }
        };
        let threats = if in_check {
            board.attacked_by(!board.side_to_move(), board.occupied())
        } else {
            Bitboard::EMPTY
        };
        let checks = board.check_map();
        let mut best = None;
        let mut count = 0;
        while let Some(mv) = picker.next(self.context(&board, &checks, threats, ply)) {
            count += 1;
            self.shared.table.prefetch(board.probable_key_after(mv));
            if !score::is_loss(best_value) {
                if picker.stage() >= Stage::BadCaptures {
                    break;
                }
                if !in_check
                    && self.is_futile(&board, &checks, mv, ply, count, futility_base, alpha)
                {
                    best_value = best_value.max(futility_base.min(alpha));
                    continue;
                }
                // One evasion that does not lose at once is enough.
                if in_check && count > 1 && picker.stage() >= Stage::Killer {
                    picker.skip_quiets();
                    if super::picker::is_quiet(&board, mv) {
                        continue;
                    }
                }
            }
            self.make(&board, mv, ply);
            let value = -self.quiescence::<PRINCIPAL>(ply + 1, -beta, -alpha, false);
            self.take_back();
            if self.stopped {
                return DRAW;
            }
            if value > best_value {
                best_value = value;
                if value > alpha {
                    best = Some(mv);
                    if PRINCIPAL {
                        self.extend_variation(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        if best_value >= beta && !score::is_decisive(best_value) {
            best_value = (best_value + beta) / 2;
        }
        let bound = if best_value >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let entry = entry(best, best_value, raw, bound, was_principal);
        self.shared.table.store(board.key(), ply, entry);
        best_value
    }

    /// Whether a capture cannot bring the side to move back to alpha. Worth -10 [-28, +8] Elo at
    /// 10,000 nodes.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn is_futile(
        &self,
        board: &Board,
        checks: &CheckMap,
        mv: Move,
        ply: usize,
        count: usize,
        futility_base: i32,
        alpha: i32,
    ) -> bool {
        let recaptures = self
            .frame_before(ply, 1)
            .made
            .is_some_and(|last| last.to() == mv.to());
        let victim = board
            .captured_kind(mv)
            .map_or(0, |kind| EXCHANGE_VALUES[kind.index()]);
        let hopeless = count > MOST_MOVES && !recaptures
            || futility_base + victim <= alpha
            || futility_base <= alpha && !board.exchange_at_least(mv, 1);
        hopeless && mv.promotes_to().is_none() && !checks.gives_check(board, mv)
    }
}

fn entry(best: Option<Move>, value: i32, raw: i32, bound: Bound, was_principal: bool) -> Known {
    Known {
        best,
        value,
        evaluation: raw,
        depth: STORED_DEPTH,
        bound,
        was_principal,
    }
}

/// Whether a table value decides a node with a closed window.
#[inline(always)]
pub(super) fn cuts(known: &Known, beta: i32) -> bool {
    known.value != score::NONE
        && if known.value >= beta {
            known.bound.is_lower()
        } else {
            known.bound.is_upper()
        }
}

/// The evaluation, or the table's value if its bound is more informative.
#[inline(always)]
pub(super) fn sharpen(known: &Known, evaluation: i32) -> i32 {
    if known.value != score::NONE && !score::is_decisive(known.value) && {
        if known.value > evaluation {
            known.bound.is_lower()
        } else {
            known.bound.is_upper()
        }
    } {
        known.value
    } else {
        evaluation
    }
}
