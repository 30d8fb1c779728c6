//! The results of a selection so far, from its state alone.

use super::candidates::Field;
use super::settings::Settings;
use super::standings::{Met, Standings};
use crate::error::LabError;
use crate::folder::ModelRecord;
use crate::seeds::{Purpose, seed};
use crate::state::Line;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The stages, including the steps before and after the games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Finding the candidates.
    Candidates,
    /// All candidates against the baseline.
    Gauntlet,
    /// The best against each other.
    RoundRobin,
    /// The best and its neighbours against each other.
    Peak,
    /// The two best against each other.
    Final,
    /// The choice of a candidate.
    Choice,
}

impl Stage {
    /// The stages in which games are played.
    pub const PLAYED: [Stage; 4] = [
        Stage::Gauntlet,
        Stage::RoundRobin,
        Stage::Peak,
        Stage::Final,
    ];

    /// The name of its folder, if it has games.
    pub(super) fn folder(self) -> String {
        let name = self.to_string().replace(' ', "-");
        format!("stage-{}-{name}", self as u32)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Stage::Candidates => "candidates",
            Stage::Gauntlet => "gauntlet",
            Stage::RoundRobin => "round robin",
            Stage::Peak => "peak",
            Stage::Final => "final",
            Stage::Choice => "choice",
        })
    }
}

/// The name of a step: a round of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Moment {
    pub(super) stage: Stage,
    /// The number of the round, from 1.
    pub(super) round: u32,
}

impl Moment {
    /// The only round of a stage.
    pub(super) fn of(stage: Stage) -> Moment {
        Moment { stage, round: 1 }
    }

    /// The folder of its games, if its stage has this many rounds.
    pub(super) fn folder(self, rounds: u32) -> String {
        let stage = self.stage.folder();
        match rounds {
            1 => stage,
            _ => format!("{stage}/round-{:02}", self.round),
        }
    }
}

/// The result of the first step.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Begun {
    pub(super) field: Field,
}

/// The result of a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Round {
    pub(super) meetings: Vec<Met>,
}

/// The choice of a candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// The candidate's index.
    pub candidate: usize,
    /// The copy of its model.
    pub net: ModelRecord,
    /// The reason.
    pub reason: Reason,
}

/// Why a candidate is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The test of the final accepted the leader.
    Accepted,
    /// The test rejected the leader, and this candidate scored more points in the final.
    Rejected,
    /// The test was undecided; this candidate is rated higher by all games.
    Undecided,
    /// There was no final.
    NoFinal,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Accepted => "the test of the final accepted the leader",
            Reason::Rejected => {
                "the test of the final rejected the leader, and this candidate scored more points \
                 in it"
            }
            Reason::Undecided => {
                "the test of the final was not decided within its games, and this candidate is \
                 rated higher over all games"
            }
            Reason::NoFinal => "there was no final, and this candidate is rated highest",
        })
    }
}

/// A stage with its results.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Played {
    /// Which one.
    pub stage: Stage,
    /// Its finished rounds.
    pub rounds: u32,
    /// Candidates that took part.
    pub entrants: Vec<usize>,
    /// The results of all rounds, by pairing.
    pub meetings: Vec<Met>,
    /// The standings after it, by all games so far.
    pub standings: Standings,
}

impl Played {
    /// The number of its games.
    pub fn games(&self) -> u64 {
        2 * self
            .meetings
            .iter()
            .map(|met| met.pairs.pairs())
            .sum::<u64>()
    }
}

/// The results of a selection so far.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Course {
    /// All players.
    pub field: Field,
    /// The stages that have begun.
    pub stages: Vec<Played>,
    /// The candidate that was chosen.
    pub choice: Option<Choice>,
    /// Seconds of all finished steps.
    pub seconds: f64,
}

impl Course {
    /// The results of the finished steps; `None` before the first one.
    pub(super) fn of(
        settings: &Settings,
        lines: &[Line<Moment>],
    ) -> Result<Option<Course>, LabError> {
        let of_stage = |stage: Stage| lines.iter().filter(move |line| line.place.stage == stage);
        let begun = of_stage(Stage::Candidates).find_map(|line| line.result::<Begun>());
        let Some(Begun { field, .. }) = begun else {
            return Ok(None);
        };
        let mut stages: Vec<Played> = Vec::new();
        for stage in Stage::PLAYED {
            let rounds: Vec<Round> = of_stage(stage).filter_map(Line::result).collect();
            if rounds.is_empty() {
                continue;
            }
            let meetings = joined(rounds.iter().flat_map(|round| &round.meetings));
            let before = stages.iter().flat_map(|played| &played.meetings);
            let standings = Standings::of(&field, before.chain(&meetings), chance_seed(settings))?;
            let mut entrants: Vec<usize> = meetings
                .iter()
                .flat_map(|met| [met.first, met.second])
                .filter(|&player| player < field.candidates.len())
                .collect();
            entrants.sort_unstable();
            entrants.dedup();
            stages.push(Played {
                stage,
                rounds: rounds.len() as u32,
                entrants,
                meetings,
                standings,
            });
        }
        Ok(Some(Course {
            field,
            stages,
            choice: of_stage(Stage::Choice).find_map(Line::result),
            seconds: lines.iter().map(|line| line.seconds).sum(),
        }))
    }

    /// The standings by all games so far.
    pub fn standings(&self) -> Option<&Standings> {
        self.stages.last().map(|played| &played.standings)
    }
}

/// The results of several rounds, added up by pairing.
fn joined<'a>(rounds: impl Iterator<Item = &'a Met>) -> Vec<Met> {
    let mut all: BTreeMap<(usize, usize), Met> = BTreeMap::new();
    for met in rounds {
        all.entry((met.first, met.second))
            .and_modify(|sum| {
                sum.pairs += met.pairs;
                for (sum, games) in sum.white.iter_mut().zip(met.white) {
                    *sum += games;
                }
            })
            .or_insert_with(|| met.clone());
    }
    all.into_values().collect()
}

pub(super) fn chance_seed(settings: &Settings) -> u64 {
    seed(settings.seed, 0, Purpose::Chance)
}
