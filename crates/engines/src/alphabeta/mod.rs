//! The alpha-beta engine, one file for each part of the search.
//!
//! `root` runs iterative deepening, `node` is the alpha-beta node, `quiescence` the search of
//! captures at the leaves. `picker` orders moves by the statistics in `history`, `correction`
//! corrects the evaluation, `table` is the transposition table. `time` and `stability` decide when
//! to stop, `mate` proves short mates on request, `searcher` selects the search compiled for an
//! evaluation. With one thread and a limit of nodes or depth, a search depends only on the game and
//! on what was searched since the last new game.

mod correction;
mod engine;
mod history;
mod knowledge;
mod learning;
mod mate;
mod node;
mod parameters;
mod picker;
mod pruning;
mod quiescence;
mod reduction;
mod root;
mod searcher;
mod shared;
mod stability;
mod strength;
mod table;
mod trials;
mod worker;

pub use engine::AlphaBetaEngine;
pub use parameters::{Parameters, TUNABLES, Tunable, UnknownParameter};
pub use stability::{StabilityOptions, StabilityRule};
pub use strength::Strength;

use crate::score::{self, Score};
use crate::tablebase::Tablebases;
use crate::time::TimeLimits;
use crate::{Answer, Failure, Limits, Player, Report, STACK_BYTES, StopSignal};
use chess::{Game, Move};
use nets::Evaluator;
use root::{Findings, RootMove, Steering};
use shared::Shared;
use stability::Stability;
use std::sync::Arc;
use std::time::Duration;
use table::Table;
use worker::{Memory, Worker};

/// The settings of an alpha-beta player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The size of the transposition table in mebibytes.
    pub hash: usize,
    /// How many threads search.
    pub threads: usize,
    /// How many best lines are searched (MultiPV).
    pub lines: usize,
    /// Time reserved for what happens outside of the search with each move.
    pub move_overhead: Duration,
    /// When timed searches end early.
    pub stability: StabilityOptions,
    /// Weaker play; `None` for full strength.
    pub strength: Option<Strength>,
    /// The constants of the search.
    pub parameters: Parameters,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 16,
            threads: 1,
            lines: 1,
            move_overhead: Duration::from_millis(10),
            stability: StabilityOptions::default(),
            strength: None,
            parameters: Parameters::default(),
        }
    }
}

/// The alpha-beta player.
pub struct AlphaBeta<E> {
    options: Options,
    evaluator: E,
    tablebases: Option<Arc<Tablebases>>,
    table: Table,
    /// One for each thread; the first is the main thread's.
    memories: Vec<Memory<E>>,
    /// The seed of the game being played.
    seed: u64,
}

impl<E: Evaluator> AlphaBeta<E> {
    /// A player with this evaluation.
    pub fn new(evaluator: E, options: Options) -> AlphaBeta<E> {
        let mut player = AlphaBeta {
            table: Table::new(options.hash),
            memories: Vec::new(),
            seed: 0,
            tablebases: None,
            evaluator,
            options,
        };
        player.fit_memories();
        player
    }

    /// The settings.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The size of the transposition table in mebibytes: smaller than asked for if there is not
    /// enough memory.
    pub fn table_size(&self) -> usize {
        self.table.mebibytes()
    }

    /// Changes settings; a table whose size changes starts empty.
    pub fn set_options(&mut self, options: Options) {
        if options.hash != self.options.hash {
            // Freed first: two tables may not fit.
            self.table = Table::new(1);
            self.table = Table::new(options.hash);
        }
        self.options = options;
        self.fit_memories();
    }

    /// Sets the tablebases to use; `None` for no tablebases.
    pub fn set_tablebases(&mut self, tablebases: Option<Arc<Tablebases>>) {
        self.tablebases = tablebases;
    }

    /// Clears the transposition table but keeps the histories.
    pub fn clear_table(&mut self) {
        self.table.clear();
    }

    /// Clears everything, as before the first game.
    pub fn forget(&mut self) {
        self.table.clear();
        for memory in &mut self.memories {
            memory.clear();
        }
    }

