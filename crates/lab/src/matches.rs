//! Matches between models: players, openings and conditions.

use crate::error::LabError;
use crate::folder;
use crate::settings::Conditions;
use arena::game::{Endings, Rules};
use arena::ledger::Ledger;
use arena::openings::{Openings, Order};
use arena::plan::{OpeningsPlan, Plan};
use arena::run::{Conclusion, News, Run};
use arena::schedule::Format;
use arena::selfplay::Book;
use arena::statistics::{Pentanomial, Sprt, Trinomial};
use arena::verdict::Verdict;
use chess::Game;
use data::random;
use engines::StopSignal;
use engines::recipe::{PlayerSpec, Recipe};
use std::path::Path;
use std::time::Instant;
use work::{Dispatcher, Stopping};

/// A player of this program never fails; if one does, the match is invalid.
pub(crate) const MOST_FAILURES: u64 = 1;

/// A match to be played, from the point of view of its first player.
pub(crate) struct Match<'a> {
    /// The players, with names.
    pub(crate) players: [(&'a str, &'a Recipe); 2],
    pub(crate) conditions: &'a Conditions,
    pub(crate) games: u64,
    /// A sequential test that may end it.
    pub(crate) sprt: Option<Sprt>,
    /// The seed of the openings.
    pub(crate) seed: u64,
    /// How many openings of the order were used before.
    pub(crate) used_openings: u64,
    pub(crate) folder: &'a Path,
    /// Distributes the games.
    pub(crate) dispatcher: &'a dyn Dispatcher,
}

impl Match<'_> {
    /// Plays the games that are missing; `listen` gets the counts so far and the number of finished
    /// games.
    pub(crate) fn play(
        &self,
        stop: &StopSignal,
        listen: &mut dyn FnMut(Option<(Pentanomial, u64)>),
    ) -> Result<Counts, LabError> {
        let ledger = self.games().play(stop, &mut |ledger| {
            listen(ledger.map(|ledger| (ledger.meetings()[0], ledger.games() as u64)));
        })?;
        Ok(Counts::all(&ledger)[0])
    }

    /// The games of the match.
    pub(crate) fn games(&self) -> Games<'_> {
        let conditions = self.conditions;
        Games {
            players: (self.players.iter())
                .map(|player| self.spec(player))
                .collect(),
            format: Format::RoundRobin,
            games: self.games,
            sprt: self.sprt,
            book: &conditions.book,
            random_plies: conditions.random_plies,
            endings: &conditions.endings,
            seed: self.seed,
            used_openings: self.used_openings,
            folder: self.folder,
            event: "tabia run",
            dispatcher: self.dispatcher,
            most_failures: MOST_FAILURES,
        }
    }

    fn spec(&self, &(name, recipe): &(&str, &Recipe)) -> PlayerSpec {
        PlayerSpec {
            name: name.to_owned(),
            recipe: recipe.clone(),
            pace: self.conditions.pace.clone(),
        }
    }
}

/// The results of the games between two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counts {
    /// The pairs, from the first player's point of view.
    pub(crate) pairs: Pentanomial,
    /// The games from White's point of view: those in which the first player had White, and the
    /// others.
    pub(crate) white: [Trinomial; 2],
}

impl Counts {
    /// The results of all meetings, in the order of the schedule.
    pub(crate) fn all(ledger: &Ledger) -> Vec<Counts> {
        let games: Vec<Trinomial> = ledger.pairings().map(|(_, _, games)| games).collect();
        let (colors, _) = games.as_chunks::<2>();
        let counted = ledger.meetings().iter().zip(colors);
        counted
            .map(|(&pairs, &white)| Counts { pairs, white })
            .collect()
    }
}

/// The cost of one game, as the mean of those that were tried.
pub(crate) struct Rehearsed {
    pub(crate) seconds: f64,
    pub(crate) bytes: f64,
}

/// The plies of the games that are tried first: few, so that they end soon even with slow players.
pub(crate) const PROBE_PLIES: u32 = 6;
/// The assumed length of games if only their first plies are tried.
pub(crate) const USUAL_PLIES: u32 = 120;
/// The share of a trial's time that its probe gets.
const PROBE_SHARE: f64 = 0.2;

/// Games of any number of players.
#[derive(Clone)]
pub(crate) struct Games<'a> {
    pub(crate) players: Vec<PlayerSpec>,
    /// How the players are paired.
    pub(crate) format: Format,
    pub(crate) games: u64,
    /// A sequential test that may end them.
    pub(crate) sprt: Option<Sprt>,
    pub(crate) book: &'a Book,
    pub(crate) random_plies: u32,
    pub(crate) endings: &'a Endings,
    /// The seed of the openings.
    pub(crate) seed: u64,
    /// How many openings of the order were used before.
    pub(crate) used_openings: u64,
    pub(crate) folder: &'a Path,
    /// The event's name in the PGN.
    pub(crate) event: &'a str,
    /// Distributes the games.
    pub(crate) dispatcher: &'a dyn Dispatcher,
    /// How many failures of a player end the games.
    pub(crate) most_failures: u64,
}

