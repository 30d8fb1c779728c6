//! Sums over a side in several games.

use crate::review::Side;

/// How a side did in the games so far.
#[derive(Default)]
pub(crate) struct SideSums {
    counts: Side,
    accuracy: f64,
    /// Games in which it has an accuracy.
    accuracies: u64,
    loss: f64,
}

impl SideSums {
    pub(crate) fn add(&mut self, side: &Side) {
        self.counts.moves += side.moves;
        self.counts.inaccuracies += side.inaccuracies;
        self.counts.mistakes += side.mistakes;
        self.counts.blunders += side.blunders;
        self.accuracy += side.accuracy.unwrap_or_default();
        self.accuracies += u64::from(side.accuracy.is_some());
        self.loss += side.average_centipawn_loss.unwrap_or_default() * f64::from(side.moves);
    }

    pub(crate) fn side(&self) -> Side {
        let (games, moves) = (self.accuracies as f64, self.counts.moves);
        Side {
            accuracy: (games > 0.0).then(|| self.accuracy / games),
            average_centipawn_loss: (moves > 0).then(|| self.loss / f64::from(moves)),
            ..self.counts
        }
    }
}
