//! One game's search: a tree, the position that it belongs to, and what is known about the root.
//!
//! A search does not run by itself. Its driver lets it put positions into a model's batch, runs the
//! model, and lets it receive the results. Many searches can fill one batch, so that one thread
//! plays many games at once. With a model whose value and policy are computed separately, a search
//! simulates at once and puts nothing into a batch. This module must not know clocks, threads or
//! signals.

use super::arena::{Arena, Proof, ROOT, Stats};
use super::backup::Company;
use super::gumbel::Gumbel;
use super::options::Options;
use super::report::Findings;
use super::root::{self, Fines, RootRule};
use super::selection::Selection;
use super::steering::{depth_of_simulations, is_dominated};
use super::walker::{Ground, Walker};
use crate::Answer;
use crate::random::Random;
use crate::score::Score;
use crate::tablebase::{Tablebases, Verdict};
use chess::{Game, Line, Move};
use nets::Chances;
use nets::policy::PolicyValue;
use std::sync::Arc;
use std::time::Duration;

/// Simulations between two checks of clock and signals, for models whose value and policy are
/// computed separately.
pub(super) const BURST: u64 = 64;

/// One game's search; see the module.
pub struct Search {
    pub(super) options: Options,
    pub(super) selection: Selection,
    pub(super) arena: Arena,
    pub(super) walker: Walker,
    pub(super) rule: RootRule,
    pub(super) random: Random,
    pub(super) tablebases: Option<Arc<Tablebases>>,
    /// Whether tablebases are probed within the tree; not if they ranked the root's moves.
    pub(super) probes: bool,
    seed: u64,
    /// Whether the tree belongs to the walker's root.
    has_tree: bool,
    /// The simulations of this search so far.
    pub(super) simulations: u64,
    budget: u64,
    /// Which walks may be in progress at the same time.
    company: Company,
}

impl Search {
    /// A search with these options; the number of threads is up to the driver.
    pub fn new(options: Options) -> Search {
        Search {
            selection: Selection::new(&options),
            arena: Arena::new(options.hash),
            walker: Walker::new(0),
            rule: RootRule::Plain,
            random: Random::new(0, 0),
            tablebases: None,
            probes: false,
            seed: 0,
            has_tree: false,
            simulations: 0,
            budget: 0,
            company: Company::Alone,
            options,
        }
    }

    /// The settings.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes settings; a tree of another size starts empty.
    pub fn set_options(&mut self, options: Options) {
        if options.hash != self.options.hash {
            // Freed first: there may not be memory for both trees.
            self.arena = Arena::new(1);
            self.arena = Arena::new(options.hash);
            self.has_tree = false;
        }
        self.selection = Selection::new(&options);
        self.options = options;
    }

    /// The size of the tree in mebibytes: smaller than asked for if there is not enough memory.
    pub fn size(&self) -> usize {
        self.arena.mebibytes()
    }

    /// Sets the tablebases to use; `None` for no tablebases.
    pub fn set_tablebases(&mut self, tablebases: Option<Arc<Tablebases>>) {
        self.tablebases = tablebases;
        self.has_tree = false;
    }

