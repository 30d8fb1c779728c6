//! Why the games alone may not bound every rating.
//!
//! The likelihood has a maximum only if no group of players could be made stronger without limit: a
//! chain of wins or draws must lead from every player to every other.

use super::fit::PRIOR_ELO;
use super::results::Results;
use serde::Serialize;
use std::fmt;

/// Why the games do not bound the ratings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    /// A player won all games.
    OnlyWins(String),
    /// A player lost all games.
    OnlyLosses(String),
    /// Groups of players never met; the first player of each is named.
    Apart(Vec<String>),
    /// These players never took a point from any other player.
    Outclassed(Vec<String>),
    /// Every game was drawn.
    OnlyDraws,
    /// Strength cannot be told apart from the advantage of White.
    Colours,
    /// Anything else, such as White winning every game.
    Unbounded,
}

/// How many obstacles or players a message names.
const MOST_LISTED: usize = 4;

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::OnlyWins(name) => write!(f, "{name} won all games"),
            Obstacle::OnlyLosses(name) => write!(f, "{name} lost all games"),
            Obstacle::Apart(names) => {
                let count = names.len();
                write!(f, "{count} groups never met, those of {}", listed(names))
            }
            Obstacle::Outclassed(names) => {
                write!(f, "{} scored no point against the others", listed(names))
            }
            Obstacle::OnlyDraws => f.write_str("every game was drawn"),
            Obstacle::Colours => f.write_str("the same players always had White"),
            Obstacle::Unbounded => f.write_str("the results are too one-sided"),
        }
    }
}

/// A warning about ratings that the games alone do not bound; `None` if they do.
pub(super) fn caveat(obstacles: &[Obstacle]) -> Option<String> {
    let words: Vec<String> = obstacles.iter().map(Obstacle::to_string).collect();
    (!words.is_empty()).then(|| {
        format!(
            "{}; the games alone do not bound the ratings, so a prior of about {PRIOR_ELO} \
             Elo is used",
            listed(&words)
        )
    })
}

fn listed(words: &[String]) -> String {
    let shown = words[..words.len().min(MOST_LISTED)].join(", ");
    if words.len() > MOST_LISTED {
        format!("{shown} and {} more", words.len() - MOST_LISTED)
    } else {
        shown
    }
}

/// The obstacles in these results, where the ratings of players with `is_fixed` are known.
pub(super) fn find(results: &Results, is_fixed: &dyn Fn(usize) -> bool) -> Vec<Obstacle> {
    let perfect = one_sided_players(results, is_fixed);
    if !perfect.is_empty() {
        return perfect;
    }
    let graph = Graph::new(results, is_fixed);
    let names = results.names();
    let apart = graph.groups();
    if apart.len() > 1 {
        let first = apart.iter().map(|&player| names[player].clone());
        return vec![Obstacle::Apart(first.collect())];
    }
    if let Some(players) = graph.outclassed() {
        let names = players.iter().map(|&player| names[player].clone());
        return vec![Obstacle::Outclassed(names.collect())];
    }
    let mut found = Vec::new();
    if results
        .pairings()
        .all(|(_, _, games)| games.draws == games.games())
    {
        found.push(Obstacle::OnlyDraws);
    }
    if is_colour_blind(results, is_fixed) {
        found.push(Obstacle::Colours);
    }
    found
}

/// Whether White's advantage could just as well be strength: players can be placed on steps such
/// that White was always one step above Black.
fn is_colour_blind(results: &Results, is_fixed: &dyn Fn(usize) -> bool) -> bool {
    let players = results.names().len();
    // Fixed players share a step, so they count as one.
    let fixed = (0..players).find(|&player| is_fixed(player));
    let place = |player: usize| fixed.filter(|_| is_fixed(player)).unwrap_or(player);
    let mut neighbours = vec![Vec::new(); players];
    for (white, black, _) in results.pairings() {
        let (white, black) = (place(white), place(black));
        neighbours[white].push((black, -1));
        neighbours[black].push((white, 1));
    }
    let mut steps = vec![None; players];
    for start in 0..players {
        if steps[start].is_some() {
            continue;
        }
        steps[start] = Some(0);
        let mut waiting = vec![(start, 0)];
        while let Some((player, step)) = waiting.pop() {
            for &(other, change) in &neighbours[player] {
                match steps[other] {
                    None => {
                        steps[other] = Some(step + change);
                        waiting.push((other, step + change));
                    }
                    Some(known) if known != step + change => return false,
                    Some(_) => {}
                }
            }
        }
    }
    true
}

fn one_sided_players(results: &Results, is_fixed: &dyn Fn(usize) -> bool) -> Vec<Obstacle> {
    let names = results.names();
    let totals = results.totals();
    let free = (0..names.len()).filter(|&player| !is_fixed(player));
    free.filter_map(|player| {
        let total = totals[player];
        let name = || names[player].clone();
        if total.wins == total.games() {
            Some(Obstacle::OnlyWins(name()))
        } else if total.losses == total.games() {
            Some(Obstacle::OnlyLosses(name()))
        } else {
            None
        }
    })
    .collect()
}

/// Who took points from whom.
struct Graph {
    /// For each player, those the player took points from.
    beaten: Vec<Vec<usize>>,
    /// For each player, those who took points from the player.
    beaten_by: Vec<Vec<usize>>,
}

