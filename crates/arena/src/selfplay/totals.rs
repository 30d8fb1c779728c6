//! Sums over many games.

use super::explore::ExploreTally;
use super::record::GameRecord;
use crate::game::{Outcome, Reason};
use data::journal::Build;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Sums over games.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Totals {
    /// The number of games.
    pub games: u64,
    /// The number of positions that can be learned from.
    pub positions: u64,
    /// The number of plies after the opening, further random moves included.
    pub plies: u64,
    /// Games that White won.
    pub white_wins: u64,
    /// Games that were drawn.
    pub draws: u64,
    /// Games that Black won.
    pub black_wins: u64,
    /// How many games ended for each reason.
    pub reasons: BTreeMap<String, u64>,
    /// Seconds of play, summed over all threads.
    pub seconds: f64,
    /// The part of them in which the player thought.
    pub thinking_seconds: f64,
    /// The share of positions that occur earlier in the shard; 0 before the shard is made.
    #[serde(default)]
    pub repeated_share: f64,
    /// Statistics of games of exploration, once their shard is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explored: Option<Box<ExploreTally>>,
    /// The builds of the program that played, if there were several.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub builds: Vec<Build>,
}

/// A single build is the normal case, and is not recorded.
fn is_usual(builds: &[Build]) -> bool {
    builds.len() <= 1
}

/// Above this share of repeated positions, the openings are not diverse enough.
pub const MANY_REPEATED: f64 = 0.1;

impl Totals {
    /// Adds a game of which this many positions are used.
    pub(super) fn add(&mut self, game: &GameRecord, positions: u64) {
        self.games += 1;
        self.positions += positions;
        self.plies += u64::from(game.plies);
        *match game.result {
            Outcome::WhiteWins => &mut self.white_wins,
            Outcome::Draw => &mut self.draws,
            Outcome::BlackWins => &mut self.black_wins,
        } += 1;
        *self.reasons.entry(name(game.reason)).or_default() += 1;
        self.seconds += game.seconds;
        self.thinking_seconds += game.thinking_seconds;
    }

    /// The mean length of a game.
    pub fn average_plies(&self) -> f64 {
        self.plies as f64 / self.games.max(1) as f64
    }

    /// The share of decisive games.
    pub fn decisive_share(&self) -> f64 {
        (self.white_wins + self.black_wins) as f64 / self.games.max(1) as f64
    }

    /// The share of time in which the player did not think.
    pub fn idle_share(&self) -> f64 {
        match self.seconds > 0.0 {
            true => 1.0 - self.thinking_seconds / self.seconds,
            false => 0.0,
        }
    }
}

fn name(reason: Reason) -> String {
    reason.to_string()
}
