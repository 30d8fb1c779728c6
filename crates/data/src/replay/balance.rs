//! Which games are used for training, how often, and how much of them.

use super::Game;

/// A game, or its first positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Part<'a> {
    pub(super) game: &'a Game,
    pub(super) positions: u64,
}

impl<'a> Part<'a> {
    pub(super) fn whole(game: &'a Game) -> Part<'a> {
        Part {
            game,
            positions: game.positions,
        }
    }
}

/// The rule [`WholeGames`](super::Rebalance::WholeGames).
pub(super) fn repeated<'a>(games: &[&'a Game], share: f64) -> Vec<Part<'a>> {
    let mut parts: Vec<Part<'a>> = games.iter().copied().map(Part::whole).collect();
    let positions = |wanted: bool| -> u64 {
        let games = games.iter().filter(|game| game.is_decisive == wanted);
        games.map(|game| game.positions).sum()
    };
    let (mut decisive, drawn) = (positions(true), positions(false));
    let decisive_games = games.iter().filter(|game| game.is_decisive);
    for &game in decisive_games.cycle() {
        let is_enough = decisive as f64 >= share * (decisive + drawn) as f64;
        // Games without positions could never reach the share.
        if is_enough || decisive == 0 {
            break;
        }
        parts.push(Part::whole(game));
        decisive += game.positions;
    }
    parts
}

/// The rule [`Published`](super::Rebalance::Published).
pub(super) fn as_published<'a>(games: &[&'a Game], share: f64) -> Vec<Part<'a>> {
    let all: u64 = games.iter().map(|game| game.positions).sum();
    let of = |wanted: bool| {
        let is_wanted = move |game: &&&'a Game| game.is_decisive == wanted && game.positions > 0;
        games.iter().filter(is_wanted).copied().collect::<Vec<_>>()
    };
    let [decisive, drawn] = [of(true), of(false)];
    if decisive.is_empty() {
        return games.iter().copied().map(Part::whole).collect();
    }
    let decisive_target = (all as f64 * share) as u64;
    let mut parts = taken(&decisive, decisive_target);
    // Without drawn games, the published code would have stopped with an error.
    parts.extend(taken(&drawn, all - decisive_target));
    parts
}

/// This many positions of games, which are repeated as often as necessary.
fn taken<'a>(games: &[&'a Game], positions: u64) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let mut missing = positions;
    for &game in games.iter().cycle() {
        if missing == 0 {
            break;
        }
        let positions = game.positions.min(missing);
        parts.push(Part { game, positions });
        missing -= positions;
    }
    parts
}
