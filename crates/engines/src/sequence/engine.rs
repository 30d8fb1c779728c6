//! The player with its options, each defined once: its declaration for a client, its range, and
//! what setting it changes.

use super::options::{Mode, Options, Scoring};
use super::search::Search;
use crate::excerpt::excerpt;
use crate::options::{CHESS960, Declaration, Definition, OptionValue, PONDER, SHOW_WDL};
use crate::random::Random;
use crate::score::Score;
use crate::time::TimeLimits;
use crate::{Answer, Engine, Failure, Limits, Player, Report, ScoreBound, StopSignal};
use chess::{Game, Move};
use nets::policy::PolicyValue;
use nets::sequence::{GameFacts, STRONG_RATING, SequencePolicy, Thinking};
use nets::{Chances, Model};
use std::path::Path;
use std::time::{Duration, Instant};

/// Evaluations of a search without a limit.
const USUAL_EVALUATIONS: u64 = 256;
/// The fewest and the most evaluations that are planned for a time limit.
const TIMED_EVALUATIONS: [u64; 2] = [16, 100_000];
/// The assumed number of evaluations per second until some were measured.
const FIRST_SPEED: f64 = 2_000.0;
/// Makes the randomness of the thinking time independent of that of the move.
const TIME_SEED: u64 = 0x7AB1_A00A;
/// The largest share of the clock that a move with human thinking time may take.
const MOST_CLOCK_SHARE: f64 = 0.3;
/// How often the stop signal is checked during that time.
const NAP: Duration = Duration::from_millis(5);
/// The share of a move's time for which evaluations are planned; the rest allows for an error in
/// the speed.
const PLANNED_SHARE: f64 = 0.7;

/// A player with any model that has a policy, and with options.
pub struct SequenceEngine {
    model: Model,
    /// The model used when none is named.
    default_model: Model,
    policy: Box<dyn PolicyValue>,
    /// The cache size in mebibytes and the rating with which the policy was created.
    made_for: (usize, u16),
    settings: Settings,
    /// The model in use, as the client named it.
    weights_file: Option<String>,
    seed: u64,
    /// Evaluations per second, a moving average of those measured.
    speed: f64,
}

/// The values of all options.
#[derive(Clone)]
struct Settings {
    search: Options,
    /// The mode; `None` if it follows from the strength.
    mode: Option<Mode>,
    limits_strength: bool,
    elo: u16,
    told_rating: u16,
    /// Whether a move takes as long as a person would think about it.
    human_time: bool,
    /// The size of the cache of events in mebibytes.
    hash: usize,
    /// The name of a model; `None` for the default.
    weights_file: Option<String>,
    /// A model was named since the last change; one that failed to load is tried again.
    names_model: bool,
}

/// The modes in the order of their names; the first one lets the strength decide.
const MODES: [Option<Mode>; 7] = [
    None,
    Some(Mode::Greedy),
    Some(Mode::Sampled),
    Some(Mode::Rerank),
    Some(Mode::DepthTwo),
    Some(Mode::Beam),
    Some(Mode::Halving),
];
const MODE_WORDS: &[&str] = &[
    "auto", "greedy", "sampled", "rerank", "depth2", "beam", "halving",
];

