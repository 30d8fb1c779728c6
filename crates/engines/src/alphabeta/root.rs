//! The root: iterative deepening, aspiration windows, MultiPV, and reports.

use super::stability::Stability;
use super::worker::Worker;
use crate::player::ScoreBound;
use crate::score::{self, INFINITE, MAX_PLY, Score};
use crate::tablebase::Rank;
use crate::time::Urgency;
use crate::{Limits, Report};
use chess::Move;
use nets::Evaluator;
use std::cmp::Reverse;
use std::time::Duration;

/// Fail-highs and fail-lows are reported only in searches that have run this long.
const BOUND_REPORT_AFTER: Duration = Duration::from_secs(3);

/// With one legal move a timed search uses only this share of its time.
const FORCED_MOVE_SHARE: f64 = 0.1;

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    /// The value in this iteration; minus infinity while it is only known to be no better than
    /// another move.
    pub(super) value: i32,
    /// The value in the previous iteration.
    earlier: i32,
    /// The move and its principal variation; never empty.
    pub(super) line: Vec<Move>,
    nodes: u64,
    selective_depth: usize,
    /// Its rank by the tablebases, if they know it.
    rank: Option<Rank>,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> RootMove {
        RootMove {
            value: -INFINITE,
            earlier: -INFINITE,
            line: vec![mv],
            nodes: 0,
            selective_depth: 0,
            rank: None,
        }
    }

    pub(super) fn ranked(mv: Move, rank: Rank) -> RootMove {
        RootMove {
            rank: Some(rank),
            ..RootMove::new(mv)
        }
    }

    /// The value to report for this move: tablebases override any search that has not found a mate.
    fn told_value(&self, value: i32) -> i32 {
        match self.rank {
            Some(rank) if value.abs() < score::MATE_BOUND => rank.verdict.value(0),
            _ => value,
        }
    }
}

/// What the main thread needs to report and to stop; helpers have none.
pub(super) struct Steering<'a> {
    pub(super) limits: &'a Limits,
    pub(super) lines: usize,
    pub(super) stability: Option<Stability>,
    pub(super) report: &'a mut dyn FnMut(&Report),
}

/// The result of a thread.
#[derive(Clone, Debug)]
pub(super) struct Findings {
    pub(super) value: i32,
    pub(super) depth: i32,
    pub(super) line: Vec<Move>,
    pub(super) nodes: u64,
}