impl Graph {
    fn new(results: &Results, is_fixed: &dyn Fn(usize) -> bool) -> Graph {
        let players = results.names().len();
        let mut graph = Graph {
            beaten: vec![Vec::new(); players],
            beaten_by: vec![Vec::new(); players],
        };
        for (white, black, games) in results.pairings() {
            if games.wins + games.draws > 0 {
                graph.join(white, black);
            }
            if games.losses + games.draws > 0 {
                graph.join(black, white);
            }
        }
        // The difference of two fixed ratings is known without any games.
        let fixed: Vec<_> = (0..players).filter(|&player| is_fixed(player)).collect();
        for pair in fixed.windows(2) {
            graph.join(pair[0], pair[1]);
            graph.join(pair[1], pair[0]);
        }
        graph
    }

    fn join(&mut self, winner: usize, loser: usize) {
        self.beaten[winner].push(loser);
        self.beaten_by[loser].push(winner);
    }

    /// The players that can be reached from one of them, that one included.
    fn reach(&self, start: usize, ways: &[&[Vec<usize>]]) -> Vec<bool> {
        let mut reached = vec![false; self.beaten.len()];
        reached[start] = true;
        let mut waiting = vec![start];
        while let Some(player) = waiting.pop() {
            for &other in ways.iter().flat_map(|way| &way[player]) {
                if !reached[other] {
                    reached[other] = true;
                    waiting.push(other);
                }
            }
        }
        reached
    }

    /// The first player of each group of players connected by games.
    fn groups(&self) -> Vec<usize> {
        let mut known = vec![false; self.beaten.len()];
        let mut firsts = Vec::new();
        for player in 0..self.beaten.len() {
            if !known[player] {
                firsts.push(player);
                let group = self.reach(player, &[&self.beaten, &self.beaten_by]);
                for (known, member) in known.iter_mut().zip(group) {
                    *known |= member;
                }
            }
        }
        firsts
    }

    /// Players who took no point from any other, if there are any; all players must be connected by
    /// games.
    fn outclassed(&self) -> Option<Vec<usize>> {
        if self.beaten.is_empty() {
            return None;
        }
        let chosen = |reached: Vec<bool>, wanted: bool| {
            let players = (0..reached.len()).filter(|&player| reached[player] == wanted);
            players.collect::<Vec<_>>()
        };
        let weak = chosen(self.reach(0, &[&self.beaten]), true);
        if weak.len() < self.beaten.len() {
            return Some(weak);
        }
        let weak = chosen(self.reach(0, &[&self.beaten_by]), false);
        (!weak.is_empty()).then_some(weak)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Trinomial;

    /// Games written as `winner>loser` or `player=player`.
    fn results(games: &str) -> Results {
        let mut results = Results::new();
        for game in games.split(' ') {
            let won = Trinomial {
                wins: 1,
                ..Trinomial::default()
            };
            let drawn = Trinomial {
                draws: 1,
                ..Trinomial::default()
            };
            match game.split_once('>') {
                Some((white, black)) => results.add(white, black, won),
                None => {
                    let (white, black) = game.split_once('=').expect("a draw");
                    results.add(white, black, drawn);
                }
            }
        }
        results
    }

    fn names(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_circle_of_wins_bounds_everyone() {
        assert_eq!(find(&results("a>b b>c c>a"), &|_| false), []);
        assert_eq!(find(&results("a=b b=a b>a a>b b=c"), &|_| false), []);
    }

    #[test]
    fn obstacles_are_named() {
        let found = |games| find(&results(games), &|_| false);
        assert_eq!(found("a>b a>c b=c"), [Obstacle::OnlyWins("a".to_owned())]);
        assert_eq!(found("a>b c>b a=c"), [Obstacle::OnlyLosses("b".to_owned())]);
        assert_eq!(found("a=b c=d"), [Obstacle::Apart(names("a c"))]);
        assert_eq!(
            found("c=d c>a d>b a=b"),
            [Obstacle::Outclassed(names("a b"))]
        );
        assert_eq!(
            found("a=b a>c b>d c=d"),
            [Obstacle::Outclassed(names("c d"))]
        );
    }

    #[test]
    fn the_caveat_is_one_line_of_bearable_length() {
        assert_eq!(caveat(&[]), None);
        let one = caveat(&find(&results("a>b"), &|_| false)).expect("words");
        assert!(one.starts_with("a won all games, b lost all games; the games alone do not"));
        let many = caveat(&vec![Obstacle::OnlyWins("x".to_owned()); 9]).expect("words");
        assert!(many.contains("x won all games and 5 more; "), "{many}");
    }

    #[test]
    fn colours_must_be_mixed() {
        let found = |games| find(&results(games), &|_| false);
        assert_eq!(found("a=b a>b b=c b>c"), [Obstacle::Colours]);
        assert_eq!(found("a=b a>b b=c b>c c>a"), []);
        assert_eq!(found("a=b b=c"), [Obstacle::OnlyDraws, Obstacle::Colours]);
        assert_eq!(found("a=b b=a"), [Obstacle::OnlyDraws]);
        // White's advantage can be told apart where strengths are fixed.
        assert_eq!(find(&results("a=b a>b"), &|_| true), []);
        assert_eq!(
            find(&results("a=b a>b"), &|player| player == 0),
            [Obstacle::Colours]
        );
    }

    #[test]
    fn fixed_ratings_bridge_gaps() {
        let apart = results("a=b c=d b>a c>d d>c");
        let of = |players: &'static [&str]| {
            let apart = apart.clone();
            move |player: usize| players.contains(&apart.names()[player].as_str())
        };
        assert_eq!(find(&apart, &of(&["a", "c"])), []);
        assert_eq!(find(&apart, &of(&["a"])).len(), 1);
        // The strength of a fixed player is no obstacle.
        assert_eq!(
            find(&results("a>b a>c b>c c>b"), &|player| player == 0).len(),
            1
        );
        let unbeaten = results("a>b a>b");
        assert_eq!(find(&unbeaten, &|_| true), []);
    }
}
