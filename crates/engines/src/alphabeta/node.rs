//! The alpha-beta node: the one long function of the engine, in headed steps.
//!
//! Each step says why it may be done, and what it is worth: the Elo that is lost, with
//! its interval, if it is switched off. `docs/results.md` says how that was measured. The
//! constants are in `parameters`.

use super::learning::Tried;
use super::picker::{Picker, Stage, is_quiet};
use super::quiescence::{cuts, sharpen};
use super::table::{Bound, Known};
use super::worker::Worker;
use crate::score::{self, DRAW, MAX_PLY};
use crate::tablebase::Verdict;
use chess::{Board, EXCHANGE_VALUES, PieceKind};
use nets::Evaluator;

/// Reductions are counted in this part of a ply.
pub(super) const PLY: i32 = 1_024;

/// From this halfmove clock on, a known value may come from a line that has
/// more moves left, so it decides nothing.
const CLOCK_GUARD: u16 = 90;

impl<E: Evaluator> Worker<'_, E> {
    /// The value of the position at the end of the line, searched to `depth`.
    ///
    /// `PRINCIPAL` nodes have an open window. `expects_cut` says that the
    /// parent expects this node to be refuted.
    pub(super) fn search<const PRINCIPAL: bool>(
        &mut self,
        ply: usize,
        mut depth: i32,
        mut alpha: i32,
        mut beta: i32,
        expects_cut: bool,
    ) -> i32 {
        // Quiescence: at the horizon only captures are followed.
        if depth <= 0 {
            return self.quiescence::<PRINCIPAL>(ply, alpha, beta, true);
        }
        let parameters = &self.shared.parameters;
        let is_root = ply == 0;
        let board = *self.line.board();
        let us = board.side_to_move();
        let in_check = board.in_check();
        if PRINCIPAL {
            self.variations[ply].clear();
        }

        if !is_root {
            // Upcoming repetition: who can repeat has at least a draw.
            if alpha < DRAW && self.can_repeat() {
                alpha = DRAW;
                if alpha >= beta {
                    return alpha;
                }
            }
        }
        if !self.enter_node(ply) {
            return DRAW;
        }
        if !is_root {
            // Draws by rule end the line.
            if self.is_draw(&board) {
                return DRAW;
            }
            if ply >= MAX_PLY {
                return if in_check {
                    DRAW
                } else {
                    self.raw_evaluation(&board)
                };
            }
            // Mate distance: no line can beat a mate that is already nearer.
            alpha = alpha.max(score::mated_in(ply));
            beta = beta.min(score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // What the table knows: a deep enough value decides a closed window.
        // The correction is asked for first, so that memory answers both at once.
        let excluded = self.frame(ply).excluded;
        let correction = self.correction(&board, ply);
        let known = self.shared.table.probe(board.key(), ply);
        let known_move = if is_root {
            Some(self.root_moves[self.first_root_move].line[0])
        } else {
            known.and_then(|known| known.best)
        };
        let was_principal = PRINCIPAL || known.is_some_and(|known| known.was_principal);
        if !PRINCIPAL
            && excluded.is_none()
            && let Some(known) = known
            && known.depth > depth - i32::from(known.value <= beta)
            && cuts(&known, beta)
            && (expects_cut == (known.value >= beta) || depth > 5)
            && board.halfmove_clock() < CLOCK_GUARD
        {
            // A quiet move that cuts again has earned its place once more.
            if known.value >= beta
                && let Some(mv) = known.best
                && board.is_legal(mv)
                && is_quiet(&board, mv)
            {
                let threats = board.attacked_by(!us, board.occupied());
                let bonus = parameters.history_bonus(depth);
                self.reward_quiet(&board, threats, ply, mv, bonus);
            }
            return known.value;
        }

        // Tablebases: with few men left the result is known, though not the way.
        let mut ceiling = score::INFINITE;
        let mut floor = -score::INFINITE;
        if !is_root
            && excluded.is_none()
            && let Some(verdict) = self.shared.look_up(&board)
        {
            let value = verdict.value(ply);
            let bound = match verdict {
                Verdict::Loss => Bound::Upper,
                Verdict::Draw => Bound::Exact,
                Verdict::Win => Bound::Lower,
            };
            if bound == Bound::Exact
                || bound == Bound::Lower && value >= beta
                || bound == Bound::Upper && value <= alpha
            {
                let entry = Known {
                    best: None,
                    value,
                    evaluation: score::NONE,
                    depth: (depth + 6).min(MAX_PLY as i32 - 1),
                    bound,
                    was_principal,
                };
                self.shared.table.store(board.key(), ply, entry);
                return value;
            }
            if bound == Bound::Lower {
                floor = value;
                alpha = alpha.max(value);
            } else {
                ceiling = value;
            }
        }

        // The evaluation: raw from the table or the evaluator, corrected by what
        // searches found in like positions, sharpened by the known value.
        let raw;
        let evaluation;
        let estimate;
        if in_check {
            raw = score::NONE;
            evaluation = score::NONE;
            estimate = score::NONE;
        } else if excluded.is_some() {
            raw = score::NONE;
            evaluation = self.frame(ply).evaluation;
            estimate = evaluation;
        } else {
            raw = match known {
                Some(known) if known.evaluation != score::NONE => known.evaluation,
                _ => self.raw_evaluation(&board),
            };
            evaluation = (raw + correction).clamp(1 - score::WIN_BOUND, score::WIN_BOUND - 1);
            estimate = known.map_or(evaluation, |known| sharpen(&known, evaluation));
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
        }
        self.frame_mut(ply).evaluation = evaluation;
        self.frame_mut(ply + 1).refutations = 0;
        let improving = self.is_improving(ply, evaluation);
        let has_pieces = has_pieces(&board);

        // Hindsight: a reduced line that turned out worse for the opponent than
        // it looked deserves more depth, one that turned out quiet less.
        // Worth of the second: -3 [-21, +16] Elo at 10,000 nodes.
        let parent = *self.frame_before(ply, 1);
        if !in_check && excluded.is_none() && !is_root && parent.evaluation != score::NONE {
            if parent.reduction >= 3 && evaluation + parent.evaluation < 0 {
                depth += 1;
            } else if parent.reduction >= 2
                && depth >= 2
                && evaluation + parent.evaluation > parameters.hindsight_margin
            {
                depth -= 1;
            }
        }

        if !PRINCIPAL && !in_check && excluded.is_none() {
            // Razoring: so far below alpha only captures can help; ask them.
            // Worth -22 [-40, -3] Elo at 10,000 nodes.
            if estimate < alpha - parameters.razor_base - parameters.razor_slope * depth * depth
                && alpha < 2_000
            {
                return self.quiescence::<false>(ply, alpha, beta, true);
            }

            // Reverse futility: so far above beta that a quiet move of the
            // opponent will not bring it back.
            // Worth +86 [+68, +104] Elo at 10,000 nodes, +51 [+14, +89] at 0.5 s + 5 ms.
            let margin = parameters.reverse_futility_slope * depth
                - parameters.reverse_futility_improving * i32::from(improving)
                + correction.abs() / 2;
            if !was_principal
                && depth <= parameters.reverse_futility_depth
                && estimate - margin >= beta
                && !score::is_loss(beta)
                && !score::is_win(estimate)
            {
                return beta + (estimate - beta) / 3;
            }

            // Null move: if even passing keeps the value above beta, a move
            // will. Not without pieces, where passing may be the best move.
            // Worth +17 [-1, +35] Elo at 10,000 nodes, +28 [-11, +68] at 0.5 s + 5 ms.
            if expects_cut
                && depth >= parameters.null_move_depth
                && parent.made.is_some()
                && estimate >= beta
                && evaluation
                    >= beta + parameters.null_move_margin - parameters.null_move_slope * depth
                && has_pieces
                && ply >= self.null_move_from
                && !score::is_loss(beta)
                && let Some(value) = self.try_null_move(ply, depth, beta, estimate)
            {
                return value;
            }
        }

        // Internal reduction: without a known move the node is not worth its
        // depth yet; a shallower visit will find one for the next.
        // Worth +6 [-13, +25] Elo at 10,000 nodes.
        if (PRINCIPAL || expects_cut)
            && depth >= parameters.internal_reduction_depth
            && known_move.is_none()
        {
            depth -= 1;
        }

        // ProbCut: a capture that keeps well above beta in a shallow search
        // would do so in a full one.
        // Worth +8 [-9, +25] Elo at 10,000 nodes.
        let raised =
            beta + parameters.probcut_margin - parameters.probcut_improving * i32::from(improving);
        if !PRINCIPAL
            && !in_check
            && excluded.is_none()
            && depth >= parameters.probcut_depth
            && !score::is_decisive(beta)
            && known.is_none_or(|known| {
                known.value == score::NONE || known.value >= raised || known.depth < depth - 3
            })
            && let Some(value) = self.try_probcut(&board, ply, depth, raised, known_move, raw)
        {
            return value;
        }

        let threats = board.attacked_by(!us, board.occupied());
        let killer = self.frame(ply).killer;
        let mut picker = Picker::new(&board, known_move, killer);
        let known_captures = known_move.is_some_and(|mv| !is_quiet(&board, mv));
        let mut best_value = floor;
        let mut best = None;
        let mut count = 0;
        let checks = board.check_map();
        let mut tried = Tried::default();
        let alpha_before = alpha;

        while let Some(mv) = picker.next(self.context(&board, &checks, threats, ply)) {
            if Some(mv) == excluded || is_root && !self.is_root_move(mv) {
                continue;
            }
            count += 1;
            let quiet = is_quiet(&board, mv);
            let gives_check = checks.gives_check(&board, mv);
            let move_history = self.move_history(&board, threats, ply, mv, quiet);
            let mut reduction =
                parameters.late_move_reduction(depth, count, beta - alpha, self.root_delta);
            if was_principal {
                reduction -= parameters.reduction_principal / 2;
            }

            // Shallow pruning: late moves that look bad are left out, as long
            // as a move that does not lose is in hand.
            if !is_root && has_pieces && !score::is_loss(best_value) {
                // Late moves: enough quiet moves were tried for this depth.
                // Worth -16 [-35, +3] Elo at 10,000 nodes, +24 [-15, +65] at 0.5 s + 5 ms.
                if count >= parameters.late_move_count(depth, improving) {
                    picker.skip_quiets();
                }
                let reduced_depth = (depth - 1 - reduction / PLY).max(0);
                if quiet {
                    if picker.stage() == Stage::BadCaptures && !gives_check {
                        // Quiet moves are being skipped.
                        continue;
                    }
                    // History: moves that failed again and again.
                    // Worth -8 [-27, +11] Elo at 10,000 nodes.
                    if reduced_depth < 6 && move_history < -parameters.history_pruning * depth {
                        picker.skip_quiets();
                        continue;
                    }
                    let plies = move_history * parameters.futility_history / (PLY * PLY);
                    let reduced_depth = (reduced_depth + plies).max(0);
                    // Futility: the evaluation is too low for a quiet move.
                    // Worth +25 [+6, +44] Elo at 10,000 nodes, -28 [-66, +9] at 0.5 s + 5 ms.
                    if !in_check
                        && !gives_check
                        && reduced_depth < 11
                        && evaluation
                            + parameters.futility_base
                            + parameters.futility_slope * reduced_depth
                            <= alpha
                    {
                        best_value = best_value.max(
                            (evaluation
                                + parameters.futility_base
                                + parameters.futility_slope * reduced_depth)
                                .min(alpha),
                        );
                        continue;
                    }
                    // Exchange: the piece would be lost on its target.
                    // Worth +21 [+3, +39] Elo at 10,000 nodes, -10 [-44, +23] at 0.5 s + 5 ms.
                    let least = -parameters.quiet_exchange_slope * reduced_depth * reduced_depth;
                    if !gives_check && !board.exchange_at_least(mv, least) {
                        continue;
                    }
                } else {
                    // Futility of captures: even the victim is not enough.
                    // Worth +12 [-6, +30] Elo at 10,000 nodes.
                    if !in_check && !gives_check && reduced_depth < 7 {
                        let victim = board
                            .captured_kind(mv)
                            .map_or(0, |kind| EXCHANGE_VALUES[kind.index()]);
                        let value = evaluation
                            + parameters.capture_futility_base
                            + parameters.capture_futility_slope * reduced_depth
                            + victim
                            + move_history * parameters.capture_futility_history / PLY;
                        if value <= alpha {
                            continue;
                        }
                    }
                    // Exchange: captures that lose more than the depth allows.
                    // Worth +9 [-9, +26] Elo at 10,000 nodes.
                    let least = -parameters.capture_exchange_slope * depth
                        - move_history * parameters.capture_exchange_history / PLY;
                    if !gives_check && !board.exchange_at_least(mv, least.min(0)) {
                        continue;
                    }
                }
            }

            self.shared.table.prefetch(board.probable_key_after(mv));
            // Extensions: a move that alone holds the node is searched deeper.
            // Worth +3 [-15, +22] Elo at 10,000 nodes.
            let mut extension = 0;
            if !is_root
                && depth >= parameters.singular_depth + i32::from(was_principal)
                && Some(mv) == known_move
                && excluded.is_none()
                && (ply as i32) < 2 * self.root_depth
                && let Some(known) = known
                && known.value != score::NONE
                && !score::is_decisive(known.value)
                && known.bound.is_lower()
                && known.depth >= depth - 3
            {
                match self.test_singular::<PRINCIPAL>(
                    ply,
                    depth,
                    beta,
                    expects_cut,
                    was_principal,
                    quiet,
                    &known,
                ) {
                    Ok(plies) => extension = plies,
                    // Multicut: other moves refute the node as well.
                    Err(value) => return value,
                }
                if self.stopped {
                    return DRAW;
                }
            }
            // Checks that lose nothing: the answer is forced, look one ply further.
            // Not without end: a series of checks must not grow the tree for ever.
            if extension == 0
                && gives_check
                && depth >= parameters.check_extension_depth
                && (ply as i32) < 2 * self.root_depth
                && board.exchange_at_least(mv, 0)
            {
                extension = 1;
            }
            let new_depth = depth - 1 + extension;
            let nodes_before = self.nodes;
            self.make(&board, mv, ply);

            // Late-move reductions: well ordered moves rarely fail late, so they
            // are searched shallower first and deeper only if they surprise.
            // Worth +223 [+201, +248] Elo at 10,000 nodes, +258 [+209, +316] at 0.5 s + 5 ms.
            let mut value = DRAW;
            let mut needs_full = !PRINCIPAL || count > 1;
            if depth >= parameters.reduction_depth && count > 1 + 2 * usize::from(is_root) {
                if is_root {
                    reduction -= parameters.reduction_root;
                }
                if was_principal {
                    reduction -= parameters.reduction_principal / 2
                        + parameters.reduction_open * i32::from(PRINCIPAL);
                }
                if expects_cut {
                    reduction += parameters.reduction_cut;
                }
                if known_captures {
                    reduction += parameters.reduction_capture;
                }
                if !improving {
                    reduction += parameters.reduction_worsening;
                }
                if self.frame(ply + 1).refutations > 2 {
                    reduction += parameters.reduction_refuted;
                }
                if Some(mv) == killer {
                    reduction -= parameters.reduction_killer;
                }
                if gives_check {
                    reduction -= parameters.reduction_check;
                }
                reduction -= correction.abs() * parameters.reduction_correction;
                reduction -= move_history * parameters.reduction_history / PLY;
                let reduced = (new_depth - reduction / PLY).clamp(1, new_depth.max(1));
                self.frame_mut(ply).reduction = new_depth - reduced;
                value = -self.search::<false>(ply + 1, reduced, -alpha - 1, -alpha, true);
                self.frame_mut(ply).reduction = 0;
                needs_full = false;
                if value > alpha && reduced < new_depth {
                    // How well it did tells how deep the full search should go.
                    let deeper =
                        i32::from(value > best_value + parameters.deeper_margin + 2 * new_depth);
                    let shallower = i32::from(value < best_value + parameters.shallower_margin);
                    let again = new_depth + deeper - shallower;
                    if again > reduced {
                        value =
                            -self.search::<false>(ply + 1, again, -alpha - 1, -alpha, !expects_cut);
                    }
                    if quiet {
                        let bonus = match value {
                            low if low <= alpha => -parameters.history_bonus(new_depth),
                            high if high >= beta => parameters.history_bonus(new_depth),
                            _ => 0,
                        };
                        self.update_continuations(&board, ply, mv, bonus);
                    }
                }
            }
            // Full depth with a closed window: is it better than the best?
            if needs_full {
                value = -self.search::<false>(ply + 1, new_depth, -alpha - 1, -alpha, !expects_cut);
            }
            // The principal variation is searched with an open window.
            if PRINCIPAL && (count == 1 || value > alpha) {
                value = -self.search::<true>(ply + 1, new_depth, -beta, -alpha, false);
            }
            self.take_back();
            if self.stopped {
                return DRAW;
            }
            if is_root {
                self.note_root_move(mv, value, alpha, count, nodes_before);
            }

            if value > best_value {
                best_value = value;
                if value > alpha {
                    best = Some(mv);
                    if PRINCIPAL && !is_root {
                        self.extend_variation(ply, mv);
                    }
                    if value >= beta {
                        self.frame_mut(ply).refutations += 1;
                        break;
                    }
                    // After a better move the others need less depth to be
                    // proved worse.
                    if depth > 2 && depth < 14 && !score::is_decisive(value) {
                        depth -= 1 + i32::from(depth > 5);
                        depth = depth.max(2);
                    }
                    alpha = value;
                }
            }
            if Some(mv) != best {
                tried.note(mv, quiet);
            }
        }

        // Mate or stalemate: there was no move at all.
        if count == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                score::mated_in(ply)
            } else {
                DRAW
            };
        }
        if best_value >= beta && !score::is_decisive(best_value) && !score::is_decisive(alpha) {
            // A fail-high far above beta is softened: its size is a guess.
            best_value = (best_value * depth + beta) / (depth + 1);
        }
        best_value = best_value.min(ceiling);
        if let Some(mv) = best {
            self.learn(&board, threats, ply, depth, mv, &tried);
        } else if !is_root && parent.made.is_some() && parent.reduction > 0 {
            self.reward_unanswered(ply, depth);
        }
        if excluded.is_none() {
            let bound = if best_value >= beta {
                Bound::Lower
            } else if PRINCIPAL && alpha > alpha_before {
                Bound::Exact
            } else {
                Bound::Upper
            };
            if !(is_root && self.first_root_move > 0) {
                let entry = Known {
                    best,
                    value: best_value,
                    evaluation: raw,
                    depth,
                    bound,
                    was_principal,
                };
                self.shared.table.store(board.key(), ply, entry);
            }
            self.learn_correction(&board, ply, depth, best, best_value, evaluation, bound);
        }
        best_value
    }

    /// Whether the side stands better than at its last turn.
    fn is_improving(&self, ply: usize, evaluation: i32) -> bool {
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

/// Whether the side to move has more than pawns: without, zugzwang is near.
fn has_pieces(board: &Board) -> bool {
    let us = board.side_to_move();
    let plain = board.kind(PieceKind::Pawn) | board.kind(PieceKind::King);
    board.color(us).without(plain).any()
}
