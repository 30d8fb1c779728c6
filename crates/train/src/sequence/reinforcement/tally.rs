//! Statistics of the games of an epoch.

use super::lesson::Statistics;
use super::rollout::Rolled;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Sums over an epoch, and the value that all epochs are compared with. Fractions are stored as
/// bits, so that checkpoints lose nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Tally {
    steps: u64,
    games: u64,
    repeated: u64,
    /// The largest share of repeated games in a step.
    most_repeated: u64,
    draws: u64,
    plies: u64,
    /// Twice the points of the side that is trained.
    points: u64,
    entropy: u64,
    /// The entropy in the first step of a run, when the weights have not changed yet.
    entropy_of_start: Option<u64>,
    kl: u64,
    clipped: u64,
}

impl Tally {
    /// A tally for the next epoch.
    pub(super) fn next(&self) -> Tally {
        Tally {
            entropy_of_start: self.entropy_of_start,
            ..Tally::default()
        }
    }

    /// Counts the games of a step, and adds the statistics of the pass before it.
    pub(super) fn add(&mut self, rolled: &[Rolled], said: &Statistics) {
        let mut known = HashSet::new();
        self.steps += 1;
        let before = self.repeated;
        for game in rolled {
            self.games += 1;
            self.plies += game.game.moves.len() as u64;
            self.draws += u64::from(game.result == 0.0);
            self.repeated += u64::from(!known.insert(&game.game.moves));
            let own = game.own.map_or(0, |own| own.index());
            self.points += (game.reward(own) + 1.0) as u64;
        }
        let repeated = (self.repeated - before) as f64 / rolled.len().max(1) as f64;
        self.most_repeated = f64::from_bits(self.most_repeated).max(repeated).to_bits();
        self.entropy_of_start.get_or_insert(said.entropy.to_bits());
        for (sum, value) in [
            (&mut self.entropy, said.entropy),
            (&mut self.kl, said.kl),
            (&mut self.clipped, said.clipped),
        ] {
            *sum = (f64::from_bits(*sum) + value).to_bits();
        }
    }

    /// The means by name; empty if no games were played.
    pub(super) fn numbers(&self) -> Vec<(&'static str, f64)> {
        if self.games == 0 {
            return Vec::new();
        }
        let games = |count: u64| count as f64 / self.games as f64;
        let steps = |bits: u64| f64::from_bits(bits) / self.steps as f64;
        let start = self.entropy_of_start.unwrap_or_default();
        vec![
            ("entropy", steps(self.entropy)),
            ("entropy_of_start", f64::from_bits(start)),
            ("kl", steps(self.kl)),
            ("clipped", steps(self.clipped)),
            ("repeated", games(self.repeated)),
            ("most_repeated", f64::from_bits(self.most_repeated)),
            ("draws", games(self.draws)),
            ("plies", games(self.plies)),
            ("score", 0.5 * games(self.points)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Board, Color};
    use data::sequences::SequenceGame;

    /// Games of one move each, `same` of which are identical.
    fn games(count: usize, same: usize) -> Vec<Rolled> {
        let moves = Board::start().legal_moves();
        let game = |number: usize| Rolled {
            game: SequenceGame {
                moves: vec![moves[number.saturating_sub(same)]],
                ..SequenceGame::default()
            },
            own: Some(Color::White),
            first: 0,
            result: 1.0,
            taught: Vec::new(),
        };
        (0..count).map(game).collect()
    }

    #[test]
    fn the_start_and_the_worst_step_are_kept() {
        let said = |entropy: f64| Statistics {
            entropy,
            ..Statistics::default()
        };
        let number = |tally: &Tally, wanted: &str| {
            let numbers = tally.numbers().into_iter();
            numbers
                .filter(|(name, _)| *name == wanted)
                .map(|(_, value)| value)
                .next()
        };
        let mut tally = Tally::default();
        tally.add(&games(4, 0), &said(2.0));
        tally.add(&games(4, 2), &said(1.0));
        assert_eq!(number(&tally, "entropy"), Some(1.5));
        assert_eq!(number(&tally, "repeated"), Some(0.25));
        assert_eq!(number(&tally, "most_repeated"), Some(0.5));
        let mut next = tally.next();
        assert_eq!(next.numbers(), []);
        next.add(&games(4, 0), &said(0.5));
        assert_eq!(number(&next, "entropy_of_start"), Some(2.0));
        assert_eq!(number(&next, "most_repeated"), Some(0.0));
    }
}