impl Games<'_> {
    /// The cost of a game, measured in about this many seconds. If whole games would take longer,
    /// it is estimated from their first plies.
    pub(crate) fn forecast(self, seconds: f64, stop: &StopSignal) -> Result<Rehearsed, LabError> {
        let usual = (self.endings.horizon).map_or(USUAL_PLIES, |plies| plies.min(USUAL_PLIES));
        if usual > PROBE_PLIES {
            let endings = Endings {
                horizon: Some(PROBE_PLIES),
                ..self.endings.clone()
            };
            let folder = self.folder.with_added_extension("probe");
            let probe = Games {
                endings: &endings,
                folder: &folder,
                ..self.clone()
            };
            let begin = Instant::now();
            let probed = probe.tried(PROBE_SHARE * seconds, stop)?;
            let plies = f64::from(usual) / f64::from(PROBE_PLIES);
            let whole = probed.seconds * plies * self.dispatcher.at_once() as f64;
            if begin.elapsed().as_secs_f64() + whole > seconds {
                return Ok(Rehearsed {
                    seconds: probed.seconds * plies,
                    bytes: probed.bytes * plies,
                });
            }
        }
        self.tried(seconds, stop)
    }

    /// Plays for this many seconds, and at least one game. All games that were begun are finished.
    fn tried(self, seconds: f64, stop: &StopSignal) -> Result<Rehearsed, LabError> {
        let folder = self.folder;
        let begin = Instant::now();
        let enough = StopSignal::new();
        let mut games = 0;
        let played = self.play(&enough, &mut |ledger| {
            games = ledger.map_or(games, Ledger::games);
            if stop.is_stopped() || games > 0 && begin.elapsed().as_secs_f64() > seconds {
                enough.stop();
            }
        });
        match played {
            Err(LabError::Stopped) if stop.is_stopped() || games == 0 => Err(LabError::Stopped),
            Err(LabError::Stopped) | Ok(_) => Ok(Rehearsed {
                seconds: begin.elapsed().as_secs_f64() / games.max(1) as f64,
                bytes: folder::size(folder) as f64 / games.max(1) as f64,
            }),
            Err(error) => Err(error),
        }
    }

    /// Plays the games that are missing; `listen` gets the results so far.
    pub(crate) fn play(
        self,
        stop: &StopSignal,
        listen: &mut dyn FnMut(Option<&Ledger>),
    ) -> Result<Ledger, LabError> {
        Ok(self.conclude(stop, listen)?.ledger)
    }

    /// The same, returning everything known about the games.
    pub(crate) fn conclude(
        self,
        stop: &StopSignal,
        listen: &mut dyn FnMut(Option<&Ledger>),
    ) -> Result<Conclusion, LabError> {
        let (book, seed, random_plies) = (self.book, self.seed, self.random_plies);
        let openings = book.open()?.arranged(Order::Shuffled { seed }, 0);
        let mut words = format!("{book}, shuffled by {seed}, {random_plies} random plies");
        let used = self.used_openings as usize;
        if used > 0 {
            words += &format!(", after the first {used}");
        }
        let mut plan = Plan::new(
            self.players,
            self.format,
            self.games,
            OpeningsPlan::new(words, &openings),
            self.endings.clone(),
        );
        plan.sprt = self.sprt;
        let rules = Rules {
            endings: self.endings.clone(),
            oracle: None,
        };
        let run = Run {
            plan: &plan,
            contestants: &plan.players,
            opening: &|round| opening(&openings, used + round, seed, random_plies),
            rules: &rules,
            folder: self.folder,
            event: self.event,
            author: None,
            dispatcher: self.dispatcher,
            most_failures: self.most_failures,
            prepare: &|_| {},
            stopping: Stopping::Finish,
        };
        let conclusion = run.play(stop, &mut |news, ledger| match news {
            News::Begun(_) | News::Finished(_) | News::Withdrawn(_) => listen(Some(ledger)),
            News::Quiet => listen(None),
        })?;
        match conclusion.verdict {
            None => Err(LabError::Stopped),
            Some(Verdict::Failures { .. }) => Err(LabError::Failure(self.folder.to_owned())),
            Some(_) => Ok(conclusion),
        }
    }
}

fn opening(openings: &Openings, round: usize, seed: u64, random_plies: u32) -> Game {
    let mut generator = random::generator(seed, round as u64);
    openings.get(round).wander(random_plies, &mut generator)
}

/// Checks that there are enough openings for this many games.
pub(crate) fn check(
    key: &'static str,
    book: &Book,
    random_plies: u32,
    games: u64,
) -> Result<(), LabError> {
    let found = book.open()?.len();
    let wanted = games / 2;
    match random_plies == 0 && wanted > found as u64 {
        true => Err(LabError::Openings {
            key,
            games,
            wanted,
            found,
        }),
        false => Ok(()),
    }
}