/// All options, in the order in which they are declared to a client.
const DEFINITIONS: &[Definition<Settings>] = &[
    Definition::spin("Hash", 256, [1, 65_536], |settings, value| {
        settings.hash = value as usize;
    }),
    Definition::spin("MultiPV", 1, [1, 256], |settings, value| {
        settings.search.lines = value as usize;
    }),
    Definition::of_front(PONDER),
    Definition::spin("Move Overhead", 10, [0, 5_000], |settings, value| {
        settings.search.move_overhead = Duration::from_millis(value as u64);
    }),
    Definition::of_front(CHESS960),
    Definition::of_front(SHOW_WDL),
    Definition::check("UCI_LimitStrength", false, |settings, value| {
        settings.limits_strength = value;
    }),
    Definition::spin("UCI_Elo", 1_500, [800, 3_000], |settings, value| {
        settings.elo = value as u16;
    }),
    Definition::spin(
        "ToldRating",
        STRONG_RATING as i64,
        [0, 3_000],
        |settings, value| settings.told_rating = value as u16,
    ),
    Definition::check("HumanTime", false, |settings, value| {
        settings.human_time = value;
    }),
    Definition::text("WeightsFile", |settings, value| {
        settings.weights_file = value.map(str::to_owned);
        settings.names_model = true;
    }),
    Definition::combo("Mode", MODE_WORDS, |settings, value| {
        settings.mode = MODES.get(value).copied().flatten();
    }),
    Definition::spin("Evaluations", 0, [0, 10_000_000], |settings, value| {
        settings.search.evaluations = value as u64;
    }),
    Definition::decimal("Temperature", 1_000, [0, 10_000], |settings, value| {
        settings.search.temperature = value;
    }),
    Definition::spin("TopK", 0, [0, 256], |settings, value| {
        settings.search.top_k = value as usize;
    }),
    Definition::decimal("TopP", 1_000, [0, 1_000], |settings, value| {
        settings.search.top_p = value;
    }),
    Definition::spin("Candidates", 8, [1, 256], |settings, value| {
        settings.search.candidates = value as usize;
    }),
    Definition::spin("Replies", 8, [1, 256], |settings, value| {
        settings.search.replies = value as usize;
    }),
    Definition::combo("Scoring", &["policy", "value"], |settings, value| {
        settings.search.scoring = match value {
            0 => Scoring::Policy,
            _ => Scoring::Value,
        };
    }),
    Definition::decimal("ValueWeight", 350, [0, 100_000], |settings, value| {
        settings.search.value_weight = value;
    }),
    Definition::decimal("PriorWeight", 50, [0, 100_000], |settings, value| {
        settings.search.prior_weight = value;
    }),
    Definition::spin("HalvingMoves", 16, [1, 256], |settings, value| {
        settings.search.arms = value as usize;
    }),
    Definition::spin("OwnMoves", 3, [1, 256], |settings, value| {
        settings.search.own_moves = value as usize;
    }),
    Definition::spin("OpponentMoves", 2, [1, 256], |settings, value| {
        settings.search.opponent_moves = value as usize;
    }),
    Definition::spin("SearchDepth", 0, [0, 64], |settings, value| {
        settings.search.depth = value as u32;
    }),
    Definition::spin("Rounds", 0, [0, 16], |settings, value| {
        settings.search.rounds = value as u32;
    }),
];

impl Settings {
    /// The rating that is given to the model as input; 0 for none.
    fn rating(&self) -> u16 {
        match self.limits_strength {
            true => self.elo,
            false => self.told_rating,
        }
    }

    /// The search options. With a limited strength moves are sampled by default, otherwise searched
    /// for.
    fn options(&self) -> Options {
        let usual = match self.limits_strength {
            true => Mode::Sampled,
            false => Mode::Halving,
        };
        Options {
            mode: self.mode.unwrap_or(usual),
            ..self.search.clone()
        }
    }
}

impl SequenceEngine {
    /// A player with this model and a cache of `hash` mebibytes.
    pub fn new(model: Model, hash: usize) -> SequenceEngine {
        let settings = Settings {
            search: Options::default(),
            mode: None,
            limits_strength: false,
            elo: 1_500,
            told_rating: STRONG_RATING,
            human_time: false,
            hash,
            weights_file: None,
            names_model: false,
        };
        SequenceEngine {
            policy: policy(&model, hash, settings.rating()),
            made_for: (hash, settings.rating()),
            default_model: model.clone(),
            model,
            settings,
            weights_file: None,
            seed: 0,
            speed: FIRST_SPEED,
        }
    }

    /// The options of such players.
    pub fn declarations() -> Vec<Declaration> {
        DEFINITIONS
            .iter()
            .map(|definition| definition.declaration)
            .collect()
    }

