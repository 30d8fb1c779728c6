//! Decides when a search ends: simulations, clocks, signals, and when more would change nothing.
//!
//! It must not know how a simulation is done.

use super::arena::{Arena, ROOT, Stats};
use super::options::Options;
use crate::time::TimeLimits;
use crate::{Limits, StopSignal};
use chess::Game;
use std::time::{Duration, Instant};

/// Iterations exist so that a limit of depth has a meaning: one is complete when the simulations
/// reach this many times a power of two.
const FIRST_ITERATION: u64 = 8;
/// The share of the soft time limit that a search uses when its best move is clear. The soft limit
/// leaves time to complete an iteration, which is not needed here.
const CLEAR_SHARE: f64 = 1.25;
/// The same when the move with the most visits does not have the best value.
const UNCLEAR_SHARE: f64 = 2.5;
/// A move counts as a rival of the best one if it has at least this share of its visits.
const RIVAL_SHARE: f64 = 0.1;

/// Dynamic budgets: positions with at most this many moves, and their factor.
const NARROW: (usize, f64) = (12, 1.5);
/// The same for at least this many moves.
const WIDE: (usize, f64) = (40, 0.6);
/// The same for the first moves of a game.
const OPENING: (u16, f64) = (8, 0.85);

/// What a bank of simulations gives a move, before the factors of dynamic budgets; below it, the
/// minimum and the maximum.
const FROM_BANK: f64 = 220.0;
const FROM_BANK_RANGE: [u64; 2] = [64, 640];

/// How many simulations a search may use by its limits and by what remains of the game's bank, if
/// there is one.
pub(super) fn budget(limits: &Limits, options: &Options, game: &Game, bank: Option<u64>) -> u64 {
    let by_depth = limits.depth.map(simulations_of_depth);
    let bounds = [limits.nodes, limits.soft_nodes, by_depth];
    let limit = bounds.into_iter().flatten().min();
    if let Some(bank) = bank {
        let [least, most] = FROM_BANK_RANGE;
        let wanted = (FROM_BANK * budget_factor(game)) as u64;
        // A game that exhausts its bank continues with the minimum.
        let given = wanted.clamp(least, most).min(bank.max(least));
        return given.min(limit.unwrap_or(given));
    }
    match limit {
        None => u64::MAX,
        Some(limit) if options.dynamic_budget => {
            ((limit as f64 * budget_factor(game)) as u64).max(1)
        }
        Some(limit) => limit,
    }
}

fn budget_factor(game: &Game) -> f64 {
    let board = game.board();
    let moves = board.count_legal_moves() as usize;
    let by_width = match moves {
        count if count <= NARROW.0 => NARROW.1,
        count if count >= WIDE.0 => WIDE.1,
        _ => 1.0,
    };
    let by_phase = match board.fullmove_number() <= OPENING.0 {
        true => OPENING.1,
        false => 1.0,
    };
    by_width * by_phase
}

/// The simulations after which this many iterations are complete.
pub(super) fn simulations_of_depth(depth: u32) -> u64 {
    FIRST_ITERATION
        .checked_shl(depth)
        .filter(|&simulations| simulations >> depth == FIRST_ITERATION)
        .unwrap_or(u64::MAX)
}

/// How many iterations are complete after this many simulations.
pub(super) fn depth_of_simulations(simulations: u64) -> u32 {
    (simulations / FIRST_ITERATION).max(1).ilog2()
}

/// Decides when one search ends.
pub(super) struct Steering<'a> {
    pub(super) stop: &'a StopSignal,
    limits: &'a Limits,
    options: &'a Options,
    time: TimeLimits,
    start: Instant,
    /// When the search itself began; its speed is measured from here.
    begin: Instant,
}

