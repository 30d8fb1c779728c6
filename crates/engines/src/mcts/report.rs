//! Reports what a search has found: lines, scores, win-draw-loss probabilities, and the statistics
//! of all moves.

use super::arena::{Arena, PRIOR_UNIT, Proof, ROOT, Slot, Stats};
use super::gumbel::Gumbel;
use super::root::{compare, end_behind, ranking};
use super::selection::Selection;
use super::steering::depth_of_simulations;
use super::walker::Tally;
use crate::score::{self, Score, centipawns};
use crate::{MoveStatistics, Report, ScoreBound};
use chess::{Board, CastlingStyle, Move};
use nets::Chances;
use std::time::Duration;

/// The longest variation that is reported.
const LONGEST_LINE: usize = 64;

/// A view of a tree.
pub(super) struct Findings<'a> {
    pub(super) arena: &'a Arena,
    pub(super) tally: &'a Tally,
    pub(super) simulations: u64,
    pub(super) elapsed: Duration,
}

impl Findings<'_> {
    fn header(&self) -> u32 {
        self.arena.slot(ROOT).link().place()
    }

    /// The edges of the root.
    pub(super) fn edges(&self) -> &[Slot] {
        match self.header() {
            0 => &[],
            header => self.arena.edges(header),
        }
    }

    /// The indices of the root's edges, the best one to play first.
    pub(super) fn ranking(&self) -> Vec<usize> {
        match self.header() {
            0 => Vec::new(),
            header => ranking(self.arena, header),
        }
    }

    /// One report for each of the best lines.
    pub(super) fn reports(&self, lines: usize) -> Vec<Report> {
        let best = self.ranking().into_iter().take(lines.max(1));
        let report = |(index, number)| self.report(index + 1, number);
        best.enumerate().map(report).collect()
    }

    /// The variation that begins with this edge of the root, as the report of this rank.
    pub(super) fn report(&self, rank: usize, number: usize) -> Report {
        let Chances { win, draw, .. } = self.chances(number);
        let thousandths = |chance: f32| (chance * 1000.0).round() as u32;
        let win = thousandths(win).min(1000);
        let draw = thousandths(draw).min(1000 - win);
        Report {
            depth: depth_of_simulations(self.simulations).max(1),
            selective_depth: self.tally.deepest.max(1),
            rank,
            score: self.score(number),
            bound: ScoreBound::Exact,
            wdl: [win, draw, 1000 - win - draw],
            nodes: self.simulations,
            time: self.elapsed,
            table_fill: self.arena.fill(),
            tablebase_hits: self.tally.tablebase_hits,
            line: self.line(number),
        }
    }

    /// The variation of best moves that begins with an edge of the root.
    pub(super) fn line(&self, number: usize) -> Vec<Move> {
        let mut edge = &self.edges()[number];
        let mut line = vec![edge.mv()];
        while line.len() < LONGEST_LINE {
            let header = edge.link().place();
            let edges = match header {
                0 => break,
                header => self.arena.edges(header),
            };
            let is_known = |edge: &&Slot| edge.stats().visits > 0;
            let best = edges
                .iter()
                .filter(is_known)
                .max_by(|a, b| compare(self.arena, a, b));
            let Some(best) = best else { break };
            line.push(best.mv());
            edge = best;
        }
        line
    }

    /// The score of an edge of the root.
    pub(super) fn score(&self, number: usize) -> Score {
        let edge = &self.edges()[number];
        let end = end_behind(self.arena, edge);
        let plies = usize::from(end.plies) + 1;
        match edge.link().proof() {
            Proof::Win if end.by_tablebase => Score::of(score::TABLEBASE_WIN - plies as i32),
            Proof::Loss if end.by_tablebase => Score::of(plies as i32 - score::TABLEBASE_WIN),
            Proof::Win => Score::Mate(plies.div_ceil(2) as i32),
            Proof::Loss => Score::Mate(-(plies as i32 / 2)),
            Proof::Draw => Score::Centipawns(0),
            Proof::Open => Score::Centipawns(centipawns(self.value(number))),
        }
    }

    /// The value of an edge of the root for the side to move; that of the root if the edge
    /// has no visits.
    pub(super) fn value(&self, number: usize) -> f32 {
        let edge = &self.edges()[number];
        let Stats { visits, value } = edge.stats();
        match edge.link().proof() {
            Proof::Open if visits == 0 => -self.arena.slot(ROOT).stats().value,
            Proof::Open => value,
            proof => proof.value(),
        }
    }

    /// The win, draw and loss probabilities for the side to move after this move.
    pub(super) fn chances(&self, number: usize) -> Chances {
        let value = self.value(number).clamp(-1.0, 1.0);
        let most = 1.0 - value.abs();
        let draw = match (
            self.edges()[number].link().proof(),
            self.tally.draws.get(number),
        ) {
            (Proof::Open, Some(&(visits, sum))) if visits > 0 => {
                ((sum / f64::from(visits)) as f32).clamp(0.0, most)
            }
            _ => most,
        };
        Chances {
            win: (1.0 - draw + value) / 2.0,
            draw,
            loss: (1.0 - draw - value) / 2.0,
        }
    }

    /// What was found about each move, the best one to play first; with a Gumbel root the policy is
    /// the improved one.
    pub(super) fn statistics(&self, gumbel: Option<&Gumbel>) -> Vec<MoveStatistics> {
        let edges = self.edges();
        let root = self.arena.slot(ROOT).stats();
        let node = Stats {
            visits: root.visits,
            value: -root.value,
        };
        let improved = gumbel.map(|gumbel| gumbel.improved_policy(edges, node));
        let all: u64 = edges
            .iter()
            .map(|edge| u64::from(edge.stats().visits))
            .sum();
        let of = |number: usize| {
            let edge = &edges[number];
            let visits = edge.stats().visits;
            let prior = edge.prior() as f32 / PRIOR_UNIT;
            let policy = match (&improved, all) {
                (Some(policy), _) => policy[number],
                (None, 0) => prior,
                (None, all) => (f64::from(visits) / all as f64) as f32,
            };
            MoveStatistics {
                mv: edge.mv(),
                visits,
                prior,
                policy,
                value: self.value(number),
            }
        };
        self.ranking().into_iter().map(of).collect()
    }

    /// The statistics of all moves in lc0's format, the best one to play last, followed by those of
    /// the root.
    pub(super) fn verbose_lines(&self, board: &Board, selection: &Selection) -> Vec<String> {
        let root = self.arena.slot(ROOT).stats();
        let exploration = selection.exploration(root.visits);
        let mut lines: Vec<String> = self
            .ranking()
            .into_iter()
            .rev()
            .map(|number| {
                let edge = &self.edges()[number];
                let visits = edge.stats().visits;
                let bonus = exploration * edge.prior() as f32 / (visits + 1) as f32;
                let name = board.uci(edge.mv(), CastlingStyle::Standard).to_string();
                let share = edge.prior() as f32 / PRIOR_UNIT;
                self.verbose_line(&name, visits, share, number, bonus)
            })
            .collect();
        let value = -root.value;
        lines.push(format!(
            "node  N: {:7} (+ 0) (P: 100.00%) (WL: {value:8.5}) (Q: {value:8.5})",
            root.visits
        ));
        lines
    }

    fn verbose_line(
        &self,
        name: &str,
        visits: u32,
        share: f32,
        number: usize,
        bonus: f32,
    ) -> String {
        let value = self.value(number);
        let draw = self.chances(number).draw;
        let proof = match self.edges()[number].link().proof() {
            Proof::Open => "",
            _ => " (T)",
        };
        format!(
            "{name:5} N: {visits:7} (+ 0) (P: {:5.2}%) (WL: {value:8.5}) (D: {draw:5.3}) \
             (Q: {value:8.5}) (U: {bonus:7.5}) (S: {:8.5}){proof}",
            100.0 * share,
            value + bonus
        )
    }
}
