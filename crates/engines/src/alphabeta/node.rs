//! The alpha-beta node: the one long function of the engine, in headed steps.
//!
//! Each step says why it is sound enough, and what it is worth: the Elo that is lost, with its
//! interval, when it is switched off. `docs/results/search` says how that was measured. The
//! constants are in `parameters`, what the node knows before it tries a move in `knowledge`, the
//! steps that judge single moves in `pruning` and `reduction`, searches within the node in
//! `trials`.

use super::knowledge::{Node, Tables, has_pieces};
use super::learning::Tried;
use super::picker::{Picker, is_quiet};
use super::pruning::{Candidate, Pruning};
use super::quiescence::cuts;
use super::table::{Bound, Known};
use super::worker::Worker;
use crate::score::{self, DRAW, MAX_PLY};
use nets::Evaluator;

/// One ply, in the units in which reductions are counted.
pub(super) const PLY: i32 = 1_024;

/// From this halfmove clock on a table value decides no node: it may come from a line that was
/// further from the fifty-move draw.
const CLOCK_GUARD: u16 = 90;

/// The number of first moves at the root that are never reduced: each of them may be the one to
/// play.
const ROOT_UNREDUCED: usize = 3;

/// From this value of alpha on, in centipawns, there is no razoring: the line is won, and the
/// search is for a mate, which may begin with quiet moves.
const RAZOR_MOST_ALPHA: i32 = 2_000;

/// Lines longer than this many times the iteration's depth get no more extensions, so that these
/// cannot grow the tree without end.
const MOST_EXTENDED: i32 = 2;

