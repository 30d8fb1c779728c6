//! Matches of nets: who meets whom, from which openings.

use crate::error::LabError;
use crate::settings::Conditions;
use arena::game::Rules;
use arena::openings::{Openings, Order};
use arena::plan::{OpeningsPlan, Plan};
use arena::players::{Engine, Evaluation, Inside, PlayerSpec};
use arena::run::{News, Run};
use arena::schedule::Format;
use arena::statistics::{Pentanomial, Sprt};
use arena::verdict::Verdict;
use arena::workers::Stopping;
use chess::Game;
use data::random;
use engines::{StopSignal, alphabeta};
use std::collections::BTreeMap;
use std::path::Path;

/// A player inside never fails; if one does, the match is of no use.
const MOST_FAILURES: u64 = 1;

/// A match to be played, from the view of its first player.
pub(crate) struct Match<'a> {
    /// Who plays, with names.
    pub(crate) players: [(&'a str, &'a alphabeta::Evaluation); 2],
    pub(crate) conditions: &'a Conditions,
    pub(crate) games: u64,
    /// A test that may end it.
    pub(crate) sprt: Option<Sprt>,
    /// Decides the openings.
    pub(crate) seed: u64,
    pub(crate) folder: &'a Path,
    pub(crate) threads: usize,
}

impl Match<'_> {
    /// Plays what is still to be played; what is heard meanwhile is the counts so
    /// far and the games that have ended.
    pub(crate) fn play(
        &self,
        stop: &StopSignal,
        listen: &mut dyn FnMut(Option<(Pentanomial, u64)>),
    ) -> Result<Pentanomial, LabError> {
        let Conditions {
            book,
            random_plies,
            endings,
            ..
        } = self.conditions;
        let order = Order::Shuffled { seed: self.seed };
        let openings = book.open()?.arranged(order, 0);
        let words = format!(
            "{book}, shuffled by {}, {random_plies} random plies",
            self.seed
        );
        let players: Vec<PlayerSpec> = self
            .players
            .iter()
            .map(|player| self.spec(player))
            .collect();
        let mut plan = Plan::new(
            players,
            Format::RoundRobin,
            self.games,
            OpeningsPlan::new(words, &openings),
            endings.clone(),
        );
        plan.sprt = self.sprt;
        let rules = Rules {
            endings: endings.clone(),
            oracle: None,
        };
        let run = Run {
            plan: &plan,
            contestants: &plan.players,
            opening: &|round| self.opening(&openings, round),
            rules: &rules,
            folder: self.folder,
            event: "tabia run",
            concurrency: self.threads,
            most_failures: MOST_FAILURES,
            prepare: &|_| {},
            stopping: Stopping::Finish,
        };
        let conclusion = run.play(stop, &mut |news, ledger| match news {
            News::Begun(_) | News::Finished(_) => {
                listen(Some((ledger.meetings()[0], ledger.games() as u64)));
            }
            News::Quiet => listen(None),
        })?;
        match conclusion.verdict {
            None => Err(LabError::Stopped),
            Some(Verdict::Failures { .. }) => Err(LabError::Failure(self.folder.to_owned())),
            Some(_) => Ok(conclusion.ledger.meetings()[0]),
        }
    }

    fn spec(&self, &(name, evaluation): &(&str, &alphabeta::Evaluation)) -> PlayerSpec {
        PlayerSpec {
            name: name.to_owned(),
            engine: Engine::Inside(Inside {
                eval: Evaluation(evaluation.clone()),
                hash: self.conditions.hash,
                threads: 1,
                parameters: BTreeMap::new(),
            }),
            pace: self.conditions.pace.clone(),
        }
    }

    fn opening(&self, openings: &Openings, round: usize) -> Game {
        let mut generator = random::generator(self.seed, round as u64);
        openings
            .get(round)
            .wander(self.conditions.random_plies, &mut generator)
    }
}

/// Whether there are openings for so many games.
pub(crate) fn check(
    key: &'static str,
    conditions: &Conditions,
    games: u64,
) -> Result<(), LabError> {
    let found = conditions.book.open()?.len();
    let wanted = games / 2;
    match conditions.random_plies == 0 && wanted > found as u64 {
        true => Err(LabError::Openings {
            key,
            games,
            wanted,
            found,
        }),
        false => Ok(()),
    }
}
