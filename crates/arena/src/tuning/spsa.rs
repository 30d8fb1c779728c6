//! The arithmetic of SPSA. It must not know what is tuned, nor how games are played.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Serialize;

/// How fast steps and perturbations shrink: the exponents that Spall recommends.
const STEP_DECAY: f64 = 0.602;
const PERTURBATION_DECAY: f64 = 0.101;

/// The stability constant, as a share of the iterations: it damps the first steps.
const STABILITY_SHARE: f64 = 0.1;

/// A constant to be tuned.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its initial value.
    pub start: i32,
    /// Its lower bound.
    pub low: i32,
    /// Its upper bound.
    pub high: i32,
    /// How far it is moved up and down in the last iteration.
    pub perturbation: f64,
}

/// How fast the constants move.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Gains {
    /// The total number of iterations.
    pub iterations: usize,
    /// The step of the last iteration for one pair won, as a share of the squared perturbation.
    pub learning_rate: f64,
}

/// The two sides that an iteration plays against each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// The values of the `up` side.
    pub up: Vec<i32>,
    /// The values of the `down` side.
    pub down: Vec<i32>,
    /// Whether each constant is higher on the `up` side.
    flips: Vec<bool>,
}

/// The current values of the constants.
#[derive(Clone, Debug)]
pub struct Spsa {
    constants: Vec<Constant>,
    gains: Gains,
    seed: u64,
    /// The number of finished iterations.
    iteration: usize,
    values: Vec<f64>,
}

impl Spsa {
    /// All constants at their initial values.
    pub fn new(constants: Vec<Constant>, gains: Gains, seed: u64) -> Spsa {
        let values = constants
            .iter()
            .map(|constant| f64::from(constant.start))
            .collect();
        Spsa {
            constants,
            gains,
            seed,
            iteration: 0,
            values,
        }
    }

    /// The number of finished iterations.
    pub fn iteration(&self) -> usize {
        self.iteration
    }

    /// The current values of the constants, not rounded.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The next trial. It depends only on the seed, the iteration and the current values.
    pub fn trial(&self) -> Trial {
        let mut generator =
            Xoshiro256PlusPlus::seed_from_u64(self.seed.wrapping_add(self.iteration as u64));
        let mut trial = Trial {
            up: Vec::new(),
            down: Vec::new(),
            flips: Vec::new(),
        };
        for (index, constant) in self.constants.iter().enumerate() {
            let flip = generator.next_u64() >> 63 == 1;
            let distance = self.perturbation(index) * if flip { 1.0 } else { -1.0 };
            let bounds = (f64::from(constant.low), f64::from(constant.high));
            // Rounded up or down at random, so that small moves are not lost.
            let mut place = |value: f64| {
                let value = value.clamp(bounds.0, bounds.1);
                let chance = (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
                (value + chance).floor().clamp(bounds.0, bounds.1) as i32
            };
            trial.up.push(place(self.values[index] + distance));
            trial.down.push(place(self.values[index] - distance));
            trial.flips.push(flip);
        }
        trial
    }

    /// Updates the constants by the trial's result: `surplus` is the wins minus the losses of its
    /// `up` side, in pairs of games.
    pub fn learn(&mut self, trial: &Trial, surplus: f64) {
        for index in 0..self.constants.len() {
            let constant = &self.constants[index];
            let sign = if trial.flips[index] { 1.0 } else { -1.0 };
            let step = self.step(index) * sign * surplus;
            self.values[index] =
                (self.values[index] + step).clamp(constant.low.into(), constant.high.into());
        }
        self.iteration += 1;
    }

    /// The perturbation shrinks towards that of the last iteration.
    fn perturbation(&self, index: usize) -> f64 {
        let left = self.gains.iterations as f64 / (self.iteration + 1) as f64;
        self.constants[index].perturbation * left.max(1.0).powf(PERTURBATION_DECAY)
    }

    /// How far one pair won moves a constant: the gain divided by the perturbation, as the estimate
    /// of a gradient requires.
    fn step(&self, index: usize) -> f64 {
        let iterations = self.gains.iterations as f64;
        let stability = STABILITY_SHARE * iterations;
        let now = stability + (self.iteration + 1) as f64;
        let decay = ((stability + iterations) / now).powf(STEP_DECAY);
        let last = self.constants[index].perturbation;
        self.gains.learning_rate * last * last * decay / self.perturbation(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constants() -> Vec<Constant> {
        [("a", 40, 120.0), ("b", 900, 800.0)]
            .into_iter()
            .map(|(name, start, _)| Constant {
                name: name.to_owned(),
                start,
                low: 0,
                high: 1000,
                perturbation: 25.0,
            })
            .collect()
    }

    const GAINS: Gains = Gains {
        iterations: 4_000,
        learning_rate: 0.02,
    };

    /// A game that is won more often the nearer the constants are to a target.
    fn surplus(trial: &Trial, chance: f64) -> f64 {
        let strength = |values: &[i32]| {
            let distance = |value: i32, best: f64| (f64::from(value) - best) / 100.0;
            -distance(values[0], 500.0).powi(2) - distance(values[1], 300.0).powi(2)
        };
        let edge = strength(&trial.up) - strength(&trial.down);
        let expected = 1.0 / (1.0 + (-edge).exp());
        if chance < expected { 1.0 } else { -1.0 }
    }

    #[test]
    fn it_finds_the_best_place_from_noisy_games() {
        let mut spsa = Spsa::new(constants(), GAINS, 7);
        let mut chances = Xoshiro256PlusPlus::seed_from_u64(1);
        while spsa.iteration() < GAINS.iterations {
            let trial = spsa.trial();
            let chance = (chances.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            spsa.learn(&trial, surplus(&trial, chance));
        }
        assert!((spsa.values()[0] - 500.0).abs() < 60.0, "{spsa:?}");
        assert!((spsa.values()[1] - 300.0).abs() < 60.0, "{spsa:?}");
    }

    #[test]
    fn trials_stay_within_bounds_and_repeat() {
        let mut spsa = Spsa::new(constants(), GAINS, 7);
        for _ in 0..200 {
            let trial = spsa.trial();
            assert_eq!(trial, spsa.trial());
            for &value in trial.up.iter().chain(&trial.down) {
                assert!((0..=1000).contains(&value));
            }
            // Always downwards, to push against a bound.
            let downwards = if trial.flips[0] { -1.0 } else { 1.0 };
            spsa.learn(&trial, 8.0 * downwards);
        }
        assert_eq!(spsa.values()[0], 0.0);
    }

    #[test]
    fn the_last_iteration_has_the_stated_gains() {
        let gains = Gains {
            iterations: 1,
            learning_rate: 0.002,
        };
        let mut spsa = Spsa::new(constants(), gains, 3);
        let trial = spsa.trial();
        let moved = |side: &[i32]| (side[0] - 40).abs();
        assert_eq!((moved(&trial.up), moved(&trial.down)), (25, 25));
        spsa.learn(&trial, 1.0);
        // Rate times perturbation: 0.002 * 25.
        assert!(((spsa.values()[0] - 40.0).abs() - 0.05).abs() < 1e-9);
    }
}
