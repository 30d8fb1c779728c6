//! One game of exploration. It is played on until its search waits for the model, or the game has
//! ended; the searches of different games are independent.

use super::resignation::Resigning;
use super::rows::{self, Explored, Manner, Row};
use super::table::Exploring;
use crate::game::{Adjudicator, Outcome, Reason};
use crate::openings::{Opening, random_move};
use crate::selfplay::record::GameRecord;
use chess::{Board, Game, Move};
use data::random::{self, Generator};
use engines::mcts::{Options, Search, mate_in_one, simulations_for};
use engines::score::Score;
use nets::Chances;
use nets::policy::PolicyValue;

/// A Gumbel root considers at most one move per this many simulations.
const SIMULATIONS_A_MOVE: u64 = 2;

/// Why a game stopped playing on.
pub(super) enum Next {
    /// It waits for the last positions of the model's batch: this many.
    Waits(usize),
    /// It has ended.
    Ended(Box<GameRecord>),
}

/// A game in play.
pub(super) struct Explorer<'a> {
    exploring: &'a Exploring,
    pub(super) number: u64,
    game: Game,
    /// Plies of the opening.
    opening: usize,
    generator: Generator,
    pub(super) search: Search,
    adjudicator: Adjudicator<'a>,
    resigning: Resigning,
    /// Whether moves are searched at all.
    searched: bool,
    manner: Manner,
    rows: Vec<Row>,
    simulations: u64,
    evaluations: u64,
    /// The seconds of its thread that it took.
    pub(super) seconds: f64,
    end: Option<(Outcome, Reason)>,
    /// Whether a search has begun and not yet ended.
    is_searching: bool,
}

