//! What the threads of one search share.

use super::parameters::Parameters;
use super::root::Findings;
use super::strength::{EvaluationError, Strength};
use super::table::Table;
use super::worker::POLL_INTERVAL;
use crate::score::{self, Score};
use crate::tablebase::{Tablebases, Verdict};
use crate::time::TimeLimits;
use crate::{Limits, Report, ScoreBound, StopSignal};
use chess::Board;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub(super) struct Shared<'a> {
    pub(super) parameters: Parameters,
    pub(super) table: &'a Table,
    start: Instant,
    pub(super) time: TimeLimits,
    node_limit: Option<u64>,
    pub(super) error: EvaluationError,
    /// Nodes of all threads, except for those that a thread has not added yet.
    nodes: AtomicU64,
    /// The nodes used up by all threads together; needed only with several threads.
    spent: Option<AtomicU64>,
    tablebases: Option<&'a Tablebases>,
    tablebase_hits: AtomicU64,
    /// Set to end all threads of this search.
    ended: AtomicBool,
    signal: &'a StopSignal,
}

impl<'a> Shared<'a> {
    pub(super) fn new(
        parameters: Parameters,
        table: &'a Table,
        limits: &Limits,
        time: TimeLimits,
        threads: usize,
        signal: &'a StopSignal,
    ) -> Shared<'a> {
        Shared {
            parameters,
            table,
            start: limits.since.unwrap_or_else(Instant::now),
            time,
            node_limit: limits.nodes,
            error: EvaluationError::default(),
            nodes: AtomicU64::new(0),
            spent: (threads > 1).then(AtomicU64::default),
            tablebases: None,
            tablebase_hits: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            signal,
        }
    }

    /// Makes the search play weaker, in the game with this seed.
    pub(super) fn with_strength(mut self, strength: Option<Strength>, seed: u64) -> Shared<'a> {
        if let Some(strength) = strength {
            let most = strength.nodes();
            self.node_limit = Some(self.node_limit.map_or(most, |limit| limit.min(most)));
            self.error = strength.error(seed);
        }
        self
    }

    /// Lets the search probe tablebases, which have already answered for this many root moves. If
    /// there are any, the root moves are ranked by that, and the search does not probe: it only has
    /// to find the way to mate.
    pub(super) fn with_tablebases(
        mut self,
        tablebases: Option<&'a Tablebases>,
        known_moves: u64,
    ) -> Shared<'a> {
        self.tablebase_hits = AtomicU64::new(known_moves);
        self.tablebases = tablebases.filter(|_| known_moves == 0);
        self
    }

    /// The tablebase result of a position, if known.
    #[inline(always)]
    pub(super) fn look_up(&self, board: &Board) -> Option<Verdict> {
        let verdict = self.tablebases?.verdict_after_zeroing(board)?;
        self.tablebase_hits.fetch_add(1, Ordering::Relaxed);
        Some(verdict)
    }

    /// Whether the node limit is reached, given how many nodes this thread has visited; otherwise
    /// one more node is counted.
    #[inline(always)]
    pub(super) fn spends_last_node(&self, own_nodes: u64) -> bool {
        let Some(limit) = self.node_limit else {
            return false;
        };
        match &self.spent {
            None => own_nodes >= limit,
            Some(spent) => spent.fetch_add(1, Ordering::Relaxed) >= limit,
        }
    }

    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// All nodes, as far as the main thread knows: all of its own, and those that the helpers have
    /// added.
    pub(super) fn nodes_with(&self, own_nodes: u64) -> u64 {
        self.nodes.load(Ordering::Relaxed) + own_nodes % POLL_INTERVAL
    }

    pub(super) fn tablebase_hits(&self) -> u64 {
        self.tablebase_hits.load(Ordering::Relaxed)
    }

    /// The report of the final result, for when no other report contains it.
    pub(super) fn last_report(&self, findings: &Findings) -> Report {
        Report {
            depth: findings.depth.max(1) as u32,
            selective_depth: findings.line.len() as u32,
            rank: 1,
            score: Score::of(findings.value),
            bound: ScoreBound::Exact,
            wdl: score::win_draw_loss(findings.value),
            nodes: findings.nodes,
            time: self.elapsed(),
            table_fill: self.table.fill(),
            tablebase_hits: self.tablebase_hits(),
            line: findings.line.clone(),
        }
    }

    /// Whether the search ponders, so that no time is used yet.
    pub(super) fn is_pondering(&self) -> bool {
        self.signal.is_pondering()
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether a thread must stop. Only the main thread watches the clock.
    pub(super) fn must_stop(&self, is_main: bool) -> bool {
        if is_main && (self.signal.is_stopped() || self.is_out_of_time()) {
            self.end();
        }
        self.ended.load(Ordering::Relaxed)
    }

    fn is_out_of_time(&self) -> bool {
        !self.is_pondering() && self.time.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}
