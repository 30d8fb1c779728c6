//! The settings file of a selection: the candidates, and how each stage is played. `read` fills in
//! all defaults, `check` finds invalid values.

mod check;
mod read;

pub use read::{from_table, read, schema};

use super::candidates::CandidateSettings;
use crate::ranges;
use crate::settings::{Wrong, within};
use arena::game::{AtHorizon, DrawRule, Endings, ResignRule};
use arena::selfplay::Book;
use arena::statistics::Sprt;
use engines::recipe::PlayerSpec;
use serde::{Deserialize, Serialize};

/// The settings of a selection.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Settings {
    /// The title of reports.
    pub title: Option<String>,
    /// The seed of openings and of all other random choices.
    pub seed: u64,
    /// The opponent in the gauntlet: `last`, `classical`, the name of a candidate, or a file.
    pub baseline: String,
    /// The candidates.
    pub candidates: CandidateSettings,
    /// How games begin and end.
    pub games: GameSettings,
    /// Stage 1.
    pub gauntlet: Gauntlet,
    /// Stage 2.
    pub round_robin: RoundRobin,
    /// Stage 3.
    pub peak: Peak,
    /// Stage 4.
    #[serde(rename = "final")]
    pub last: Final,
}

/// How games begin and end, in all stages.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "games")]
pub struct GameSettings {
    /// The opening book; the seed determines the order.
    pub book: Book,
    /// Number of random plies after the opening, the same for both games of a pair.
    #[schemars(transform = ranges::RANDOM_PLIES.schema())]
    pub random_plies: u32,
    /// Plies after which a game is a draw; 0 to play games out.
    pub horizon: u32,
    /// Draw adjudication by score.
    pub draw: Option<DrawRule>,
    /// Resign adjudication by score.
    pub resign: Option<ResignRule>,
}

impl GameSettings {
    /// Refuses numbers outside of their ranges.
    pub(crate) fn check(&self) -> Result<(), Wrong> {
        let plies = f64::from(self.random_plies);
        within("games.random_plies", plies, ranges::RANDOM_PLIES)
    }

    pub(crate) fn endings(&self) -> Endings {
        Endings {
            draw: self.draw,
            resign: self.resign,
            horizon: (self.horizon > 0).then_some(self.horizon),
            at_horizon: AtHorizon::Draw,
            ..Endings::default()
        }
    }
}

/// Stage 1: every candidate against the baseline.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Gauntlet {
    /// The settings of all players.
    pub player: PlayerSpec,
    /// Games per candidate.
    pub games: u64,
    /// How many candidates reach the next stage.
    pub keep: usize,
    /// A candidate with a smaller probability of being the best is dropped, if two others remain.
    pub least_chance: f64,
}

/// Stage 2: the remaining candidates against each other.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RoundRobin {
    /// The settings of all players.
    pub player: PlayerSpec,
    /// Games per candidate; 0 skips the stage.
    pub games: u64,
    /// How games are distributed among pairs of candidates.
    pub allocation: Allocation,
}

/// Stage 3: the best and its neighbours against each other.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Peak {
    /// The settings of all players.
    pub player: PlayerSpec,
    /// Games per candidate; 0 skips the stage.
    pub games: u64,
    /// How games are distributed among pairs of candidates.
    pub allocation: Allocation,
    /// How many epochs before and after the best count as neighbours.
    pub radius: u32,
    /// The maximum number of candidates.
    pub size: usize,
    /// Neighbours with a smaller probability of being the best are dropped.
    pub least_chance: f64,
}

/// Stage 4: the two best.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Final {
    /// The settings of both players.
    pub player: PlayerSpec,
    /// Maximum number of games; 0 skips the stage.
    pub games: u64,
    /// The test that ends it, from the leader's point of view.
    pub sprt: Sprt,
}

/// How games are distributed among pairs of candidates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(rename = "allocation")]
pub enum Allocation {
    /// Every pair of candidates plays equally often.
    Even,
    /// Where the decision is open: after a first even round, games go to candidates in proportion
    /// to their probability of being the best.
    Open {
        /// Number of rounds.
        #[serde(default = "ten")]
        #[schemars(transform = ranges::ROUNDS.schema())]
        rounds: u32,
        /// A candidate with a smaller probability of being the best plays no further round.
        #[serde(default = "one_percent")]
        #[schemars(transform = ranges::LEAST_CHANCE.schema())]
        least_chance: f64,
        /// No further round is played once a candidate has this probability of being the best.
        #[serde(default = "nearly_sure")]
        #[schemars(transform = ranges::SURE.schema())]
        sure: f64,
    },
}

fn ten() -> u32 {
    10
}

fn one_percent() -> f64 {
    0.01
}

fn nearly_sure() -> f64 {
    0.99
}

impl Settings {
    /// Whether the games depend on the speed of the machine.
    pub(super) fn is_timed(&self) -> bool {
        let players = [
            &self.gauntlet.player,
            &self.round_robin.player,
            &self.peak.player,
            &self.last.player,
        ];
        !players.iter().all(|player| player.is_repeatable())
    }

    /// The largest number of games that two candidates may play against each other in all stages.
    pub(super) fn most_meetings(&self) -> u64 {
        // Where games go to those that may be the best, two candidates may get nearly all of them.
        let stage = |games: u64, size: usize, allocation: Allocation| match allocation {
            Allocation::Even => games / (size.max(2) as u64 - 1) + 2,
            Allocation::Open { .. } => games * size as u64 / 2,
        };
        self.gauntlet.games
            + stage(
                self.round_robin.games,
                self.gauntlet.keep,
                self.round_robin.allocation,
            )
            + stage(self.peak.games, self.peak.size, self.peak.allocation)
            + self.last.games
    }
}

#[cfg(test)]
mod tests;
