//! How many games each two players get in a round.

use super::chance::Worlds;
use super::standings::Met;
use arena::schedule::Meeting;
use data::random::Generator;
use std::collections::BTreeMap;

/// The number of pairs of games for each two players.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Pairings(BTreeMap<(usize, usize), u64>);

impl Pairings {
    /// All guests against one host.
    pub(super) fn gauntlet(host: usize, guests: &[usize], games: u64) -> Pairings {
        let guests = guests.iter().filter(|&&guest| guest != host);
        Pairings(guests.map(|&guest| ((host, guest), games / 2)).collect())
    }

    /// All entrants against each other, with this many pairs each.
    pub(super) fn even(entrants: &[usize], pairs: u64) -> Pairings {
        let mut all = BTreeMap::new();
        for (index, &first) in entrants.iter().enumerate() {
            for &second in &entrants[index + 1..] {
                all.insert(ordered(first, second), pairs);
            }
        }
        Pairings(all)
    }

    /// This many pairs of games, each between two players who may be the best: the more likely it
    /// is that either of them is, the more often they meet. `worlds` has the ratings of the
    /// entrants, in their order.
    pub(super) fn open(
        entrants: &[usize],
        worlds: &Worlds,
        pairs: u64,
        generator: &mut Generator,
    ) -> Pairings {
        let mut all = BTreeMap::new();
        for _ in 0..pairs {
            let (first, second) = worlds.rivals(generator);
            if first != second {
                *all.entry(ordered(entrants[first], entrants[second]))
                    .or_default() += 1;
            }
        }
        Pairings(all)
    }

    /// The number of games.
    pub(super) fn games(&self) -> u64 {
        2 * self.0.values().sum::<u64>()
    }

    /// The pairings in the form of a schedule. The openings of two players continue where their
    /// earlier ones ended, so that no game is repeated.
    pub(super) fn meetings(&self, before: &[Met]) -> Vec<Meeting> {
        let played = |one: usize, other: usize| -> u64 {
            let is_same = |met: &&Met| ordered(met.first, met.second) == ordered(one, other);
            before
                .iter()
                .filter(is_same)
                .map(|met| met.pairs.pairs())
                .sum()
        };
        let meeting = |(&(first, second), &pairs): (&(usize, usize), &u64)| Meeting {
            first,
            second,
            games: 2 * pairs,
            opening: played(first, second) as usize,
        };
        self.0.iter().map(meeting).collect()
    }
}

fn ordered(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

/// The number of pairs for each two players of a round robin in which each entrant plays at least
/// this many games.
pub(super) fn pairs_of_each_two(games: u64, entrants: usize) -> u64 {
    let opponents = (entrants.max(2) - 1) as u64;
    games.div_ceil(opponents).div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::super::standings::Standings;
    use super::super::standings::tests::{field, met};
    use super::*;
    use data::random;

    fn list(pairings: &Pairings, before: &[Met]) -> Vec<(usize, usize, u64, usize)> {
        let meetings = pairings.meetings(before);
        let row = |meeting: &Meeting| {
            let &Meeting {
                first,
                second,
                games,
                opening,
            } = meeting;
            (first, second, games, opening)
        };
        meetings.iter().map(row).collect()
    }

    #[test]
    fn published_numbers_come_out() {
        // 8 entrants with 1,750 games each, and 4 with 6,000.
        assert_eq!(pairs_of_each_two(1_750, 8), 125);
        assert_eq!(pairs_of_each_two(6_000, 4), 1_000);
        assert_eq!(pairs_of_each_two(1, 5), 1);
        assert_eq!(pairs_of_each_two(10, 2), 5);
    }

    #[test]
    fn even_rounds_go_on_with_openings() {
        let gauntlet = Pairings::gauntlet(2, &[0, 1, 2], 6);
        assert_eq!(list(&gauntlet, &[]), [(2, 0, 6, 0), (2, 1, 6, 0)]);
        assert_eq!(gauntlet.games(), 12);
        let before = [met(2, 0, [1, 1, 1]), met(1, 2, [0, 4, 0])];
        let even = Pairings::even(&[2, 0, 1], 5);
        assert_eq!(
            list(&even, &before),
            [(0, 1, 10, 0), (0, 2, 10, 3), (1, 2, 10, 4)]
        );
    }

    #[test]
    fn open_rounds_go_to_those_who_may_be_the_best() {
        let field = field(&[1, 2, 3, 4], 3);
        let games = [
            met(3, 0, [30, 40, 32]),
            met(3, 1, [30, 40, 30]),
            met(3, 2, [80, 20, 0]),
        ];
        let standings = Standings::of(&field, games.iter(), 1).expect("a fit");
        let entrants = [0, 1, 2, 3];
        let worlds = standings.worlds(&entrants);
        let draw = |seed| Pairings::open(&entrants, &worlds, 100, &mut random::generator(seed, 0));
        let pairings = draw(1);
        assert_eq!(pairings.games(), 200);
        assert!(
            pairings
                .0
                .keys()
                .all(|&(one, other)| one != 2 && other != 2)
        );
        assert_eq!(pairings.0.len(), 3);
        assert_eq!(pairings, draw(1));
        assert_ne!(pairings, draw(2));
    }
}
