//! Matches of nets: who meets whom, from which openings.

use crate::error::LabError;
use crate::settings::Conditions;
use arena::game::{Endings, Rules};
use arena::ledger::Ledger;
use arena::openings::{Openings, Order};
use arena::plan::{OpeningsPlan, Plan};
use arena::run::{News, Run};
use arena::schedule::Format;
use arena::selfplay::Book;
use arena::statistics::{Pentanomial, Sprt};
use arena::verdict::Verdict;
use chess::Game;
use data::random;
use engines::StopSignal;
use engines::recipe::{PlayerSpec, Recipe};
use std::path::Path;
use work::{Dispatcher, Stopping};

/// A player inside never fails; if one does, the match is of no use.
const MOST_FAILURES: u64 = 1;

/// A match to be played, from the view of its first player.
pub(crate) struct Match<'a> {
    /// Who plays, with names.
    pub(crate) players: [(&'a str, &'a Recipe); 2],
    pub(crate) conditions: &'a Conditions,
    pub(crate) games: u64,
    /// A test that may end it.
    pub(crate) sprt: Option<Sprt>,
    /// Decides the openings.
    pub(crate) seed: u64,
    pub(crate) folder: &'a Path,
    /// Who gives out the games.
    pub(crate) dispatcher: &'a dyn Dispatcher,
}

impl Match<'_> {
    /// Plays what is still to be played; what is heard meanwhile is the counts so
    /// far and the games that have ended.
    pub(crate) fn play(
        &self,
        stop: &StopSignal,
        listen: &mut dyn FnMut(Option<(Pentanomial, u64)>),
    ) -> Result<Pentanomial, LabError> {
        let conditions = self.conditions;
        let games = Games {
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
            folder: self.folder,
            event: "tabia run",
            dispatcher: self.dispatcher,
        };
        let (ledger, _) = games.play(stop, &mut |ledger| {
            listen(ledger.map(|ledger| (ledger.meetings()[0], ledger.games() as u64)));
        })?;
        Ok(ledger.meetings()[0])
    }

    fn spec(&self, &(name, recipe): &(&str, &Recipe)) -> PlayerSpec {
        PlayerSpec {
            name: name.to_owned(),
            recipe: recipe.clone(),
            pace: self.conditions.pace.clone(),
        }
    }
}

/// Games of any number of players.
pub(crate) struct Games<'a> {
    pub(crate) players: Vec<PlayerSpec>,
    /// Who meets whom.
    pub(crate) format: Format,
    pub(crate) games: u64,
    /// A test that may end them.
    pub(crate) sprt: Option<Sprt>,
    pub(crate) book: &'a Book,
    pub(crate) random_plies: u32,
    pub(crate) endings: &'a Endings,
    /// Decides the openings.
    pub(crate) seed: u64,
    pub(crate) folder: &'a Path,
    /// What the PGN calls it.
    pub(crate) event: &'a str,
    /// Who gives out the games.
    pub(crate) dispatcher: &'a dyn Dispatcher,
}

impl Games<'_> {
    /// Plays what is still to be played; what is heard meanwhile is the results so
    /// far.
    pub(crate) fn play(
        self,
        stop: &StopSignal,
        listen: &mut dyn FnMut(Option<&Ledger>),
    ) -> Result<(Ledger, Verdict), LabError> {
        let (book, seed, random_plies) = (self.book, self.seed, self.random_plies);
        let openings = book.open()?.arranged(Order::Shuffled { seed }, 0);
        let words = format!("{book}, shuffled by {seed}, {random_plies} random plies");
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
            opening: &|round| opening(&openings, round, seed, random_plies),
            rules: &rules,
            folder: self.folder,
            event: self.event,
            dispatcher: self.dispatcher,
            most_failures: MOST_FAILURES,
            prepare: &|_| {},
            stopping: Stopping::Finish,
        };
        let conclusion = run.play(stop, &mut |news, ledger| match news {
            News::Begun(_) | News::Finished(_) => listen(Some(ledger)),
            News::Quiet => listen(None),
        })?;
        match conclusion.verdict {
            None => Err(LabError::Stopped),
            Some(Verdict::Failures { .. }) => Err(LabError::Failure(self.folder.to_owned())),
            Some(verdict) => Ok((conclusion.ledger, verdict)),
        }
    }
}

fn opening(openings: &Openings, round: usize, seed: u64, random_plies: u32) -> Game {
    let mut generator = random::generator(seed, round as u64);
    openings.get(round).wander(random_plies, &mut generator)
}

/// Whether there are openings for so many games.
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