    /// The one place where changed settings reach the player.
    fn apply(&mut self, tell: &mut dyn FnMut(String)) {
        let is_new = std::mem::take(&mut self.settings.names_model) && self.choose_model(tell);
        let wanted = (self.settings.hash, self.settings.rating());
        if is_new || wanted != self.made_for {
            self.policy = policy(&self.model, wanted.0, wanted.1);
            self.made_for = wanted;
        }
    }

    /// The model of human thinking time, if it is enabled and the model has one.
    fn thinking(&self) -> Option<&Thinking> {
        match &self.model {
            Model::Sequence(file) if self.settings.human_time => file.weights.thinking.as_ref(),
            _ => None,
        }
    }

    /// How long a person would think about a move in this position of the game.
    pub(super) fn human_time(&self, game: &Game, limits: &Limits) -> Option<Duration> {
        let (thinking, clock) = (self.thinking()?, limits.clock?);
        let ply = game.moves().len();
        let rating = match self.settings.rating() {
            0 => STRONG_RATING,
            rating => rating,
        };
        // Drawn separately from what is drawn for the move itself.
        let chance = Random::new(self.seed ^ TIME_SEED, ply).share();
        let share = thinking.share(rating, ply, chance).min(MOST_CLOCK_SHARE);
        let left = clock
            .remaining
            .saturating_sub(self.settings.search.move_overhead);
        Some(left.mul_f64(share))
    }

    /// Loads the model that the client named; if that fails, the model in use is kept.
    fn choose_model(&mut self, tell: &mut dyn FnMut(String)) -> bool {
        let named = self.settings.weights_file.clone();
        if named == self.weights_file {
            return false;
        }
        let model = match &named {
            None => Ok(self.default_model.clone()),
            Some(path) => Model::named(Path::new(path)).map_err(|error| error.to_string()),
        };
        match model {
            Ok(model) => {
                self.weights_file = named;
                tell(format!("model is {model}: {}", model.description()));
                self.model = model;
                true
            }
            Err(problem) => {
                let path = excerpt(named.as_deref().unwrap_or_default());
                let kept = &self.model;
                tell(format!("WeightsFile {path}: {problem}; {kept} is kept"));
                false
            }
        }
    }

    /// How many evaluations a move may take.
    fn evaluations(&self, limits: &Limits, time: &TimeLimits) -> u64 {
        let set = self.settings.search.evaluations;
        if set > 0 {
            return set;
        }
        if let Some(nodes) = limits.nodes.or(limits.soft_nodes) {
            // The root counts as one of them.
            return nodes.saturating_sub(1).max(1);
        }
        match time.soft.or(time.hard) {
            None => USUAL_EVALUATIONS,
            Some(time) => {
                let planned = self.speed * time.as_secs_f64() * PLANNED_SHARE;
                let [least, most] = TIMED_EVALUATIONS;
                (planned as u64).clamp(least, most)
            }
        }
    }

    fn run(
        &mut self,
        search: &mut Search,
        time: &TimeLimits,
        begin: Instant,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) {
        let mut next_report = 32;
        loop {
            let must_end =
                stop.is_stopped() || time.hard.is_some_and(|hard| begin.elapsed() >= hard);
            if must_end && search.can_answer() {
                return;
            }
            let model = self.policy.as_mut();
            let room = model.capacity();
            if search.gather(model, room) == 0 {
                return;
            }
            model.run();
            search.receive(model, 0);
            if search.evaluations() >= next_report {
                next_report = 2 * search.evaluations();
                tell(search, begin, report);
            }
        }
    }

    /// Updates the measured speed of evaluations.
    fn note_speed(&mut self, evaluations: u64, time: Duration) {
        // A few evaluations are too little for a measurement.
        if evaluations >= 8 {
            let speed = evaluations as f64 / time.as_secs_f64().max(1e-6);
            self.speed += 0.3 * (speed - self.speed);
        }
    }
}

/// The model's policy for one thread, with the rating as input if it has one.
fn policy(model: &Model, mebibytes: usize, rating: u16) -> Box<dyn PolicyValue> {
    let Model::Sequence(file) = model else {
        return model.policy_value();
    };
    let facts = GameFacts {
        ratings: [(rating > 0).then_some(rating); 2],
        ..GameFacts::default()
    };
    let mut policy = SequencePolicy::with_facts(file.net.clone(), facts);
    policy.set_room(mebibytes);
    Box::new(policy)
}

