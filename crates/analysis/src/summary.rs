//! All games together.

use crate::review::{Review, Side};
use data::pgn::Salvaged;
use serde::Serialize;

/// All games together. Accuracies are means over the games.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// How many games there are.
    pub games: usize,
    /// Games that could be read only in part.
    pub damaged: usize,
    /// Their moves, of both sides.
    pub moves: u32,
    /// How White played.
    pub white: Side,
    /// How Black played.
    pub black: Side,
}

impl Summary {
    /// Adds up the reviews of all games.
    pub fn new(games: &[Salvaged], reviews: &[Review]) -> Summary {
        let white = total(reviews.iter().map(|review| &review.white));
        let black = total(reviews.iter().map(|review| &review.black));
        Summary {
            games: games.len(),
            damaged: games.iter().filter(|game| game.damage.is_some()).count(),
            moves: white.moves + black.moves,
            white,
            black,
        }
    }
}

fn total<'a>(sides: impl Iterator<Item = &'a Side>) -> Side {
    let mut sum = Side::default();
    let (mut accuracies, mut loss) = (Vec::new(), 0.0);
    for side in sides {
        sum.moves += side.moves;
        sum.inaccuracies += side.inaccuracies;
        sum.mistakes += side.mistakes;
        sum.blunders += side.blunders;
        accuracies.extend(side.accuracy);
        loss += side.average_centipawn_loss.unwrap_or_default() * f64::from(side.moves);
    }
    let games = accuracies.len() as f64;
    sum.accuracy = (games > 0.0).then(|| accuracies.iter().sum::<f64>() / games);
    sum.average_centipawn_loss = (sum.moves > 0).then(|| loss / f64::from(sum.moves));
    sum
}
