//! Plays games until there are enough.

use super::explore::{ExploreSettings, Exploring};
use super::game::Table;
use super::record::{GameRecord, Header, KIND, Record};
use super::settings::{Settings, WrongSetting};
use super::totals::Totals;
use super::worker::{Fault, Playing};
use crate::game::Rules;
use crate::openings::{Openings, OpeningsError};
use data::journal::{self, Author, JournalError};
use engines::StopSignal;
use engines::recipe::{MctsRecipe, Recipe};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use work::{Assignment, DispatchError, Dispatcher, Done, Job, Order, Piece, Stopping};

/// How many games are enough.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Amount {
    /// This many games.
    Games(u64),
    /// The first games, by number, that have this many positions together; the rest of the last one
    /// is left out.
    Positions(u64),
    /// This much time; games in progress are finished. The number of games depends on the speed of
    /// the machine.
    Seconds(f64),
}

/// Games to be played.
pub struct SelfPlay<'a> {
    /// How games are played.
    pub settings: &'a Settings,
    /// How a tree search explores; the shard is then one of policy records. Without it, positions
    /// have moves and scores.
    pub explore: Option<&'a ExploreSettings>,
    /// The generation, from 1, on which some settings depend.
    pub generation: u32,
    /// The player of both sides.
    pub player: &'a Recipe,
    /// The seed of all random choices.
    pub seed: u64,
    /// How many games are played.
    pub amount: Amount,
    /// The shard that is made. Until then, finished games are kept in a file next to it.
    pub shard: &'a Path,
    /// The build that plays; `None` if the caller checks builds itself.
    pub author: Option<&'a Author>,
    /// Distributes the games, and decides how many are played at once.
    pub dispatcher: &'a dyn Dispatcher,
}

