//! Monte-Carlo tree search with a policy and a value, one file for each part.
//!
//! `arena` holds the tree, `compaction` reuses its memory, `expansion` turns logits into edges,
//! `selection` is PUCT, `backup` propagates values and proofs to the root, `walker` combines these
//! to the simulations of one thread. `root` and `gumbel` are what is special at the root; `cache`
//! holds evaluations; `search` is the search of one game, driven from outside; `steering` decides
//! when it ends, `report` says what it found, `engine` gives the player its options. Values are for
//! the side to move and change their sign with each step. With one thread, a search limited by
//! simulations depends only on the game, the seed and what was searched since the last new game.

mod arena;
mod backup;
mod cache;
mod compaction;
mod crew;
mod engine;
mod expansion;
mod gumbel;
mod options;
mod report;
mod root;
mod search;
mod selection;
mod steering;
mod walker;

pub use engine::MctsEngine;
pub use options::{Flaws, Options};
pub use search::Search;

use crate::score::Score;
use crate::tablebase::{Tablebases, Verdict};
use crate::{Answer, Failure, Limits, MoveStatistics, Player, Report, StopSignal};
use chess::{Game, Move};
use crew::Crew;
use nets::Chances;
use nets::policy::PolicyValue;
use report::Findings;
use root::RootRule;
use std::sync::Arc;
use steering::{Steering, budget, depth_of_simulations};

/// A move that mates at once, if there is one.
pub fn mate_in_one(game: &Game) -> Option<Move> {
    root::mate_in_one(game, &game.board().legal_moves())
}

/// How many simulations a move gets whose limit is `simulations`, after dynamic budgets and the
/// bank for the whole game, of which `spent` are used up.
pub fn simulations_for(game: &Game, simulations: u64, options: &Options, spent: u64) -> u64 {
    let limits = Limits::nodes(simulations);
    budget(&limits, options, game, bank(options, spent))
}

/// What remains of the game's bank of simulations, if there is one.
fn bank(options: &Options, spent: u64) -> Option<u64> {
    match options.simulation_bank {
        0 => None,
        bank => Some(bank.saturating_sub(spent)),
    }
}

/// The largest tree, in mebibytes.
pub const MOST_MEBIBYTES: usize = arena::MOST_MEBIBYTES;

/// Makes policy-value evaluators for the threads of a player.
pub type Models = Box<dyn Fn() -> Box<dyn PolicyValue> + Send>;

/// The tree-search player.
pub struct Mcts {
    search: Search,
    models: Models,
    model: Box<dyn PolicyValue>,
    helpers: Crew,
    /// The statistics of the last search, if they are enabled.
    remarks: Vec<String>,
    /// The result that the last search proved.
    proved: Option<Verdict>,
    /// Simulations since the game began.
    spent: u64,
}

impl Mcts {
    /// A player whose threads get their evaluators from `models`.
    pub fn new(models: Models, options: Options) -> Mcts {
        Mcts {
            model: models(),
            search: Search::new(options),
            helpers: Crew::default(),
            remarks: Vec::new(),
            proved: None,
            spent: 0,
            models,
        }
    }

    /// The settings.
    pub fn options(&self) -> &Options {
        self.search.options()
    }

    /// Changes settings; a tree of another size starts empty.
    pub fn set_options(&mut self, options: Options) {
        self.search.set_options(options);
    }

    /// Replaces the models.
    pub fn set_models(&mut self, models: Models) {
        self.model = models();
        self.models = models;
        self.forget();
    }

    /// The size of the tree in mebibytes: smaller than asked for if there is not enough memory.
    pub fn size(&self) -> usize {
        self.search.size()
    }

    /// Sets the tablebases to use; `None` for no tablebases.
    pub fn set_tablebases(&mut self, tablebases: Option<Arc<Tablebases>>) {
        self.search.set_tablebases(tablebases);
    }

    /// Clears the tree and the cache.
    pub fn forget(&mut self) {
        self.search.forget();
        self.helpers.clear();
    }

    /// The result for the side to move, if the last search proved it.
    pub fn proved(&self) -> Option<Verdict> {
        self.proved
    }

