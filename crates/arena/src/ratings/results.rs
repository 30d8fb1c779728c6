//! The results of all pairings, by colour.

use crate::statistics::Trinomial;
use std::collections::{BTreeMap, HashMap};

/// The results of any number of games between any number of players.
#[derive(Clone, Debug, Default)]
pub struct Results {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// By the indices of White and Black, from White's point of view. The order is fixed, so that
    /// sums do not depend on the order in which games were added.
    pairings: BTreeMap<(usize, usize), Trinomial>,
}

impl Results {
    /// No games.
    pub fn new() -> Results {
        Results::default()
    }

    /// Adds games between two players, counted from White's point of view. Games of a player
    /// against itself say nothing about its strength and are skipped.
    pub fn add(&mut self, white: &str, black: &str, games: Trinomial) {
        if white == black {
            return;
        }
        let key = (self.number(white), self.number(black));
        *self.pairings.entry(key).or_default() += games;
    }

    /// The names of the players, in order of their first game.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The index of a player, if the player is known.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// Each two players that met, by their indices, and each assignment of colours: White, Black,
    /// and the games from White's point of view.
    pub fn pairings(&self) -> impl Iterator<Item = (usize, usize, &Trinomial)> {
        self.pairings
            .iter()
            .map(|(&(white, black), games)| (white, black, games))
    }

    /// The results of each player, from the player's point of view.
    pub fn totals(&self) -> Vec<Trinomial> {
        let mut totals = vec![Trinomial::default(); self.names.len()];
        for (white, black, games) in self.pairings() {
            totals[white] += *games;
            totals[black] += games.turned();
        }
        totals
    }

    /// The results without players who have fewer games, and without their games; repeated until
    /// all have enough, since removing games takes games from others.
    pub fn with_at_least(mut self, games: u64) -> Results {
        loop {
            let totals = self.totals();
            let stays = |player: usize| totals[player].games() >= games;
            if (0..totals.len()).all(stays) {
                return self;
            }
            let mut rest = Results::new();
            for (white, black, games) in self.pairings() {
                if stays(white) && stays(black) {
                    rest.add(&self.names[white], &self.names[black], *games);
                }
            }
            self = rest;
        }
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len();
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(losses: u64, draws: u64, wins: u64) -> Trinomial {
        Trinomial {
            losses,
            draws,
            wins,
        }
    }

    #[test]
    fn totals_are_from_each_players_view() {
        let mut results = Results::new();
        results.add("a", "b", games(1, 2, 4));
        results.add("b", "a", games(0, 0, 8));
        results.add("a", "c", games(0, 1, 0));
        results.add("c", "c", games(9, 9, 9));
        assert_eq!(results.names(), ["a", "b", "c"]);
        assert_eq!(
            results.totals(),
            [games(9, 3, 4), games(4, 2, 9), games(0, 1, 0)]
        );
    }

    #[test]
    fn rare_players_leave_with_their_games() {
        let mut results = Results::new();
        results.add("a", "b", games(5, 0, 5));
        results.add("b", "c", games(1, 0, 1));
        results.add("c", "d", games(0, 1, 0));
        // Without its game against d, c has too few games as well.
        let rest = results.clone().with_at_least(3);
        assert_eq!(rest.names(), ["a", "b"]);
        assert_eq!(rest.totals()[1].games(), 10);
        assert_eq!(results.with_at_least(11).names(), [""; 0]);
    }
}
