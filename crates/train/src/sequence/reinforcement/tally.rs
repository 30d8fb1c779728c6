//! What happened in the games of an epoch.

use super::lesson::Statistics;
use super::rollout::Rolled;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Sums over an epoch. Numbers with fractions are kept as bits, so that checkpoints lose
/// nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Tally {
    steps: u64,
    games: u64,
    repeated: u64,
    draws: u64,
    plies: u64,
    /// Twice the points of the side that learns.
    points: u64,
    entropy: u64,
    kl: u64,
    clipped: u64,
}

impl Tally {
    /// Counts the games of a step, and what the pass before it said of their moves.
    pub(super) fn add(&mut self, rolled: &[Rolled], said: &Statistics) {
        let mut known = HashSet::new();
        self.steps += 1;
        for game in rolled {
            self.games += 1;
            self.plies += game.game.moves.len() as u64;
            self.draws += u64::from(game.result == 0.0);
            self.repeated += u64::from(!known.insert(&game.game.moves));
            let own = game.own.map_or(0, |own| own.index());
            self.points += (game.reward(own) + 1.0) as u64;
        }
        for (sum, value) in [
            (&mut self.entropy, said.entropy),
            (&mut self.kl, said.kl),
            (&mut self.clipped, said.clipped),
        ] {
            *sum = (f64::from_bits(*sum) + value).to_bits();
        }
    }

    /// The means, by name; nothing if nothing was played.
    pub(super) fn numbers(&self) -> Vec<(&'static str, f64)> {
        if self.games == 0 {
            return Vec::new();
        }
        let games = |count: u64| count as f64 / self.games as f64;
        let steps = |bits: u64| f64::from_bits(bits) / self.steps as f64;
        vec![
            ("entropy", steps(self.entropy)),
            ("kl", steps(self.kl)),
            ("clipped", steps(self.clipped)),
            ("repeated", games(self.repeated)),
            ("draws", games(self.draws)),
            ("plies", games(self.plies)),
            ("score", 0.5 * games(self.points)),
        ]
    }
}
