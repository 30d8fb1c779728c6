//! Many games side by side on one thread: each contributes one position at a time to the model's
//! batch.

use super::game::{Explorer, Next};
use super::settings::ExploreSettings;
use crate::game::Rules;
use crate::openings::Openings;
use crate::selfplay::record::GameRecord;
use crate::selfplay::settings::Settings;
use crate::selfplay::worker::{Fault, PIECE};
use engines::mcts::{Options, Search};
use engines::recipe::MctsRecipe;
use engines::{STACK_BYTES, StopSignal};
use nets::policy::PolicyValue;
use std::time::Instant;
use work::{Counter, Job, Outcome, Piece, Portable, Taken, Worker};

/// What all games have in common.
pub(in crate::selfplay) struct Exploring {
    pub(super) settings: Settings,
    pub(super) explore: ExploreSettings,
    pub(super) generation: u32,
    pub(super) player: MctsRecipe,
    pub(super) openings: Openings,
    pub(super) rules: Rules,
    pub(super) seed: u64,
    pub(super) options: Options,
    /// The settings that change from generation to generation.
    pub(super) simulations: u64,
    pub(super) cheap_simulations: u64,
    pub(super) temperature_factor: f64,
    pub(super) searched_share: f64,
    pub(super) noise: Option<[f32; 2]>,
    /// Whether the model evaluates one position at a time, without batches.
    pub(super) is_one_by_one: bool,
    at_once: usize,
}

impl Exploring {
    /// The games of a generation by this player.
    pub(in crate::selfplay) fn new(
        (settings, explore): (Settings, ExploreSettings),
        generation: u32,
        mut player: MctsRecipe,
        openings: Openings,
        seed: u64,
    ) -> Exploring {
        player.model = explore.backend.of(player.model);
        let trial = player.model.policy_value();
        let at_once = match trial.is_joint() {
            true => explore.games_at_once.min(trial.capacity()),
            false => 1,
        };
        let noise = explore.noise.as_ref();
        Exploring {
            rules: Rules {
                endings: settings.endings(generation),
                oracle: None,
            },
            options: options(&player, &explore),
            simulations: explore.simulations.of(generation),
            cheap_simulations: explore.cheap_simulations.of(generation),
            temperature_factor: explore.temperature_factor.of(generation),
            searched_share: explore.searched_share.of(generation),
            noise: noise.map(|noise| {
                [&noise.alpha, &noise.epsilon].map(|number| number.of(generation) as f32)
            }),
            is_one_by_one: !trial.is_joint(),
            settings,
            explore,
            generation,
            player,
            openings,
            seed,
            at_once,
        }
    }
}

/// The search options of these games: those of the player, overridden by those of the settings.
fn options(player: &MctsRecipe, explore: &ExploreSettings) -> Options {
    let mut player = player.clone();
    player.options.extend(explore.option.clone());
    Options {
        policy_temperature: explore.policy_temperature as f32,
        threads: 1,
        ..player.engine().search_options().clone()
    }
}

impl Job for Exploring {
    fn piece_name(&self) -> &'static str {
        PIECE
    }

    fn stack_bytes(&self) -> usize {
        STACK_BYTES
    }

    fn side_by_side(&self) -> usize {
        self.at_once
    }

    fn worker(&self, _: usize) -> Box<dyn Worker + '_> {
        Box::new(Table {
            exploring: self,
            model: self.player.model.policy_value(),
            games: Vec::new(),
            searches: Vec::new(),
        })
    }

    fn portable(&self) -> Option<&dyn Portable> {
        Some(self)
    }
}

/// A thread's games.
struct Table<'a> {
    exploring: &'a Exploring,
    model: Box<dyn PolicyValue>,
    games: Vec<Explorer<'a>>,
    /// The searches of games that have ended, to be reused.
    searches: Vec<Search>,
}

impl Table<'_> {
    fn begin(&mut self, number: u64) {
        let search = self.searches.pop();
        let search = search.unwrap_or_else(|| Search::new(self.exploring.options.clone()));
        self.games
            .push(Explorer::begin(self.exploring, number, search));
    }

    /// Lets every game play on once, and returns the results of those that have ended.
    fn go_round(&mut self) -> Vec<(u64, Outcome)> {
        let begin = Instant::now();
        let (mut ended, mut waiting, mut put) = (Vec::new(), Vec::new(), 0);
        for (place, game) in self.games.iter_mut().enumerate() {
            match game.go_on(self.model.as_mut()) {
                Next::Waits(count) => {
                    waiting.push((place, put));
                    put += count;
                }
                Next::Ended(record) => ended.push((place, record)),
            }
        }
        if put > 0 {
            self.model.run();
        }
        for (place, first) in waiting {
            self.games[place].search.receive(self.model.as_ref(), first);
        }
        let share = begin.elapsed().as_secs_f64() / self.games.len().max(1) as f64;
        self.games.iter_mut().for_each(|game| game.seconds += share);
        let mut results = Vec::new();
        for (place, mut record) in ended.into_iter().rev() {
            let game = self.games.swap_remove(place);
            (record.seconds, record.thinking_seconds) = (game.seconds, game.seconds);
            self.searches.push(game.search);
            results.push((record.game, told(&record)));
        }
        results
    }
}

/// The outcome that is returned for a game.
fn told(record: &GameRecord) -> Outcome {
    let told = match record.reason.is_failure() {
        true => {
            let problem = record.reason.in_words(record.result);
            serde_json::to_vec(&Fault::Player(problem)).map(Outcome::Failed)
        }
        false => serde_json::to_vec(record).map(Outcome::Done),
    };
    told.unwrap_or_else(|error| Outcome::Failed(error.to_string().into_bytes()))
}

impl Worker for Table<'_> {
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome {
        self.begin(piece.number);
        while !halt.is_stopped() {
            if let Some((_, outcome)) = self.go_round().pop() {
                return outcome;
            }
        }
        self.games.clear();
        Outcome::GivenUp
    }

    fn serve(&mut self, counter: &mut dyn Counter) {
        loop {
            while self.games.len() < self.exploring.at_once {
                match counter.take(self.games.is_empty()) {
                    Taken::Piece(piece) => self.begin(piece.number),
                    Taken::NotNow | Taken::Over => break,
                }
            }
            if self.games.is_empty() {
                return;
            }
            if counter.halt().is_stopped() {
                for game in self.games.drain(..) {
                    counter.hand_in(game.number, Outcome::GivenUp);
                }
                return;
            }
            for (number, outcome) in self.go_round() {
                counter.hand_in(number, outcome);
            }
        }
    }
}