impl<E: Evaluator> Worker<'_, E> {
    /// The value of the position at the end of the line, searched to `depth`.
    ///
    /// `PRINCIPAL` nodes have an open window. `expects_cut` says that the
    /// parent expects this node to be refuted.
    pub(super) fn search<const PRINCIPAL: bool>(
        &mut self,
        ply: usize,
        depth: i32,
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

        // Upcoming repetition: a side that can repeat has at least a draw.
        if !is_root && alpha < DRAW && self.can_repeat() {
            alpha = DRAW;
            if alpha >= beta {
                return alpha;
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

        // Transposition table: a value from sufficient depth decides a node with a closed window.
        // The correction is read first, so that both cache misses overlap.
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
            && (expects_cut == (known.value >= beta) || depth > parameters.table_cut_depth)
            && board.halfmove_clock() < CLOCK_GUARD
        {
            // A quiet move that refutes the node once more earns its history bonus once more.
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

        // Tablebases: with few men left the result is known, though not the way to it.
        let mut floor = -score::INFINITE;
        let mut ceiling = score::INFINITE;
        if !is_root && excluded.is_none() {
            match self.ask_tables(&board, ply, depth, alpha, beta, was_principal) {
                Some(Tables::Decide(value)) => return value,
                Some(Tables::Bound(least, most)) => {
                    (floor, ceiling) = (least, most);
                    alpha = alpha.max(floor);
                }
                None => {}
            }
        }

        let (raw, evaluation, estimate) =
            self.evaluate_node(&board, ply, known, correction, was_principal);
        self.frame_mut(ply).evaluation = evaluation;
        self.frame_mut(ply + 1).refutations = 0;
        let mut node = Node {
            board,
            ply,
            depth,
            in_check,
            expects_cut,
            was_principal,
            raw,
            evaluation,
            estimate,
            correction,
            improving: self.is_improving(ply, evaluation),
            known_captures: known_move.is_some_and(|mv| !is_quiet(&board, mv)),
            killer: self.frame(ply).killer,
        };
        let has_pieces = has_pieces(&board);
        let parent = *self.frame_before(ply, 1);

        if !in_check && excluded.is_none() && !is_root {
            self.learn_evaluation(&board, ply, evaluation);
            // Hindsight: a reduced move that improved the evaluation for the side that made it
            // deserves more depth, one that clearly worsened it less.
            // Worth of the second: -3 [-21, +16] Elo at 10,000 nodes.
            if parent.evaluation != score::NONE {
                let sum = evaluation + parent.evaluation;
                if parent.reduction >= parameters.hindsight_deeper && sum < 0 {
                    node.depth += 1;
                } else if parent.reduction >= parameters.hindsight_shallower
                    && node.depth >= 2
                    && sum > parameters.hindsight_margin
                {
                    node.depth -= 1;
                }
            }
        }

        if !PRINCIPAL && !in_check && excluded.is_none() {
            let depth = node.depth;
            // Razoring: this far below alpha only captures can help, so search only these.
            // Worth -22 [-40, -3] Elo at 10,000 nodes.
            if estimate < alpha - parameters.razor_base - parameters.razor_slope * depth * depth
                && alpha < RAZOR_MOST_ALPHA
            {
                return self.quiescence::<false>(ply, alpha, beta, true);
            }

            // Reverse futility: so far above beta that a quiet move of the opponent will not bring
            // the value back below it.
            // Worth +86 [+68, +104] Elo at 10,000 nodes, +51 [+14, +89] at 0.5 s + 5 ms.
            let margin = parameters.reverse_futility_slope * depth
                - parameters.reverse_futility_improving * i32::from(node.improving)
                + correction.abs() * parameters.reverse_futility_correction / PLY;
            if !was_principal
                && depth <= parameters.reverse_futility_depth
                && estimate - margin >= beta
                && !score::is_loss(beta)
                && !score::is_win(estimate)
            {
                return beta + (estimate - beta) / parameters.reverse_futility_softening;
            }

            // Null move: if even passing keeps the value at or above beta, some move will. Not
            // without pieces, where passing may be the best move, and not where neither the parent
            // nor the table expects a cut-off.
            // Worth +17 [-1, +35] Elo at 10,000 nodes, +28 [-11, +68] at 0.5 s + 5 ms.
            if (expects_cut || estimate >= evaluation)
                && depth >= parameters.null_move_depth
                && parent.made.is_some()
                && estimate >= beta
                && evaluation
                    >= beta + parameters.null_move_margin - parameters.null_move_slope * depth
                && has_pieces
                && ply >= self.null_move_from
                && !score::is_loss(beta)
                && let Some(value) = self.try_null_move(&node, beta)
            {
                return value;
            }
        }

        // Internal reduction: a node without a table move is not worth its full depth yet; a
        // shallower search will find a move for the next visit.
        // Worth +6 [-13, +25] Elo at 10,000 nodes.
        if (PRINCIPAL || expects_cut)
            && node.depth >= parameters.internal_reduction_depth
            && known_move.is_none()
        {
            node.depth -= 1;
        }

        // ProbCut: a capture that stays well above beta in a shallow search would stay above beta
        // in a full one.
        // Worth +8 [-9, +25] Elo at 10,000 nodes.
        let raised = beta + parameters.probcut_margin
            - parameters.probcut_improving * i32::from(node.improving);
        if !PRINCIPAL
            && !in_check
            && excluded.is_none()
            && node.depth >= parameters.probcut_depth
            && !score::is_decisive(beta)
            && known.is_none_or(|known| {
                known.value == score::NONE
                    || known.value >= raised
                    || known.depth <= node.depth - parameters.probcut_reduction
            })
            && let Some(value) = self.try_probcut(&node, raised, known_move)
        {
            return value;
        }

        let threats = board.attacked_by(!us, board.occupied());
        self.frame_mut(ply).threats = threats;
        let mut picker = Picker::new(&board, known_move, node.killer);
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
            let candidate = Candidate {
                mv,
                count,
                quiet,
                gives_check: checks.gives_check(&board, mv),
                history: self.move_history(&board, threats, ply, mv, quiet),
            };
            let reduction = self.base_reduction(&node, count, beta - alpha);

            // Shallow pruning: late moves that look bad are skipped, provided that a move that does
            // not lose has been found.
            if !is_root && has_pieces && !score::is_loss(best_value) {
                match self.prune_move(&node, &mut picker, candidate, reduction, alpha) {
                    Pruning::Search => {}
                    Pruning::LeaveOut => continue,
                    Pruning::Futile(hoped) => {
                        best_value = best_value.max(hoped);
                        continue;
                    }
                }
            }

            self.shared.table.prefetch(board.probable_key_after(mv));
            // Singular extension: a move that is much better than all others is searched deeper.
            // Worth +3 [-15, +22] Elo at 10,000 nodes.
            let mut extension = 0;
            if !is_root
                && node.depth >= parameters.singular_depth + i32::from(was_principal)
                && Some(mv) == known_move
                && excluded.is_none()
                && (ply as i32) < MOST_EXTENDED * self.root_depth
                && let Some(known) = known
                && known.value != score::NONE
                && !score::is_decisive(known.value)
                && known.bound.is_lower()
                && known.depth >= node.depth - parameters.singular_table_depth
            {
                match self.test_singular::<PRINCIPAL>(&node, beta, quiet, &known) {
                    Ok(plies) => extension = plies,
                    // Multicut: other moves refute the node too.
                    Err(value) => return value,
                }
                if self.stopped {
                    return DRAW;
                }
            }
            // Check extension: after a check that loses no material the answer is forced, so look
            // one ply further. Limited, because a series of checks must not grow the tree without
            // end.
            if extension == 0
                && candidate.gives_check
                && node.depth >= parameters.check_extension_depth
                && (ply as i32) < MOST_EXTENDED * self.root_depth
                && board.exchange_at_least(mv, 0)
            {
                extension = 1;
            }
            let new_depth = node.depth - 1 + extension;
            let nodes_before = self.nodes;
            self.make(&board, mv, ply);

            // Late-move reductions: in a good ordering late moves rarely raise alpha, so they are
            // searched shallower first, and deeper only if they do.
            // Worth +223 [+201, +248] Elo at 10,000 nodes, +258 [+209, +316] at 0.5 s + 5 ms.
            let mut value = DRAW;
            let mut needs_full = !PRINCIPAL || count > 1;
            if node.depth >= parameters.reduction_depth
                && count > if is_root { ROOT_UNREDUCED } else { 1 }
            {
                let reduction = self.full_reduction::<PRINCIPAL>(&node, candidate, reduction);
                let reduced = (new_depth - reduction / PLY).clamp(1, new_depth.max(1));
                self.frame_mut(ply).reduction = new_depth - reduced;
                value = -self.search::<false>(ply + 1, reduced, -alpha - 1, -alpha, true);
                self.frame_mut(ply).reduction = 0;
                needs_full = false;
                if value > alpha && reduced < new_depth {
                    // By how much it beat the best value decides how deep the full search goes.
                    let deeper = value
                        > best_value
                            + parameters.deeper_margin
                            + parameters.deeper_slope * new_depth;
                    let shallower = value < best_value + parameters.shallower_margin;
                    let again = new_depth + i32::from(deeper) - i32::from(shallower);
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
            // Full depth with a closed window: does the move raise alpha?
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
                    // After a better move the others need less depth to be refuted.
                    if !score::is_decisive(value) {
                        node.depth = parameters.depth_after_raise(node.depth);
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
        let depth = node.depth;
        if best_value >= beta && !score::is_decisive(best_value) && !score::is_decisive(alpha) {
            // A fail-high far above beta is moved towards it: by how much it exceeds beta is a
            // guess.
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
}
