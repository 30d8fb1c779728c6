//! The final models of two runs against each other.
//!
//! Every arm of the one meets every arm of the other, seed by seed where both have the same
//! ones, under the conditions of the first run's final matches. It must not know how the
//! models came about.

use crate::error::LabError;
use crate::matches::Match;
use crate::runs::Overview;
use crate::seeds::{Purpose, seed};
use arena::statistics::{Estimate, Mean, Pentanomial, Strength};
use engines::StopSignal;
use engines::recipe::Recipe;
use nets::Model;
use serde::Serialize;
use std::path::Path;
use work::Dispatcher;

/// What is played.
pub struct Comparison<'a> {
    /// The runs; the first says under which conditions.
    pub runs: [&'a Overview; 2],
    /// The games of each match.
    pub games: u64,
    /// Where the games are kept; those that are there are not played again.
    pub folder: &'a Path,
    /// Who gives out the games.
    pub dispatcher: &'a dyn Dispatcher,
}

/// A match of two final models, from the view of the first run's.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Encounter {
    /// The arms, one of each run.
    pub arms: [String; 2],
    /// The seeds: the same ones, unless the runs have none in common.
    pub seeds: [u64; 2],
    /// The pairs of games.
    pub counts: Pentanomial,
    /// The difference between these two models.
    pub elo: Estimate,
}

/// The difference between two arms, over all seeds that were compared.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Difference {
    /// The arms, one of each run.
    pub arms: [String; 2],
    /// How many seeds there are.
    pub seeds: usize,
    /// Their mean; with several seeds the interval comes from the spread between them, with
    /// one it is that of its games.
    pub elo: Estimate,
}

/// A final model.
struct Finalist {
    arm: String,
    seed: u64,
    player: Recipe,
}

impl Comparison<'_> {
    /// Plays all matches. What is heard meanwhile is the match, with the games that have
    /// ended.
    ///
    /// # Errors
    /// If a run has no finished generation, a model cannot be opened, or a match fails.
    pub fn play(
        &self,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&str, u64),
    ) -> Result<Vec<Encounter>, LabError> {
        let [first, second] = [finalists(self.runs[0])?, finalists(self.runs[1])?];
        let is_shared = |seed| second.iter().any(|finalist| finalist.seed == seed);
        let shares_seeds = first.iter().any(|finalist| is_shared(finalist.seed));
        let mut encounters = Vec::new();
        for own in &first {
            for other in &second {
                if own.seed == other.seed || !shares_seeds {
                    encounters.push(self.meet(own, other, stop, listen)?);
                }
            }
        }
        Ok(encounters)
    }

    fn meet(
        &self,
        own: &Finalist,
        other: &Finalist,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&str, u64),
    ) -> Result<Encounter, LabError> {
        let [first, second] = [own, other].map(|one| format!("{}-seed-{}", one.arm, one.seed));
        let names = [0, 1].map(|index| &self.runs[index].name);
        let names = [
            format!("{}/{first}", names[0]),
            format!("{}/{second}", names[1]),
        ];
        let title = format!("{} against {}", names[0], names[1]);
        let game = Match {
            players: [(&names[0], &own.player), (&names[1], &other.player)],
            conditions: &self.runs[0].experiment.finals,
            games: self.games,
            sprt: None,
            seed: seed(own.seed, 0, Purpose::Finals),
            used_openings: 0,
            folder: &self.folder.join(format!("{first}-against-{second}")),
            dispatcher: self.dispatcher,
        };
        let mut games = 0;
        let counts = game.play(stop, &mut |standing| {
            games = standing.map_or(games, |(_, games)| games);
            listen(&title, games);
        })?;
        Ok(Encounter {
            arms: [own.arm.clone(), other.arm.clone()],
            seeds: [own.seed, other.seed],
            counts: counts.pairs,
            elo: Strength::of(&counts.pairs).elo,
        })
    }
}

/// The last model that plays of each arm and seed.
fn finalists(run: &Overview) -> Result<Vec<Finalist>, LabError> {
    let mut finalists = Vec::new();
    for (name, arm) in &run.experiment.arms {
        for &seed in &run.experiment.seeds {
            let own = (run.rows.iter()).filter(|row| row.arm == *name && row.seed == seed);
            let Some(last) = own.max_by_key(|row| row.generation) else {
                continue;
            };
            let path = run.folder.join(&last.version);
            let model = Model::open(&path).map_err(|cause| LabError::Net { path, cause })?;
            finalists.push(Finalist {
                arm: name.clone(),
                seed,
                player: arm.player(model),
            });
        }
    }
    match finalists.is_empty() {
        true => Err(LabError::NothingLearned(run.folder.clone())),
        false => Ok(finalists),
    }
}

/// The differences between arms over all their encounters.
pub fn differences(encounters: &[Encounter]) -> Vec<Difference> {
    let mut differences: Vec<Difference> = Vec::new();
    for encounter in encounters {
        if differences.iter().any(|one| one.arms == encounter.arms) {
            continue;
        }
        let own = encounters.iter().filter(|one| one.arms == encounter.arms);
        let elos: Vec<f64> = own.map(|one| one.elo.value).collect();
        let elo = match Mean::of(&elos) {
            Some(mean) if elos.len() > 1 => mean.estimate,
            _ => encounter.elo,
        };
        differences.push(Difference {
            arms: encounter.arms.clone(),
            seeds: elos.len(),
            elo,
        });
    }
    differences
}