/// Waits until `end` or until the stop signal.
fn wait_until(end: Instant, stop: &StopSignal) {
    while !stop.is_stopped() {
        match end.checked_duration_since(Instant::now()) {
            Some(left) if !left.is_zero() => std::thread::sleep(left.min(NAP)),
            _ => return,
        }
    }
}

/// The moves to choose from; all if none of those asked for is legal.
fn root_moves(game: &Game, wanted: &[Move]) -> Vec<Move> {
    let legal = game.board().legal_moves();
    let is_wanted = |mv: &&Move| wanted.contains(mv);
    let chosen: Vec<Move> = legal.iter().filter(is_wanted).copied().collect();
    match chosen.is_empty() {
        true => legal.to_vec(),
        false => chosen,
    }
}

/// A move that mates in one.
fn mate_in_one(game: &Game, moves: &[Move]) -> Option<Move> {
    let board = game.board();
    let mates = |mv: &&Move| board.gives_check(**mv) && !board.after(**mv).has_legal_move();
    moves.iter().find(mates).copied()
}

/// One report for each of the best lines.
fn tell(search: &Search, begin: Instant, report: &mut dyn FnMut(&Report)) {
    for (index, told) in search.lines().into_iter().enumerate() {
        let Chances { win, draw, .. } = told.chances;
        let thousandths = |chance: f32| (chance * 1000.0).round() as u32;
        let win = thousandths(win).min(1000);
        let draw = thousandths(draw).min(1000 - win);
        report(&Report {
            depth: search.deepest().max(1),
            selective_depth: search.deepest().max(1),
            rank: index + 1,
            score: told.score,
            bound: ScoreBound::Exact,
            wdl: [win, draw, 1000 - win - draw],
            nodes: search.evaluations(),
            time: begin.elapsed(),
            table_fill: 0,
            tablebase_hits: 0,
            line: told.line,
        });
    }
}

impl Player for SequenceEngine {
    fn new_game(&mut self, seed: u64) -> Result<(), Failure> {
        self.seed = seed;
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Answer, Failure> {
        let moves = root_moves(game, &limits.search_moves);
        if moves.is_empty() {
            let is_mate = game.board().in_check();
            let score = if is_mate {
                Score::Mate(0)
            } else {
                Score::Centipawns(0)
            };
            return Ok(Answer::new(None, score));
        }
        let begin = limits.since.unwrap_or_else(Instant::now);
        let options = self.settings.options();
        // A player that imitates people may overlook a mate like people do.
        if options.mode != Mode::Sampled
            && let Some(mv) = mate_in_one(game, &moves)
        {
            return Ok(Answer::new(Some(mv), Score::Mate(1)));
        }
        let time = TimeLimits::of(limits, options.move_overhead);
        let evaluations = self.evaluations(limits, &time);
        let mut options = options;
        if let Some(depth) = limits.depth {
            options.depth = depth;
        }
        let mut search = Search::new(game, moves, options, evaluations, self.seed);
        let started = Instant::now();
        self.run(&mut search, &time, begin, stop, report);
        self.note_speed(search.evaluations(), started.elapsed());
        tell(&search, begin, report);
        if let Some(time) = self.human_time(game, limits) {
            wait_until(begin + time, stop);
        }
        Ok(search.answer())
    }
}

impl Engine for SequenceEngine {
    fn declarations(&self) -> Vec<Declaration> {
        SequenceEngine::declarations()
    }

    fn set_option(&mut self, name: &str, value: &OptionValue, tell: &mut dyn FnMut(String)) {
        let is_meant = |definition: &&Definition<Settings>| definition.declaration.name == name;
        if let Some(definition) = DEFINITIONS.iter().find(is_meant) {
            definition.set(&mut self.settings, value);
            self.apply(tell);
        }
    }

    fn model(&self) -> &Model {
        &self.model
    }
}
