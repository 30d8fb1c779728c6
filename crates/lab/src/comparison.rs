//! Matches between the final models of two runs.
//!
//! Every arm of one run meets every arm of the other, seed by seed if the runs share seeds, under
//! the conditions of the first run's final matches. This module must not know how the models were
//! trained.

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

/// The comparison to be played.
pub struct Comparison<'a> {
    /// The runs; the first determines the conditions.
    pub runs: [&'a Overview; 2],
    /// The games of each match.
    pub games: u64,
    /// The folder of the games; games already there are not played again.
    pub folder: &'a Path,
    /// Distributes the games.
    pub dispatcher: &'a dyn Dispatcher,
}

/// A match of two final models, from the point of view of the first run's.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Encounter {
    /// The arms, one of each run.
    pub arms: [String; 2],
    /// The seeds: equal, unless the runs share none.
    pub seeds: [u64; 2],
    /// The results as pairs of games.
    pub counts: Pentanomial,
    /// The difference between these two models.
    pub elo: Estimate,
}

/// The difference between two arms, over all seeds compared.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Difference {
    /// The arms, one of each run.
    pub arms: [String; 2],
    /// The number of seeds.
    pub seeds: usize,
    /// The mean of their differences. With several seeds its interval comes from their variance,
    /// with a single one from the games.
    pub elo: Estimate,
}

/// A final model.
struct Finalist {
    arm: String,
    seed: u64,
    player: Recipe,
}

impl Comparison<'_> {
    /// Plays all matches. `listen` gets the name of a match and the number of its finished games.
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

/// The last promoted model of each arm and seed.
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

/// The differences between arms, over all their matches.
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