/// Progress of self-play.
#[derive(Debug)]
pub enum News<'a> {
    /// The record is open; it holds these games.
    Begun(&'a Totals),
    /// A game has ended.
    Finished(&'a Totals),
    /// No game has ended for a moment.
    Quiet,
}

/// Why no shard was made.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// A setting is invalid.
    #[error(transparent)]
    Setting(#[from] WrongSetting),
    /// The openings cannot be read.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// Finished games cannot be recorded.
    #[error(transparent)]
    Record(#[from] JournalError),
    /// The player failed.
    #[error("game {game}: the player failed: {problem}")]
    Player {
        /// The number of the game.
        game: u64,
        /// How it failed.
        problem: String,
    },
    /// A position cannot be written.
    #[error("game {game}: {cause}; use openings without Chess960")]
    Position {
        /// The number of the game.
        game: u64,
        /// Why.
        cause: String,
    },
    /// The shard cannot be written.
    #[error("cannot write {}: {cause}", path.display())]
    Shard {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The games cannot be dispatched.
    #[error(transparent)]
    Work(DispatchError),
}

impl SelfPlayError {
    pub(super) fn player(game: u64, problem: String) -> SelfPlayError {
        SelfPlayError::Player { game, problem }
    }

    fn position(game: u64, cause: impl ToString) -> SelfPlayError {
        let cause = cause.to_string();
        SelfPlayError::Position { game, cause }
    }

    /// Translates a worker's fault, if the error is one.
    fn of_work(error: DispatchError) -> SelfPlayError {
        let DispatchError::Failed { number, fault, .. } = &error else {
            return SelfPlayError::Work(error);
        };
        match serde_json::from_slice(fault) {
            Ok(Fault::Player(problem)) => SelfPlayError::player(*number, problem),
            Ok(Fault::Position(cause)) => SelfPlayError::position(*number, cause),
            Err(_) => SelfPlayError::Work(error),
        }
    }
}

impl SelfPlay<'_> {
    /// Plays until there are enough games, and writes the shard. Once `stop` is set, no new game
    /// begins; those in progress are finished and recorded, but no shard is made (`None`): the same
    /// call resumes the work.
    ///
    /// # Errors
    /// If settings, openings or files cannot be used, or the player fails.
    pub fn play(
        &self,
        stop: &StopSignal,
        listen: &mut dyn FnMut(News<'_>),
    ) -> Result<Option<Totals>, SelfPlayError> {
        self.settings.check()?;
        self.explore.map_or(Ok(()), ExploreSettings::check)?;
        self.explorer()?;
        let openings = self.settings.book.open()?;
        loop {
            let mut work = self.open()?;
            listen(News::Begun(&work.kept.totals));
            if !work.is_enough() {
                match work.play_on(&openings, stop, listen) {
                    Err(SelfPlayError::Work(DispatchError::Withdrawn { numbers, .. })) => {
                        work.withdraw(&numbers)?;
                        continue;
                    }
                    played => played?,
                }
            }
            if !work.is_enough() {
                work.record.sync()?;
                return Ok(None);
            }
            return work.finish().map(Some);
        }
    }

    /// Opens the record of finished games.
    pub(super) fn open(&self) -> Result<Work<'_>, SelfPlayError> {
        let mut kept = Kept::default();
        let header = Header {
            fingerprint: self.fingerprint()?,
        };
        let record = Record::open(
            &self.record_path(),
            &KIND,
            &header,
            self.author,
            &mut |game, place| {
                kept.check(&game)?;
                kept.enter(&game, place);
                Ok(())
            },
        )?;
        Ok(Work {
            selfplay: self,
            clock: Clock {
                earlier: kept.seconds,
                begin: Instant::now(),
            },
            record,
            kept,
        })
    }

    /// Deletes the record of finished games; to be called once the shard is registered where it is
    /// needed. Until then, playing again gives the same shard.
    ///
    /// # Errors
    /// If the file cannot be deleted.
    pub fn forget(&self) -> Result<(), JournalError> {
        journal::remove(&self.record_path())
    }

    /// The file that keeps finished games.
    pub fn record_path(&self) -> PathBuf {
        let mut name = self.shard.as_os_str().to_owned();
        name.push(".games");
        PathBuf::from(name)
    }

    /// The settings and the player of a tree search that explores, if one does.
    fn explorer(&self) -> Result<Option<(&ExploreSettings, &MctsRecipe)>, WrongSetting> {
        match (self.explore, self.player) {
            (None, _) => Ok(None),
            (Some(explore), Recipe::Mcts(player)) => {
                match self.player.problem_with(&explore.option) {
                    Some(problem) => Err(WrongSetting {
                        key: "option",
                        problem,
                    }),
                    None => Ok(Some((explore, player))),
                }
            }
            (Some(_), _) => Err(WrongSetting {
                key: "player",
                problem: "must have kind=mcts to explore".to_owned(),
            }),
        }
    }

    /// A digest of everything that determines the games.
    fn fingerprint(&self) -> Result<String, JournalError> {
        let (generation, seed, amount) = (self.generation, self.seed, self.amount);
        let all = (self.settings, generation, self.player, seed, amount);
        let text = match self.explore {
            None => serde_json::to_vec(&all),
            Some(explore) => serde_json::to_vec(&(all, explore)),
        };
        let text = text.map_err(|error| JournalError::File {
            path: self.record_path(),
            cause: error.into(),
        })?;
        Ok(blake3::hash(&text).to_string())
    }

    pub(super) fn shard_error(&self, cause: io::Error) -> SelfPlayError {
        SelfPlayError::Shard {
            path: self.shard.to_owned(),
            cause,
        }
    }
}

/// The finished games in the record.
#[derive(Default)]
pub(super) struct Kept {
    totals: Totals,
    /// For each game, the offset of its line and its number of positions.
    pub(super) games: BTreeMap<u64, (u64, u64)>,
    /// The first missing number, and the number of positions in the games before it.
    pub(super) unbroken: (u64, u64),
    /// When the last of them ended, in seconds of work.
    seconds: f64,
}

impl Kept {
    /// Checks a game of the record against those before.
    fn check(&self, game: &GameRecord) -> Result<(), String> {
        let number = game.game;
        if self.games.contains_key(&number) {
            return Err(format!("game {number} occurs twice"));
        }
        game.check_counts()
    }

    fn enter(&mut self, game: &GameRecord, place: u64) {
        self.totals.add(game, game.positions);
        self.games.insert(game.game, (place, game.positions));
        while let Some((_, positions)) = self.games.get(&self.unbroken.0) {
            self.unbroken.0 += 1;
            self.unbroken.1 += positions;
        }
        self.seconds = self.seconds.max(game.at);
    }
}

/// Counts the seconds of work, those of earlier sessions included.
#[derive(Clone, Copy)]
struct Clock {
    earlier: f64,
    begin: Instant,
}

impl Clock {
    fn seconds(self) -> f64 {
        self.earlier + self.begin.elapsed().as_secs_f64()
    }
}

/// Work in progress.
pub(super) struct Work<'a> {
    pub(super) selfplay: &'a SelfPlay<'a>,
    clock: Clock,
    pub(super) record: Record,
    pub(super) kept: Kept,
}

impl Work<'_> {
    fn is_enough(&self) -> bool {
        let (games, positions) = self.kept.unbroken;
        match self.selfplay.amount {
            Amount::Games(wanted) => games >= wanted,
            Amount::Positions(wanted) => positions >= wanted,
            Amount::Seconds(_) => self.is_time_over(),
        }
    }

    fn is_time_over(&self) -> bool {
        match self.selfplay.amount {
            Amount::Seconds(wanted) => self.clock.seconds() >= wanted,
            _ => false,
        }
    }

    fn play_on(
        &mut self,
        openings: &Openings,
        stop: &StopSignal,
        listen: &mut dyn FnMut(News<'_>),
    ) -> Result<(), SelfPlayError> {
        let selfplay = self.selfplay;
        let rules = Rules {
            endings: selfplay.settings.endings(selfplay.generation),
            oracle: None,
        };
        let pace = selfplay.settings.pace(selfplay.generation);
        let job: Box<dyn Job + '_> = match selfplay.explorer()? {
            Some((explore, player)) => Box::new(Exploring::new(
                (selfplay.settings.clone(), explore.clone()),
                selfplay.generation,
                player.clone(),
                openings.clone(),
                selfplay.seed,
            )),
            None => Box::new(Playing {
                table: Table {
                    settings: selfplay.settings,
                    openings,
                    rules: &rules,
                    pace: &pace,
                    seed: selfplay.seed,
                },
                player: selfplay.player,
            }),
        };
        // Set when the caller stops the work, or when the time is over.
        let rest = StopSignal::new();
        if stop.is_stopped() {
            rest.stop();
        }
        let assignment = Assignment {
            job: job.as_ref(),
            pieces: &mut self.missing_numbers().map(Piece::numbered),
            order: Order::AsFinished,
            stopping: Stopping::Finish,
            stop: &rest,
        };
        let mut broken = None;
        let played = selfplay.dispatcher.dispatch(assignment, &mut |done| {
            if let Err(error) = self.receive(done, listen) {
                broken = Some(error);
                return ControlFlow::Break(());
            }
            if stop.is_stopped() || self.is_time_over() {
                rest.stop();
            }
            match self.is_enough() && !self.is_time_over() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        match broken {
            Some(error) => Err(error),
            None => played.map_err(SelfPlayError::of_work),
        }
    }

    fn receive(
        &mut self,
        done: Option<Done>,
        listen: &mut dyn FnMut(News<'_>),
    ) -> Result<(), SelfPlayError> {
        let Some(Done { number, result }) = done else {
            self.record.sync_if_due()?;
            listen(News::Quiet);
            return Ok(());
        };
        let mut game: GameRecord = serde_json::from_slice(&result)
            .map_err(|error| SelfPlayError::player(number, error.to_string()))?;
        game.at = self.clock.seconds();
        let place = self.record.append(&game)?;
        self.kept.enter(&game, place);
        listen(News::Finished(&self.kept.totals));
        Ok(())
    }

    /// Strikes out games that turned out to be wrong; they are played again.
    fn withdraw(&mut self, numbers: &[u64]) -> Result<(), JournalError> {
        for number in numbers {
            if let Some(&(place, _)) = self.kept.games.get(number) {
                self.record.strike(place)?;
            }
        }
        self.record.sync()
    }

    /// The numbers of games that have not been played, in order.
    fn missing_numbers(&self) -> impl Iterator<Item = u64> + Send + use<> {
        let known: std::collections::HashSet<u64> = self.kept.games.keys().copied().collect();
        let end = match self.selfplay.amount {
            Amount::Games(games) => games,
            Amount::Positions(_) | Amount::Seconds(_) => u64::MAX,
        };
        (self.kept.unbroken.0..end).filter(move |number| !known.contains(number))
    }
}
