//! The crosstable: the results of all players against each other.

use super::results::Results;
use crate::statistics::Trinomial;
use serde::Serialize;

/// The results of each player against each other, in a given order of players.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Crosstable {
    /// The players, in order.
    pub names: Vec<String>,
    /// For each player and each opponent, the games from the player's point of view, with both
    /// colours; `None` if they did not meet.
    pub cells: Vec<Vec<Option<Trinomial>>>,
}

impl Crosstable {
    /// The table of these players, in this order; players without games are left out.
    pub fn new<'a>(results: &Results, order: impl IntoIterator<Item = &'a str>) -> Crosstable {
        let players: Vec<usize> = order
            .into_iter()
            .filter_map(|name| results.find(name))
            .collect();
        let mut places = vec![None; results.names().len()];
        for (place, &player) in players.iter().enumerate() {
            places[player] = Some(place);
        }
        let mut cells = vec![vec![None; players.len()]; players.len()];
        for (white, black, games) in results.pairings() {
            if let (Some(white), Some(black)) = (places[white], places[black]) {
                *cells[white][black].get_or_insert_with(Trinomial::default) += *games;
                *cells[black][white].get_or_insert_with(Trinomial::default) += games.turned();
            }
        }
        let names = players
            .iter()
            .map(|&player| results.names()[player].clone());
        Crosstable {
            names: names.collect(),
            cells,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_put_together() {
        let mut results = Results::new();
        let games = |losses, draws, wins| Trinomial {
            losses,
            draws,
            wins,
        };
        results.add("a", "b", games(1, 2, 3));
        results.add("b", "a", games(4, 0, 0));
        results.add("c", "b", games(0, 1, 0));
        let table = Crosstable::new(&results, ["b", "a", "c", "d"]);
        assert_eq!(table.names, ["b", "a", "c"]);
        assert_eq!(
            table.cells,
            [
                [None, Some(games(7, 2, 1)), Some(games(0, 1, 0))],
                [Some(games(1, 2, 7)), None, None],
                [Some(games(0, 1, 0)), None, None],
            ]
        );
    }
}
