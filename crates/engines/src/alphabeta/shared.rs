//! What the threads of one search share.

use super::root::Findings;
use super::table::Table;
use super::time::TimeLimits;
use super::worker::POLL_INTERVAL;
use crate::score::{self, Score};
use crate::{Report, ScoreBound, StopSignal};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    start: Instant,
    pub(super) time: TimeLimits,
    node_limit: Option<u64>,
    /// Nodes of all threads, but for what each has not told yet.
    nodes: AtomicU64,
    /// With several threads a limit of nodes is spent from one account.
    spent: Option<AtomicU64>,
    tablebase_hits: AtomicU64,
    /// Ends all threads of this search.
    ended: AtomicBool,
    signal: &'a StopSignal,
}

impl<'a> Shared<'a> {
    pub(super) fn new(
        table: &'a Table,
        time: TimeLimits,
        node_limit: Option<u64>,
        threads: usize,
        signal: &'a StopSignal,
    ) -> Shared<'a> {
        Shared {
            table,
            start: Instant::now(),
            time,
            node_limit,
            nodes: AtomicU64::new(0),
            spent: (threads > 1 && node_limit.is_some()).then(AtomicU64::default),
            tablebase_hits: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            signal,
        }
    }

    /// Whether the limit of nodes leaves no further node, given what this
    /// thread has visited; otherwise one node is spent.
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

    /// All nodes as the main thread knows them: its own to the last, those of
    /// the others as far as they have told.
    pub(super) fn nodes_with(&self, own_nodes: u64) -> u64 {
        self.nodes.load(Ordering::Relaxed) + own_nodes % POLL_INTERVAL
    }

    pub(super) fn tablebase_hits(&self) -> u64 {
        self.tablebase_hits.load(Ordering::Relaxed)
    }

    /// What was found in the end, if no other report has told it.
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

    /// Whether the move is still the opponent's: no time is spent yet.
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