impl<'a> Explorer<'a> {
    /// Begins the game with this number, with a search that another game no longer needs.
    pub(super) fn begin(exploring: &'a Exploring, number: u64, mut search: Search) -> Explorer<'a> {
        let settings = &exploring.explore;
        let mut generator = random::generator(exploring.seed, number);
        let searched = random::chance(&mut generator, exploring.searched_share);
        let plays_on =
            (settings.resign).is_some_and(|rule| random::chance(&mut generator, rule.play_through));
        let opening = match random::chance(&mut generator, settings.book_share) {
            true => {
                let number = random::below(&mut generator, exploring.openings.len() as u64);
                exploring.openings.get(number as usize).clone()
            }
            false => Opening::new(Board::start()),
        };
        let game = opening.wander(exploring.settings.random_plies, &mut generator);
        search.new_game(random::hashed(exploring.seed ^ random::hashed(number)));
        Explorer {
            opening: game.moves().len(),
            end: game
                .termination()
                .map(|end| (Outcome::of(end.winner()), end.into())),
            exploring,
            number,
            game,
            generator,
            search,
            adjudicator: Adjudicator::new(&exploring.rules),
            resigning: Resigning::new(settings.resign, plays_on),
            searched,
            manner: Manner::Policy,
            rows: Vec::new(),
            simulations: 0,
            evaluations: 0,
            seconds: 0.0,
            is_searching: false,
        }
    }

    /// Plays on until the game waits or has ended. What it waited for must have been received.
    pub(super) fn go_on(&mut self, model: &mut dyn PolicyValue) -> Next {
        loop {
            if let Some((outcome, reason)) = self.end {
                return Next::Ended(Box::new(self.record(outcome, reason)));
            }
            if !self.is_searching {
                self.begin_move(model);
                continue;
            }
            if self.search.is_done() || self.search.is_dominated() {
                self.end_search();
                continue;
            }
            let gathered = self.search.gather(model, 1);
            if gathered > 0 {
                self.evaluations += gathered as u64;
                return Next::Waits(gathered);
            }
        }
    }

    fn ply(&self) -> u32 {
        self.game.moves().len() as u32
    }

    fn begin_move(&mut self, model: &dyn PolicyValue) {
        let settings = &self.exploring.explore;
        let in_opening = self.game.moves().len() < self.opening + settings.policy_plies as usize;
        self.manner = match self.searched && !in_opening {
            true if random::chance(&mut self.generator, settings.full_share) => Manner::Full,
            true => Manner::Cheap,
            false => Manner::Policy,
        };
        if self.manner != Manner::Policy
            && settings.mate_in_one
            && let Some(mv) = mate_in_one(&self.game)
        {
            return self.mate(mv);
        }
        let (options, simulations) = self.plan();
        let budget = match self.manner {
            Manner::Policy => 1,
            Manner::Full | Manner::Cheap => {
                simulations_for(&self.game, simulations, &options, self.simulations)
            }
        };
        self.search.set_options(options);
        self.search.begin(&self.game, &[], budget, model);
        self.is_searching = true;
    }

    /// The options of the search for this move, and its number of simulations.
    fn plan(&self) -> (Options, u64) {
        let (exploring, settings) = (self.exploring, &self.exploring.explore);
        let temperature =
            (settings.temperature.of(self.ply()) * exploring.temperature_factor) as f32;
        let mut options = exploring.options.clone();
        let simulations = match self.manner {
            Manner::Full => exploring.simulations,
            Manner::Cheap => exploring.cheap_simulations,
            Manner::Policy => 1,
        };
        let considered = (simulations / SIMULATIONS_A_MOVE).max(2) as usize;
        options.gumbel_moves = match self.manner {
            Manner::Policy => 0,
            Manner::Full | Manner::Cheap => settings.gumbel_moves.min(considered),
        };
        // A Gumbel root already draws the move by its noise.
        let is_gumbel = options.gumbel_moves > 0;
        options.temperature = if is_gumbel { 0.0 } else { temperature };
        if is_gumbel && self.manner == Manner::Cheap {
            options.gumbel_noise = temperature;
        }
        options.noise_epsilon = 0.0;
        if let (Manner::Full, Some([alpha, epsilon])) = (self.manner, exploring.noise) {
            (options.noise_alpha, options.noise_epsilon) = (alpha, epsilon);
        }
        (options, simulations)
    }

    /// Plays a mate in one.
    fn mate(&mut self, mv: Move) {
        let won = Chances {
            win: 1.0,
            draw: 0.0,
            loss: 0.0,
        };
        self.note(Row::certain(&self.game, mv, won));
        self.play(mv, Score::Mate(1), 1.0);
    }

    fn end_search(&mut self) {
        self.is_searching = false;
        self.simulations += self.search.simulations();
        let answer = self.search.answer(&self.game);
        let chances = self.search.chances();
        let settings = &self.exploring.explore;
        let learns = match self.manner {
            Manner::Full => true,
            Manner::Cheap => settings.learn_cheap,
            Manner::Policy => settings.learn_unsearched,
        };
        self.note(Row::new(&self.game, &answer.moves, chances, learns));
        let by_lot = self.manner == Manner::Policy
            && random::chance(&mut self.generator, settings.uniform_share);
        let mv = match by_lot {
            true => random_move(self.game.board(), &mut self.generator),
            false => answer.best,
        };
        // A position whose game has not ended has legal moves.
        if let Some(mv) = mv {
            self.play(mv, answer.score, chances.value());
        }
    }

    /// Records a row, unless the settings exclude its position.
    fn note(&mut self, row: Row) {
        let settings = &self.exploring.explore;
        let is_early = |most: u32| u32::from(row.board().halfmove_clock()) < most;
        let has_room = |most: u32| self.rows.len() < most as usize;
        if settings.below_clock.is_none_or(is_early) && settings.most_rows.is_none_or(has_room) {
            self.rows.push(row);
        }
    }

    /// Makes a move, with the mover's score and value, and checks whether the game ends.
    fn play(&mut self, mv: Move, score: Score, value: f32) {
        let mover = self.game.board().side_to_move();
        let ply = self.ply();
        if self.game.play(mv).is_err() {
            // Searches only find legal moves; an illegal one is a bug.
            self.end = Some((Outcome::of(Some(!mover)), Reason::IllegalMove));
            return;
        }
        let by_rules = |game: &Game| {
            let end = game.termination()?;
            Some((Outcome::of(end.winner()), end.into()))
        };
        let resigns = self.resigning.hear(mover, value, ply);
        let clock = u32::from(self.game.board().halfmove_clock());
        let quick_draw = self.exploring.explore.quick_draw;
        self.end = by_rules(&self.game)
            .or_else(|| resigns.then(|| (Outcome::of(Some(!mover)), Reason::Resignation)))
            .or_else(|| {
                let is_quiet = quick_draw.is_some_and(|most| clock >= most);
                is_quiet.then_some((Outcome::Draw, Reason::QuickDraw))
            })
            .or_else(|| self.adjudicator.judge(&self.game, mover, Some(score)));
    }

    /// Its line for the record.
    fn record(&mut self, result: Outcome, reason: Reason) -> GameRecord {
        let surprise = self.exploring.explore.surprise;
        let (rows, full_rows) = rows::finish(&mut self.rows, &self.game, result, surprise);
        let start = &self.game.line().boards()[0];
        if self.exploring.is_one_by_one {
            self.evaluations = self.simulations;
        }
        GameRecord {
            game: self.number,
            result,
            reason,
            plies: (self.game.moves().len() - self.opening) as u32,
            positions: self.rows.len() as u64,
            // Set by the table that plays it.
            seconds: 0.0,
            thinking_seconds: 0.0,
            // Set when the game is received.
            at: 0.0,
            chains: String::new(),
            explored: Some(Explored {
                fen: (*start != Board::start()).then(|| start.fen()),
                moves: rows::moves(&self.game),
                opening: self.opening as u32,
                searched: self.searched,
                full_rows,
                simulations: self.simulations,
                evaluations: self.evaluations,
                resignation: self.resigning.first,
                rows,
            }),
        }
    }
}