    /// Searches for the best move, as [`Player::choose`] says.
    pub fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) -> Answer {
        let root_moves = Self::root_moves(game, limits);
        if root_moves.is_empty() {
            let value = if game.board().in_check() {
                score::mated_in(0)
            } else {
                score::DRAW
            };
            return Answer::new(None, Score::of(value));
        }
        self.table.advance_age();
        let findings = self.search(game, limits, stop, report, root_moves);
        Answer {
            ponder: findings.line.get(1).copied(),
            depth: findings.depth as u32,
            nodes: findings.nodes,
            ..Answer::new(findings.line.first().copied(), Score::of(findings.value))
        }
    }

    /// The evaluation of a position without search, for the side to move.
    pub fn evaluate(&mut self, board: &chess::Board) -> i32 {
        self.evaluator.reset(board);
        self.evaluator.evaluate(board)
    }

    fn fit_memories(&mut self) {
        let evaluator = &self.evaluator;
        self.memories.resize_with(self.options.threads.max(1), || {
            Memory::new(evaluator.clone())
        });
    }

    fn root_moves(game: &Game, limits: &Limits) -> Vec<RootMove> {
        let legal = game.board().legal_moves();
        let wanted =
            |mv: &&Move| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
        let chosen: Vec<RootMove> = legal
            .iter()
            .filter(wanted)
            .map(|&mv| RootMove::new(mv))
            .collect();
        if chosen.is_empty() {
            // None of the moves asked for is legal: search all.
            legal.iter().map(|&mv| RootMove::new(mv)).collect()
        } else {
            chosen
        }
    }

    /// The best root moves by the tablebases: as many as there are lines to show, and all that rank
    /// as high as the last of these.
    fn ask_tablebases(&self, game: &Game, root_moves: &[RootMove]) -> Option<Vec<RootMove>> {
        let moves: Vec<Move> = root_moves.iter().map(|found| found.line[0]).collect();
        let ranked = self.tablebases.as_ref()?.ranked(game.board(), &moves)?;
        let last = ranked
            .get(self.options.lines.max(1) - 1)
            .or(ranked.last())?;
        let worst = last.1;
        let kept = ranked.iter().filter(|(_, rank)| *rank >= worst);
        Some(kept.map(|&(mv, rank)| RootMove::ranked(mv, rank)).collect())
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
        root_moves: Vec<RootMove>,
    ) -> Findings {
        let legal = root_moves.len() as u64;
        let (root_moves, known_moves) = match self.ask_tablebases(game, &root_moves) {
            Some(ranked) => (ranked, legal),
            None => (root_moves, 0),
        };
        let options = &self.options;
        let watches_stability =
            options.stability.enabled && limits.is_timed() && options.lines == 1;
        let mut told = ToldLines::default();
        let mut tell = |line: &Report| {
            told.hear(line);
            report(line);
        };
        let steering = Steering {
            limits,
            lines: options.lines.max(1),
            stability: watches_stability.then(|| Stability::new(options.stability)),
            report: &mut tell,
        };
        let shared = Shared::new(
            options.parameters,
            &self.table,
            limits,
            TimeLimits::of(limits, options.move_overhead),
            self.memories.len(),
            stop,
        )
        .with_strength(options.strength, self.seed)
        .with_tablebases(self.tablebases.as_deref(), known_moves);
        let line = game.line();
        let Some((main, helpers)) = self.memories.split_first_mut() else {
            unreachable!("there is always a main thread");
        };
        let best = std::thread::scope(|scope| {
            // A helper thread that cannot be started is a loss, but not an error.
            let helpers: Vec<_> = helpers
                .iter_mut()
                .filter_map(|memory| {
                    let worker = Worker::new(&shared, memory, line, root_moves.clone(), false);
                    std::thread::Builder::new()
                        .stack_size(STACK_BYTES)
                        .spawn_scoped(scope, move || worker.deepen(None))
                        .ok()
                })
                .collect();
            let main = Worker::new(&shared, main, line, root_moves.clone(), true);
            let findings = main.deepen(Some(steering));
            shared.end();
            let mut best = findings;
            let mut nodes = best.nodes;
            for helper in helpers {
                if let Ok(other) = helper.join() {
                    nodes += other.nodes;
                    // A helper that completed a deeper iteration with no lower value knows more.
                    if options.lines <= 1 && other.depth > best.depth && other.value >= best.value {
                        best = other;
                    }
                }
            }
            best.nodes = nodes;
            best
        });
        // A search that was stopped within an iteration may have a new best move.
        if told.best() != best.line.first().copied() {
            let lines = told.with_best(shared.last_report(&best), options.lines.max(1));
            lines.iter().for_each(report);
        }
        best
    }
}

/// The lines that were reported last, by rank.
#[derive(Default)]
struct ToldLines(Vec<Report>);

impl ToldLines {
    fn hear(&mut self, line: &Report) {
        match self.0.get_mut(line.rank - 1) {
            Some(place) => *place = line.clone(),
            None => self.0.push(line.clone()),
        }
    }

    /// The first move of the best line.
    fn best(&self) -> Option<Move> {
        self.0.first()?.line.first().copied()
    }

    /// These lines with `best` put first: at most `lines`, and no first move twice.
    fn with_best(self, best: Report, lines: usize) -> Vec<Report> {
        let first = best.line.first().copied();
        let others = self
            .0
            .into_iter()
            .filter(|line| line.line.first().copied() != first);
        let mut all: Vec<Report> = std::iter::once(best).chain(others).take(lines).collect();
        for (index, line) in all.iter_mut().enumerate() {
            line.rank = index + 1;
        }
        all
    }
}

impl<E: Evaluator> Player for AlphaBeta<E> {
    fn new_game(&mut self, seed: u64) -> Result<(), Failure> {
        self.seed = seed;
        self.forget();
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Answer, Failure> {
        Ok(self.think(game, limits, stop, report))
    }
}