impl<'a> Steering<'a> {
    pub(super) fn new(stop: &'a StopSignal, limits: &'a Limits, options: &'a Options) -> Self {
        let begin = Instant::now();
        Steering {
            stop,
            limits,
            options,
            time: TimeLimits::of(limits, options.move_overhead),
            start: limits.since.unwrap_or(begin),
            begin,
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search must end, after this many simulations.
    pub(super) fn must_end(&self, arena: &Arena, simulations: u64) -> bool {
        if self.stop.is_stopped() {
            return true;
        }
        if self.stop.is_pondering() {
            return false;
        }
        let leaders = Leaders::of(arena);
        leaders.are_clear(self.options, simulations) || self.is_out_of_time(&leaders, simulations)
    }

    fn is_out_of_time(&self, leaders: &Leaders, simulations: u64) -> bool {
        if !self.limits.is_timed() {
            return false;
        }
        if leaders.moves == 1 {
            return true;
        }
        let elapsed = self.elapsed();
        let soft = self.time.soft.map(|soft| {
            soft.mul_f64(if leaders.is_clear {
                CLEAR_SHARE
            } else {
                UNCLEAR_SHARE
            })
        });
        let end = match (soft, self.time.hard) {
            (Some(soft), Some(hard)) => soft.min(hard),
            (Some(end), None) | (None, Some(end)) => end,
            (None, None) => return false,
        };
        // Time for this move alone cannot be saved for later moves.
        let may_save = self.limits.clock.is_some();
        elapsed >= end || may_save && self.is_decided(leaders, simulations, end - elapsed)
    }

    /// Whether no other move can overtake the best one's visits in the time left.
    fn is_decided(&self, leaders: &Leaders, simulations: u64, left: Duration) -> bool {
        let factor = f64::from(self.options.smart_pruning_factor);
        let spent = self.begin.elapsed().as_secs_f64();
        if factor <= 0.0 || simulations < 100 || !leaders.is_clear {
            return false;
        }
        let speed = simulations as f64 / spent.max(1e-6);
        f64::from(leaders.best - leaders.second) > speed * left.as_secs_f64() / factor
    }
}

/// The visits of the root and of its most visited moves.
struct Leaders {
    moves: usize,
    all: u64,
    best: u32,
    second: u32,
    /// Whether no rival of the best move has a higher value.
    is_clear: bool,
}

/// The published early stop: after a minimum of simulations one move has nearly all visits.
pub(super) fn is_dominated(arena: &Arena, options: &Options, simulations: u64) -> bool {
    options.early_stop_share > 0.0 && Leaders::of(arena).are_clear(options, simulations)
}

impl Leaders {
    fn are_clear(&self, options: &Options, simulations: u64) -> bool {
        let share = options.early_stop_share;
        share > 0.0
            && simulations >= u64::from(options.early_stop_visits)
            && f64::from(self.best) >= f64::from(share) * self.all as f64
    }

    fn of(arena: &Arena) -> Leaders {
        let header = arena.slot(ROOT).link().place();
        let edges = match header {
            0 => &[],
            header => arena.edges(header),
        };
        let mut best = Stats {
            visits: 0,
            value: -1.0,
        };
        let mut second = 0;
        let mut all = 0;
        for edge in edges {
            let stats = edge.stats();
            all += u64::from(stats.visits);
            if stats.visits > best.visits {
                second = best.visits;
                best = stats;
            } else {
                second = second.max(stats.visits);
            }
        }
        let least = f64::from(best.visits) * RIVAL_SHARE;
        let is_rival = |stats: Stats| f64::from(stats.visits) >= least && stats.value > best.value;
        Leaders {
            moves: edges.len(),
            all,
            best: best.visits,
            second,
            is_clear: !edges.iter().any(|edge| is_rival(edge.stats())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;

    fn game(fen: &str) -> Game {
        Game::new(Board::from_fen(fen).expect(fen))
    }

    #[test]
    fn iterations_double_the_simulations() {
        assert_eq!(simulations_of_depth(1), 16);
        assert_eq!(simulations_of_depth(12), 32_768);
        assert_eq!(simulations_of_depth(64), u64::MAX);
        assert_eq!(simulations_of_depth(200), u64::MAX);
        for depth in 1..60 {
            assert_eq!(depth_of_simulations(simulations_of_depth(depth)), depth);
        }
        assert_eq!(depth_of_simulations(0), 0);
    }

    #[test]
    fn the_narrowest_limit_counts() {
        let start = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let options = Options::default();
        assert_eq!(budget(&Limits::default(), &options, &start, None), u64::MAX);
        let mut limits = Limits::nodes(800);
        assert_eq!(budget(&limits, &options, &start, None), 800);
        limits.depth = Some(1);
        assert_eq!(budget(&limits, &options, &start, None), 16);
    }

    #[test]
    fn narrow_positions_get_more_than_wide_ones() {
        let options = Options {
            dynamic_budget: true,
            ..Options::default()
        };
        let of = |fen: &str| budget(&Limits::nodes(1000), &options, &game(fen), None);
        assert_eq!(of("8/8/8/4k3/8/8/4K3/8 w - - 0 40"), 1500);
        assert_eq!(
            of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 20"),
            600
        );
        assert_eq!(
            of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            850
        );
    }

    #[test]
    fn a_bank_gives_each_move_its_share_until_it_is_empty() {
        let options = Options::default();
        let narrow = game("8/8/8/4k3/8/8/4K3/8 w - - 0 40");
        let of = |bank| budget(&Limits::default(), &options, &narrow, Some(bank));
        assert_eq!(of(65_000), 330);
        assert_eq!(of(100), 100);
        assert_eq!(of(0), 64);
        let limits = Limits::nodes(50);
        assert_eq!(budget(&limits, &options, &narrow, Some(65_000)), 50);
    }
}