    /// The statistics of all moves after the last search, if they are enabled.
    pub fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// Searches for the best move, as [`Player::choose`] says.
    pub fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) -> Answer {
        self.remarks.clear();
        let (moves, _) = root::moves(game, &limits.search_moves, None);
        if moves.is_empty() {
            let is_mate = game.board().in_check();
            let score = if is_mate {
                Score::Mate(0)
            } else {
                Score::Centipawns(0)
            };
            return Answer::new(None, score);
        }
        let options = self.search.options().clone();
        let steering = Steering::new(stop, limits, &options);
        if options.lines == 1
            && !options.verbose
            && let Some(mv) = root::mate_in_one(game, &moves)
        {
            self.proved = Some(Verdict::Win);
            return mating(mv, &moves, &steering, report);
        }
        let budget = budget(limits, &options, game, bank(&options, self.spent));
        let search = &mut self.search;
        search.begin(game, &limits.search_moves, budget, self.model.as_ref());
        let mut listener = Listener {
            report,
            lines: options.lines,
            next: 1,
        };
        self.run(&options, &steering, &mut listener);
        self.finish(game, &options, &steering, &mut listener)
    }

    /// Runs simulations until the search ends.
    fn run(&mut self, options: &Options, steering: &Steering<'_>, listener: &mut Listener<'_>) {
        let search = &mut self.search;
        let model = self.model.as_mut();
        let room = model.capacity().min(options.batch.max(1));
        loop {
            if search.gather(model, room) > 0 {
                model.run();
                search.receive(model, 0);
            }
            listener.hear(search, steering);
            let is_over = steering.must_end(&search.arena, search.simulations);
            if search.is_done() || is_over {
                return;
            }
            let has_root = search.root_stats().visits > 0;
            // Sequential halving must make every choice at the root itself.
            let may_share = !matches!(search.rule, RootRule::Gumbel(_));
            if options.threads > 1 && has_root && may_share {
                break;
            }
        }
        self.helpers.fit(options.threads - 1, &self.models);
        self.helpers
            .run(search, model, steering, &mut |shared, simulations, own| {
                listener.hear_threads(shared, simulations, own, steering);
            });
    }

    fn finish(
        &mut self,
        game: &Game,
        options: &Options,
        steering: &Steering<'_>,
        listener: &mut Listener<'_>,
    ) -> Answer {
        self.proved = self.search.proved();
        self.spent += self.search.simulations;
        let answer = self.search.answer(game);
        let findings = self.search.findings(steering.elapsed());
        listener.tell_last(&findings, answer.best);
        if options.verbose {
            self.remarks = findings.verbose_lines(game.board(), &self.search.selection);
        }
        answer
    }
}

/// The answer in a position with a mate in one.
fn mating(
    mv: Move,
    moves: &[Move],
    steering: &Steering<'_>,
    report: &mut dyn FnMut(&Report),
) -> Answer {
    report(&Report {
        depth: 1,
        selective_depth: 1,
        rank: 1,
        score: Score::Mate(1),
        bound: crate::ScoreBound::Exact,
        wdl: [1000, 0, 0],
        nodes: 1,
        time: steering.elapsed(),
        table_fill: 0,
        tablebase_hits: 0,
        line: vec![mv],
    });
    let statistics = |&other: &Move| MoveStatistics {
        mv: other,
        visits: u32::from(other == mv),
        prior: 1.0 / moves.len() as f32,
        policy: f32::from(u8::from(other == mv)),
        value: f32::from(u8::from(other == mv)),
    };
    Answer {
        nodes: 1,
        chances: Some(Chances {
            win: 1.0,
            draw: 0.0,
            loss: 0.0,
        }),
        moves: moves.iter().map(statistics).collect(),
        ..Answer::new(Some(mv), Score::Mate(1))
    }
}

/// Reports the state of a search whenever its simulations have doubled.
struct Listener<'a> {
    report: &'a mut dyn FnMut(&Report),
    lines: usize,
    /// The next iteration to report.
    next: u32,
}

impl Listener<'_> {
    fn hear(&mut self, search: &Search, steering: &Steering<'_>) {
        if depth_of_simulations(search.simulations) >= self.next {
            self.tell(&search.findings(steering.elapsed()));
        }
    }

    fn hear_threads(
        &mut self,
        shared: &crew::Shared<'_>,
        simulations: u64,
        own: &walker::Tally,
        steering: &Steering<'_>,
    ) {
        if depth_of_simulations(simulations) >= self.next {
            let findings = Findings {
                arena: shared.ground.arena,
                tally: &shared.tally_with(own),
                simulations,
                elapsed: steering.elapsed(),
            };
            self.tell(&findings);
        }
    }

    fn tell(&mut self, findings: &Findings<'_>) {
        self.next = depth_of_simulations(findings.simulations) + 1;
        let reports = findings.reports(self.lines);
        reports.iter().for_each(|line| (self.report)(line));
    }

    /// Reports the final results, beginning with the line that is played.
    fn tell_last(&mut self, findings: &Findings<'_>, best: Option<Move>) {
        let mut reports = findings.reports(self.lines);
        let number = |mv: Move| findings.edges().iter().position(|edge| edge.mv() == mv);
        if let Some(first) = reports.first_mut()
            && first.line.first().copied() != best
            && let Some(number) = best.and_then(number)
        {
            *first = findings.report(1, number);
        }
        reports.iter().for_each(|line| (self.report)(line));
    }
}

impl Player for Mcts {
    fn new_game(&mut self, seed: u64) -> Result<(), Failure> {
        self.search.new_game(seed);
        self.helpers.clear();
        self.spent = 0;
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
