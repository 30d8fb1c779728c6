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

/// The games up to now.
#[derive(Default)]
pub(crate) struct Sums {
    games: usize,
    damaged: usize,
    white: SideSums,
    black: SideSums,
}

impl Sums {
    pub(crate) fn add(&mut self, salvaged: &Salvaged, review: &Review) {
        self.games += 1;
        self.damaged += usize::from(salvaged.damage.is_some());
        self.white.add(&review.white);
        self.black.add(&review.black);
    }

    pub(crate) fn summary(&self) -> Summary {
        let (white, black) = (self.white.side(), self.black.side());
        Summary {
            games: self.games,
            damaged: self.damaged,
            moves: white.moves + black.moves,
            white,
            black,
        }
    }
}

/// What a side did in the games up to now.
#[derive(Default)]
struct SideSums {
    counts: Side,
    accuracy: f64,
    /// Games in which it has an accuracy.
    accuracies: u64,
    loss: f64,
}

impl SideSums {
    fn add(&mut self, side: &Side) {
        self.counts.moves += side.moves;
        self.counts.inaccuracies += side.inaccuracies;
        self.counts.mistakes += side.mistakes;
        self.counts.blunders += side.blunders;
        self.accuracy += side.accuracy.unwrap_or_default();
        self.accuracies += u64::from(side.accuracy.is_some());
        self.loss += side.average_centipawn_loss.unwrap_or_default() * f64::from(side.moves);
    }

    fn side(&self) -> Side {
        let (games, moves) = (self.accuracies as f64, self.counts.moves);
        Side {
            accuracy: (games > 0.0).then(|| self.accuracy / games),
            average_centipawn_loss: (moves > 0).then(|| self.loss / f64::from(moves)),
            ..self.counts
        }
    }
}