    /// Begins a new game, whose randomness is determined by the seed.
    pub fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.forget();
    }

    /// Clears the tree and the cache.
    pub fn forget(&mut self) {
        self.has_tree = false;
        self.walker.forget();
    }

    /// Begins a search of at most this many simulations. Only the moves in `wanted` are searched;
    /// all if it is empty. The game must have a legal move.
    pub fn begin(
        &mut self,
        game: &Game,
        wanted: &[Move],
        simulations: u64,
        model: &dyn PolicyValue,
    ) {
        self.random = Random::new(self.seed, game.line().length());
        let (mut moves, is_ranked) = root::moves(game, wanted, self.tablebases.as_deref());
        self.probes = !is_ranked;
        let is_whole = moves.len() == game.board().legal_moves().len();
        let may_reuse = is_whole && self.options.reuses_tree && !self.options.wants_fresh_root();
        let is_reused = may_reuse && self.has_tree && self.advance_to(game.line());
        if !is_reused {
            self.arena.clear();
        }
        self.random.shuffle(&mut moves);
        let noise = root::noise(&self.options, moves.len(), &mut self.random);
        if let (true, Some(noise)) = (is_reused, &noise) {
            root::add_noise(&self.arena, noise);
        }
        self.walker.begin(game.line(), &moves, noise);
        if is_ranked {
            self.walker.tally.tablebase_hits = moves.len() as u64;
        }
        self.has_tree = is_whole;
        self.simulations = 0;
        self.budget = simulations;
        self.rule = self.root_rule(game.line(), &moves);
        self.company = Company::Alone;
        if model.is_joint() {
            let is_blind = self.options.flaws.blind_cache;
            self.walker.set_cache(self.options.cache, is_blind);
            self.company = Company::Batch;
        }
    }

    /// How a new search chooses moves at the root.
    fn root_rule(&self, line: &Line, moves: &[Move]) -> RootRule {
        let options = &self.options;
        if options.gumbel_moves > 0 && self.budget < u64::MAX {
            let budget = self.budget.saturating_sub(1);
            let gumbel = Gumbel::new(options, budget, self.random.clone());
            return RootRule::Gumbel(Box::new(gumbel));
        }
        let fines = Fines::for_repetitions(line, moves, options.repetition_penalty);
        fines.map_or(RootRule::Plain, RootRule::Fined)
    }

    /// Moves the root to the end of this line, if it continues the line of the last root and the
    /// tree contains it.
    fn advance_to(&mut self, line: &Line) -> bool {
        let old = self.walker.root_line().boards();
        let new = line.boards();
        if new.len() < old.len() || new[..old.len()] != *old {
            return false;
        }
        let mut edge = ROOT;
        for pair in new[old.len() - 1..].windows(2) {
            let header = self.arena.slot(edge).link().place();
            if header == 0 {
                return false;
            }
            let edges = self.arena.edges(header);
            let leads_there = |number: &usize| pair[0].after(edges[*number].mv()) == pair[1];
            let Some(number) = (0..edges.len()).find(leads_there) else {
                return false;
            };
            edge = header + 1 + number as u32;
        }
        if self.arena.slot(edge).link().place() == 0 {
            return false;
        }
        if edge != ROOT {
            self.arena.advance_root(edge);
        }
        true
    }

    /// Whether nothing remains to be done: all simulations are done, or the result is proved.
    pub fn is_done(&self) -> bool {
        self.simulations >= self.budget || self.root_proof() != Proof::Open
    }

    /// What is proved for the side to move.
    pub(super) fn root_proof(&self) -> Proof {
        self.arena.slot(ROOT).link().proof().turned()
    }

    /// Visits of the root and their mean value for the side to move.
    pub(super) fn root_stats(&self) -> Stats {
        let stats = self.arena.slot(ROOT).stats();
        Stats {
            visits: stats.visits,
            value: -stats.value,
        }
    }

    /// Simulations done since the search began.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// Puts positions into the model's batch, at most `room`, and returns how many. If it is 0,
    /// either some simulations were done that need no batch, or nothing remains to be done. The
    /// batch must be run and [received](Search::receive) before the next call.
    pub fn gather(&mut self, model: &mut dyn PolicyValue, room: usize) -> usize {
        if self.is_done() {
            return 0;
        }
        let left = self.budget - self.simulations;
        let walks = match model.is_joint() {
            true => room.max(1),
            false => 1,
        };
        if !self.ground(self.company).has_room_for(walks + 1) {
            self.arena.make_room();
        }
        let ground = Ground {
            arena: &self.arena,
            selection: &self.selection,
            policy_temperature: self.options.policy_temperature,
            flaws: self.options.flaws,
            tablebases: self.tablebases.as_deref().filter(|_| self.probes),
            company: self.company,
        };
        if model.is_joint() {
            // Walks to proved or already pending leaves add no position, so there may be more walks
            // than positions.
            let most = left.min(2 * walks as u64) as usize;
            let begun = self
                .walker
                .gather(&ground, &mut self.rule, model, walks, most);
            self.simulations += begun as u64;
            return self.walker.gathered();
        }
        for _ in 0..left.min(BURST) {
            self.walker.simulate(&ground, &mut self.rule, model);
            self.simulations += 1;
            let is_proved = !self.arena.slot(ROOT).link().is_open();
            if is_proved || !ground.has_room_for(walks + 1) {
                break;
            }
        }
        0
    }

    /// Takes the results of the positions that were last put into the batch; `first` is the index
    /// of the first one.
    pub fn receive(&mut self, model: &dyn PolicyValue, first: usize) {
        let ground = Ground {
            arena: &self.arena,
            selection: &self.selection,
            policy_temperature: self.options.policy_temperature,
            flaws: self.options.flaws,
            tablebases: None,
            company: self.company,
        };
        self.walker.receive(&ground, model, first);
    }

    pub(super) fn ground(&self, company: Company) -> Ground<'_> {
        Ground {
            arena: &self.arena,
            selection: &self.selection,
            policy_temperature: self.options.policy_temperature,
            flaws: self.options.flaws,
            tablebases: self.tablebases.as_deref().filter(|_| self.probes),
            company,
        }
    }

    /// The result for the side to move, if it is proved.
    pub fn proved(&self) -> Option<Verdict> {
        match self.root_proof() {
            Proof::Open => None,
            Proof::Win => Some(Verdict::Win),
            Proof::Draw => Some(Verdict::Draw),
            Proof::Loss => Some(Verdict::Loss),
        }
    }

    /// Whether the published early stop would end the search now.
    pub fn is_dominated(&self) -> bool {
        is_dominated(&self.arena, &self.options, self.simulations)
    }

    /// The win, draw and loss probabilities for the side to move, by all simulations so far.
    pub fn chances(&self) -> Chances {
        let value = match self.root_proof() {
            Proof::Open => self.root_stats().value.clamp(-1.0, 1.0),
            proof => proof.value(),
        };
        let most = 1.0 - value.abs();
        let tally = &self.walker.tally;
        let own = tally.root_draw.map_or((0, 0.0), |draw| (1, draw.into()));
        let (visits, sum) = tally
            .draws
            .iter()
            .fold(own, |(visits, sum), each| (visits + each.0, sum + each.1));
        let draw = match (self.root_proof(), visits) {
            (Proof::Open, 1..) => ((sum / f64::from(visits)) as f32).clamp(0.0, most),
            _ => most,
        };
        Chances {
            win: (1.0 - draw + value) / 2.0,
            draw,
            loss: (1.0 - draw - value) / 2.0,
        }
    }

    /// A view of the tree.
    pub(super) fn findings(&self, elapsed: Duration) -> Findings<'_> {
        Findings {
            arena: &self.arena,
            tally: &self.walker.tally,
            simulations: self.simulations,
            elapsed,
        }
    }

    /// The move to play and the results of all moves; the game must be the one with which the
    /// search began.
    pub fn answer(&mut self, game: &Game) -> Answer {
        let number = u32::from(game.board().fullmove_number());
        let temperature = self.options.temperature_at(number);
        let sampled = root::sample(&self.arena, temperature, &mut self.random);
        let findings = self.findings(Duration::ZERO);
        let gumbel = match &self.rule {
            RootRule::Gumbel(gumbel) => Some(gumbel.as_ref()),
            RootRule::Plain | RootRule::Fined(_) => None,
        };
        let halved = gumbel.and_then(|gumbel| gumbel.best(findings.edges(), self.root_stats()));
        let is_open = self.root_proof() == Proof::Open;
        let by_rule = sampled.or(halved).filter(|_| is_open);
        let Some(best) = by_rule.or_else(|| findings.ranking().first().copied()) else {
            // Nothing was searched: any move is as good as the first.
            let first = game.board().legal_moves().first().copied();
            return Answer::new(first, Score::Centipawns(0));
        };
        let line = findings.line(best);
        Answer {
            ponder: line.get(1).copied(),
            depth: depth_of_simulations(self.simulations),
            nodes: self.simulations,
            chances: Some(findings.chances(best)),
            moves: findings.statistics(gumbel),
            ..Answer::new(line.first().copied(), findings.score(best))
        }
    }

    /// The limit of simulations.
    pub(super) fn budget(&self) -> u64 {
        self.budget
    }

    /// What the walkers share, their rule at the root, and the main walker.
    pub(super) fn parts(&mut self, company: Company) -> (Ground<'_>, &RootRule, &mut Walker) {
        let ground = Ground {
            arena: &self.arena,
            selection: &self.selection,
            policy_temperature: self.options.policy_temperature,
            flaws: self.options.flaws,
            tablebases: self.tablebases.as_deref().filter(|_| self.probes),
            company,
        };
        (ground, &self.rule, &mut self.walker)
    }
}
