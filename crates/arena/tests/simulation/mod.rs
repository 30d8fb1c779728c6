//! Matches of players whose strength is known, for tests and benches of the
//! statistics.

use arena::statistics::{
    Decision, Histogram, Model, NORMALIZED_ELO_OF_DEVIATION, Sprt, elo_of_score,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The true probabilities of the points of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pairs {
    shares: [f64; 5],
}

impl Pairs {
    /// Like `shape`, but tilted so that the player has exactly this strength.
    pub(crate) fn with_strength(shape: [f64; 5], model: Model, elo: f64) -> Pairs {
        let tilted = |tilt: f64| {
            let mut shares = [0.0; 5];
            for (index, share) in shares.iter_mut().enumerate() {
                *share = shape[index] * (tilt * SCORES[index]).exp();
            }
            let total: f64 = shares.iter().sum();
            Pairs {
                shares: shares.map(|share| share / total),
            }
        };
        let (mut low, mut high) = (-10.0, 10.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            let pairs = tilted(middle);
            let strength = match model {
                Model::Logistic | Model::Binomial => elo_of_score(pairs.mean()),
                Model::Normalized => {
                    NORMALIZED_ELO_OF_DEVIATION * (pairs.mean() - 0.5) / pairs.game_deviation()
                }
            };
            if strength < elo {
                low = middle;
            } else {
                high = middle;
            }
        }
        tilted(0.5 * (low + high))
    }

    /// The mean score.
    pub(crate) fn mean(&self) -> f64 {
        (0..5).map(|index| self.shares[index] * SCORES[index]).sum()
    }

    /// The standard deviation of a game, if games were independent.
    pub(crate) fn game_deviation(&self) -> f64 {
        let mean = self.mean();
        let square = |index: usize| self.shares[index] * (SCORES[index] - mean).powi(2);
        (2.0 * (0..5).map(square).sum::<f64>()).sqrt()
    }

    /// The points of a random pair, in half points.
    pub(crate) fn play(&self, generator: &mut Xoshiro256PlusPlus) -> usize {
        let mut rest = (generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        for (points, share) in self.shares.iter().enumerate() {
            if rest < *share {
                return points;
            }
            rest -= share;
        }
        4
    }

    /// Plays until a test ends, looking once after each pair.
    pub(crate) fn play_test(&self, sprt: &Sprt, generator: &mut Xoshiro256PlusPlus) -> Finished {
        let mut counts = [0; 5];
        loop {
            counts[self.play(generator)] += 1;
            let pairs = Histogram::of_pairs(counts);
            let decision = sprt.judge(&pairs).decision;
            if decision != Decision::Continue {
                return Finished { pairs, decision };
            }
        }
    }
}

/// A test that has ended.
pub(crate) struct Finished {
    /// What was counted.
    pub(crate) pairs: Histogram,
    /// What the test said.
    pub(crate) decision: Decision,
}