impl<E: Evaluator> Worker<'_, E> {
    /// Deepens until a limit is reached. Helpers deepen until they are stopped.
    pub(super) fn deepen(mut self, mut steering: Option<Steering<'_>>) -> Findings {
        self.choose_among_equals(0);
        if let Some(steering) = &mut steering
            && let Some(findings) = self.find_proved_mate(steering)
        {
            return findings;
        }
        let deepest = steering
            .as_ref()
            .and_then(|steering| steering.limits.depth)
            .map_or(MAX_PLY as i32 - 1, |depth| {
                depth.min(MAX_PLY as u32 - 1) as i32
            });
        let mut urgency = Urgency::default();
        let mut completed = 0;
        let mut last_best = None;
        let mut early_end = None;
        for depth in 1..=deepest {
            self.root_depth = depth;
            for root_move in &mut self.root_moves {
                root_move.earlier = root_move.value;
            }
            let lines = steering.as_ref().map_or(1, |steering| steering.lines);
            for index in 0..lines.min(self.root_moves.len()) {
                self.choose_among_equals(index);
                self.aspire(depth, steering.as_mut());
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            completed = depth;
            let best = &self.root_moves[0];
            last_best = Some((best.value, best.line.clone()));
            if let Some(steering) = &mut steering {
                early_end = self.observe_stability(depth, steering);
                if early_end.is_some() || self.should_end(steering, &mut urgency) {
                    break;
                }
            } else if self.shared.must_stop(false) {
                break;
            }
        }
        self.shared
            .add_nodes(self.nodes % super::worker::POLL_INTERVAL);
        let (value, line) = early_end.unwrap_or_else(|| self.best_at_end(last_best));
        Findings {
            value: self.root_moves[0].told_value(value),
            depth: completed,
            line,
            nodes: self.nodes,
        }
    }

    /// The proof of a mate, if one was asked for and found.
    fn find_proved_mate(&mut self, steering: &mut Steering<'_>) -> Option<Findings> {
        let mate = self.prove_mate(steering.limits)?;
        let findings = Findings {
            value: mate.value,
            depth: mate.line.len() as i32,
            line: mate.line,
            nodes: self.nodes,
        };
        (steering.report)(&self.shared.last_report(&findings));
        Some(findings)
    }

    /// Value and variation of the best move, given those of the last completed iteration.
    fn best_at_end(&mut self, last: Option<(i32, Vec<Move>)>) -> (i32, Vec<Move>) {
        let best = &self.root_moves[0];
        // A move that was being searched when time ran out has no value yet.
        let value = [best.value, best.earlier]
            .into_iter()
            .find(|&value| value != -INFINITE);
        let Some(value) = value else {
            return (self.value_without_search(), self.root_moves[0].line.clone());
        };
        match last {
            // The best move was just refuted and no other was tried yet: the result of the last
            // iteration is the better guess.
            Some((before, line)) if self.stopped && score::is_loss(value) && before > value => {
                (before, line)
            }
            // The same within the first iteration: an untried move is the better guess, and a lost
            // value would be false.
            None if self.stopped && score::is_loss(value) => {
                let untried = self
                    .root_moves
                    .iter()
                    .find(|root_move| root_move.nodes == 0);
                let line = untried.unwrap_or(best).line.clone();
                (self.value_without_search(), line)
            }
            _ => (value, best.line.clone()),
        }
    }

    /// The value reported if not even the first iteration was completed.
    fn value_without_search(&mut self) -> i32 {
        let board = *self.line.board();
        if board.in_check() {
            score::DRAW
        } else {
            self.raw_evaluation(&board)
        }
    }

    /// Restricts the search for this line to the root moves, from that index on, that the
    /// tablebases rank equal: no search may prefer a slower win to a faster one, or a draw to a
    /// win.
    fn choose_among_equals(&mut self, index: usize) {
        let rank = self.root_moves[index].rank;
        let equals = self.root_moves[index..].iter();
        let count = equals
            .take_while(|root_move| root_move.rank == rank)
            .count();
        self.first_root_move = index;
        self.last_root_move = index + count;
    }

    /// Searches with a narrow window around the last value and widens it until the value lies
    /// inside. It usually does at once, and the narrow window is cheaper.
    fn aspire(&mut self, depth: i32, mut steering: Option<&mut Steering<'_>>) {
        let index = self.first_root_move;
        let expected = self.root_moves[index].earlier;
        let mut delta = self.shared.parameters.aspiration_window + expected.abs().min(2_000) / 60;
        let (mut alpha, mut beta) = if depth >= 4 && expected.abs() < score::WIN_BOUND {
            (
                (expected - delta).max(-INFINITE),
                (expected + delta).min(INFINITE),
            )
        } else {
            (-INFINITE, INFINITE)
        };
        let mut searched_depth = depth;
        loop {
            self.selective_depth = 0;
            self.root_delta = beta - alpha;
            let value = self.search::<true>(0, searched_depth, alpha, beta, false);
            // A stable sort: moves without a value keep their order.
            self.root_moves[index..self.last_root_move].sort_by_key(|root_move| -root_move.value);
            if self.stopped {
                return;
            }
            let bound = if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-INFINITE);
                searched_depth = depth;
                ScoreBound::Upper
            } else if value >= beta {
                beta = (value + delta).min(INFINITE);
                // Fail-high: the move is good; a slightly shallower search finds out sooner how
                // good.
                searched_depth = (searched_depth - 1).max(depth - 3).max(1);
                ScoreBound::Lower
            } else {
                let by_rank_and_value = |own: &RootMove| (Reverse(own.rank), -own.value);
                self.root_moves[..=index].sort_by_key(by_rank_and_value);
                if let Some(steering) = &mut steering {
                    self.report_lines(depth, steering, ScoreBound::Exact, value);
                }
                return;
            };
            delta += delta / 2;
            if let Some(steering) = &mut steering
                && self.shared.elapsed() > BOUND_REPORT_AFTER
            {
                self.report_lines(depth, steering, bound, value);
            }
        }
    }

    pub(super) fn is_root_move(&self, mv: Move) -> bool {
        self.root_moves[self.first_root_move..self.last_root_move]
            .iter()
            .any(|root_move| root_move.line[0] == mv)
    }

    /// Records the result of the search of a root move.
    pub(super) fn note_root_move(
        &mut self,
        mv: Move,
        value: i32,
        alpha: i32,
        count: usize,
        nodes_before: u64,
    ) {
        let nodes = self.nodes - nodes_before;
        let selective_depth = self.selective_depth;
        let below = std::mem::take(&mut self.variations[1]);
        if let Some(root_move) = self
            .root_moves
            .iter_mut()
            .find(|root_move| root_move.line[0] == mv)
        {
            root_move.nodes += nodes;
            if count == 1 || value > alpha {
                root_move.value = value;
                root_move.selective_depth = selective_depth;
                root_move.line.truncate(1);
                root_move.line.extend_from_slice(&below);
            } else {
                root_move.value = -INFINITE;
            }
        }
        self.variations[1] = below;
    }

    fn observe_stability(
        &self,
        depth: i32,
        steering: &mut Steering<'_>,
    ) -> Option<(i32, Vec<Move>)> {
        let best = &self.root_moves[0];
        let stability = steering.stability.as_mut()?;
        let used = self.shared.time.soft.map(|soft| {
            self.shared.elapsed().as_secs_f64() / soft.as_secs_f64().max(f64::MIN_POSITIVE)
        });
        stability
            .observe(depth, best.value, &best.line, used)
            .filter(|_| !self.shared.is_pondering())
    }

    /// Whether the iteration that was just completed should be the last.
    fn should_end(&self, steering: &Steering<'_>, urgency: &mut Urgency) -> bool {
        let best = &self.root_moves[0];
        if let Some(mate) = steering.limits.mate
            && let Score::Mate(moves) = Score::of(best.value)
            && moves.unsigned_abs() <= mate
        {
            return true;
        }
        if let Some(nodes) = steering.limits.soft_nodes
            && self.nodes >= nodes
        {
            return true;
        }
        let node_share = best.nodes as f64 / self.nodes.max(1) as f64;
        let factor = urgency.factor(best.line[0], best.value, node_share);
        let Some(soft) = self.shared.time.soft else {
            return false;
        };
        if self.is_mate_certain() {
            return !self.shared.is_pondering();
        }
        let factor = if self.root_moves.len() == 1 {
            FORCED_MOVE_SHARE
        } else {
            factor
        };
        !self.shared.is_pondering() && self.shared.elapsed() >= soft.mul_f64(factor)
    }

    /// Whether our mate was searched so deep that a shorter one is unlikely: more thinking would
    /// only waste time.
    fn is_mate_certain(&self) -> bool {
        let plies = score::MATE - self.root_moves[0].value;
        (0..score::MAX_PLY as i32).contains(&plies) && self.root_depth >= 2 * plies
    }

    fn report_lines(&self, depth: i32, steering: &mut Steering<'_>, bound: ScoreBound, value: i32) {
        // All lines are reported once the last of them is known; a line whose window fails is
        // reported alone.
        let last = steering.lines.min(self.root_moves.len()) - 1;
        let ranks = match bound {
            ScoreBound::Exact if self.first_root_move < last => return,
            ScoreBound::Exact => 0..=last,
            _ => self.first_root_move..=self.first_root_move,
        };
        for index in ranks {
            let root_move = &self.root_moves[index];
            let value = match bound {
                ScoreBound::Exact => root_move.value,
                _ => value,
            };
            let value = root_move.told_value(value);
            (steering.report)(&Report {
                depth: depth as u32,
                selective_depth: root_move.selective_depth as u32,
                rank: index + 1,
                score: Score::of(value),
                bound,
                wdl: score::win_draw_loss(value),
                nodes: self.shared.nodes_with(self.nodes),
                time: self.shared.elapsed(),
                table_fill: self.shared.table.fill(),
                tablebase_hits: self.shared.tablebase_hits(),
                line: root_move.line.clone(),
            });
        }
    }
}
