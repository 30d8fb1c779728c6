//! AdamW over all parameters of a net, with clipping of the gradient norm and moving averages of
//! the weights.

use super::parameter::{Decay, Parameter};
use crate::WrongSetting;
use crate::lanes::{self, Job, Lanes, Strip};
use crate::settings::{FORGETTING, within};
use data::range::Range;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

const EPSILON: Range = Range::above(0.0, 1.0);
const DECAY: Range = Range::closed(0.0, 10.0);
const NORM: Range = Range::closed(0.0, 1e6);

/// The optimiser.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "adamw")]
pub struct AdamW {
    /// Decay of the moving average of the gradient.
    #[schemars(transform = FORGETTING.schema())]
    pub beta1: f32,
    /// Decay of the moving average of the squared gradient.
    #[schemars(transform = FORGETTING.schema())]
    pub beta2: f32,
    /// A small number that prevents division by zero.
    #[schemars(transform = EPSILON.schema())]
    pub epsilon: f32,
    /// Weight decay: the share of a weight that each step removes, times the learning rate.
    #[schemars(transform = DECAY.schema())]
    pub decay: f32,
    /// Gradient clipping: the maximum norm of the gradient over all weights; 0 for no limit.
    #[schemars(transform = NORM.schema())]
    pub gradient_norm: f32,
    /// Whether the step of a tensor is reduced if its gradient is much larger than before
    /// (StableAdamW), which makes `gradient_norm` unnecessary.
    pub stable: bool,
}

impl Default for AdamW {
    fn default() -> AdamW {
        AdamW {
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            decay: 0.01,
            gradient_norm: 5.0,
            stable: false,
        }
    }
}

impl AdamW {
    /// Rejects values with which no weight can learn.
    pub(crate) fn check(&self) -> Result<(), WrongSetting> {
        for (key, value, range) in [
            ("optimiser.beta1", self.beta1, FORGETTING),
            ("optimiser.beta2", self.beta2, FORGETTING),
            ("optimiser.epsilon", self.epsilon, EPSILON),
            ("optimiser.decay", self.decay, DECAY),
            ("optimiser.gradient_norm", self.gradient_norm, NORM),
        ] {
            within(key, f64::from(value), range)?;
        }
        Ok(())
    }
}

/// The parameters of one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) optimiser: AdamW,
    /// The number of the step, from 1.
    pub(crate) number: u64,
    pub(crate) learning_rate: f32,
    /// The share of the moving averages that is replaced; 0 if none are kept.
    pub(crate) ema_share: f32,
}

/// Strips that are one piece of work.
const CHUNK: usize = 1_024;

/// Updates all parameters by their gradients; returns the norm of the whole gradient before
/// clipping.
pub(crate) fn change(parameters: &mut [&mut Parameter], change: &Change) -> f64 {
    let norm = gradient_norm(parameters);
    let most = f64::from(change.optimiser.gradient_norm);
    let factor = match most > 0.0 && norm > most {
        true => (most / norm) as f32,
        false => 1.0,
    };
    for parameter in parameters {
        let caution = match change.optimiser.stable {
            true => caution(parameter, change, factor),
            false => 1.0,
        };
        let step = change.step(parameter.decay, factor, caution);
        let Parameter {
            values,
            gradient,
            means,
            squares,
            averages,
            ..
        } = &mut **parameter;
        // If no averages are kept, empty slices take their place.
        let mut kept = averages.chunks_mut(CHUNK);
        let averages: Vec<&mut [Strip]> = values
            .chunks(CHUNK)
            .map(|_| kept.next().unwrap_or_default())
            .collect();
        values
            .par_chunks_mut(CHUNK)
            .zip(gradient.par_chunks(CHUNK))
            .zip(means.par_chunks_mut(CHUNK))
            .zip(squares.par_chunks_mut(CHUNK))
            .zip(averages)
            .for_each(|((((values, gradient), means), squares), averages)| {
                lanes::run(Stepping {
                    step: &step,
                    gradient,
                    values,
                    means,
                    squares,
                    averages,
                });
            });
    }
    norm
}

/// The constants of a step, with or without weight decay.
struct Step {
    beta1: f32,
    beta2: f32,
    epsilon: f32,
    /// The factor by which gradients are clipped.
    factor: f32,
    /// The learning rate, with bias correction for the mean of the gradient.
    learning_rate: f32,
    /// The bias correction for the square root of the mean square.
    root_factor: f32,
    /// The share of each value that weight decay keeps.
    kept: f32,
    ema_share: f32,
}

impl Change {
    fn step(&self, decay: Decay, factor: f32, caution: f32) -> Step {
        let AdamW {
            beta1,
            beta2,
            epsilon,
            decay: share,
            ..
        } = self.optimiser;
        let rate = self.learning_rate * caution;
        let begun = |beta: f32| 1.0 - libm::pow(f64::from(beta), self.number as f64);
        Step {
            beta1,
            beta2,
            epsilon,
            factor,
            learning_rate: (f64::from(rate) / begun(beta1)) as f32,
            root_factor: (1.0 / begun(beta2).sqrt()) as f32,
            kept: match decay {
                Decay::Yes => 1.0 - rate * share,
                Decay::No => 1.0,
            },
            ema_share: self.ema_share,
        }
    }
}

/// The factor of a tensor's learning rate: the smaller, the more its squared gradient exceeds the
/// moving average of squares.
fn caution(parameter: &Parameter, change: &Change, factor: f32) -> f32 {
    let AdamW { beta2, epsilon, .. } = change.optimiser;
    let begun = (1.0 - libm::pow(f64::from(beta2), change.number as f64)) as f32;
    let ratios = |(gradient, squares): (&[Strip], &[Strip])| -> f64 {
        let lanes = gradient.iter().zip(squares).fold(
            [0.0_f32; lanes::WIDTH],
            |mut sums, (gradient, square)| {
                for ((sum, slope), square) in sums.iter_mut().zip(gradient.0).zip(square.0) {
                    let square_of_slope = slope * slope * factor * factor;
                    let mean = (beta2 * square + (1.0 - beta2) * square_of_slope) / begun;
                    *sum += square_of_slope / mean.max(epsilon * epsilon);
                }
                sums
            },
        );
        lanes.iter().map(|&lane| f64::from(lane)).sum()
    };
    let chunks: Vec<f64> = parameter
        .gradient
        .par_chunks(CHUNK)
        .zip(parameter.squares.par_chunks(CHUNK))
        .map(ratios)
        .collect();
    let mean = chunks.iter().sum::<f64>() / parameter.values().len().max(1) as f64;
    (1.0 / mean.sqrt().max(1.0)) as f32
}

/// The norm of the whole gradient, summed chunk by chunk in order.
fn gradient_norm(parameters: &[&mut Parameter]) -> f64 {
    let mut sum = 0.0;
    for parameter in parameters {
        let squares = |strips: &[Strip]| -> f64 {
            let lanes = strips
                .iter()
                .fold([0.0_f32; lanes::WIDTH], |mut sums, strip| {
                    for (sum, value) in sums.iter_mut().zip(strip.0) {
                        *sum += value * value;
                    }
                    sums
                });
            lanes.iter().map(|&lane| f64::from(lane)).sum()
        };
        let chunks: Vec<f64> = parameter.gradient.par_chunks(CHUNK).map(squares).collect();
        sum += chunks.iter().sum::<f64>();
    }
    sum.sqrt()
}

struct Stepping<'a> {
    step: &'a Step,
    gradient: &'a [Strip],
    values: &'a mut [Strip],
    means: &'a mut [Strip],
    squares: &'a mut [Strip],
    averages: &'a mut [Strip],
}

impl Job for Stepping<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Step {
            beta1,
            beta2,
            epsilon,
            factor,
            learning_rate,
            root_factor,
            kept,
            ema_share,
        } = *self.step;
        let moments = self.means.iter_mut().zip(self.squares);
        let values = self.values.iter_mut().zip(self.gradient);
        for ((value, gradient), (mean, square)) in values.zip(moments) {
            let gradient = V::load(gradient).mul(V::splat(factor));
            let new_part = gradient.mul(V::splat(1.0 - beta1));
            let new_mean = V::load(mean).mul_add(V::splat(beta1), new_part);
            new_mean.store(mean);
            let new_part = gradient.mul(gradient).mul(V::splat(1.0 - beta2));
            let new_square = V::load(square).mul_add(V::splat(beta2), new_part);
            new_square.store(square);
            let root = new_square.sqrt().mul(V::splat(root_factor));
            let way = new_mean.div(root.add(V::splat(epsilon)));
            let kept = V::load(value).mul(V::splat(kept));
            way.mul_add(V::splat(-learning_rate), kept).store(value);
        }
        for (average, value) in self.averages.iter_mut().zip(&*self.values) {
            let old = V::load(average);
            let way = V::load(value).sub(old);
            way.mul_add(V::splat(ema_share), old).store(average);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the formula in f64: decoupled decay, bias correction, gradient clipping.
    #[test]
    fn steps_follow_the_formula() {
        let optimiser = AdamW {
            decay: 0.1,
            gradient_norm: 2.0,
            ..AdamW::default()
        };
        let begin: Vec<f32> = (0..40).map(|at| 0.1 * at as f32 - 2.0).collect();
        for decay in [Decay::Yes, Decay::No] {
            let mut parameter = Parameter::new(&begin, decay, true);
            let mut expected: Vec<[f64; 4]> = begin
                .iter()
                .map(|&value| [f64::from(value), 0.0, 0.0, f64::from(value)])
                .collect();
            for number in 1..=5 {
                let slopes: Vec<f32> = (0..40)
                    .map(|at| ((at * 7 + number * 3) % 11) as f32 - 5.0)
                    .collect();
                parameter.gradient_mut().copy_from_slice(&slopes);
                let rate = 0.01 * number as f64;
                let norm = change(
                    &mut [&mut parameter],
                    &Change {
                        optimiser,
                        number,
                        learning_rate: rate as f32,
                        ema_share: 0.25,
                    },
                );
                let length = slopes.iter().map(|&it| f64::from(it).powi(2)).sum::<f64>();
                assert!((norm - length.sqrt()).abs() < 1e-5 * norm);
                for ([value, mean, square, average], &slope) in expected.iter_mut().zip(&slopes) {
                    let slope = f64::from(slope) * 2.0 / length.sqrt();
                    *mean = 0.9 * *mean + 0.1 * slope;
                    *square = 0.999 * *square + 0.001 * slope * slope;
                    let time = number as i32;
                    let corrected = *mean / (1.0 - 0.9_f64.powi(time));
                    let root = (*square / (1.0 - 0.999_f64.powi(time))).sqrt();
                    if decay == Decay::Yes {
                        *value -= rate * 0.1 * *value;
                    }
                    *value -= rate * corrected / (root + 1e-8);
                    *average += 0.25 * (*value - *average);
                }
            }
            let kept = parameter.values().iter().zip(parameter.averages());
            for ((&value, &average), expected) in kept.zip(&expected) {
                assert!((f64::from(value) - expected[0]).abs() < 1e-5);
                assert!((f64::from(average) - expected[3]).abs() < 1e-5);
            }
        }
    }

    /// The same for StableAdamW: the learning rate of a tensor, and with it its decay, is divided
    /// by the root of the mean ratio of squared gradients to their averages, including this step's,
    /// if that is more than 1.
    #[test]
    fn stable_steps_follow_the_formula() {
        let optimiser = AdamW {
            beta2: 0.9,
            decay: 0.1,
            gradient_norm: 0.0,
            stable: true,
            ..AdamW::default()
        };
        // Fewer values than lanes, so that empty lanes must not count.
        let begin: Vec<f32> = (0..37).map(|at| 0.1 * at as f32 - 2.0).collect();
        let mut calm = Parameter::new(&begin, Decay::Yes, false);
        let mut wild = Parameter::new(&begin, Decay::Yes, false);
        let start = |&value: &f32| [f64::from(value), 0.0, 0.0];
        let mut expected: [Vec<[f64; 3]>; 2] = [(); 2].map(|()| begin.iter().map(start).collect());
        let mut divisors = [Vec::new(), Vec::new()];
        for number in 1..=6_u64 {
            // One gradient stays the same, the other one jumps at the fourth step.
            let growth = if number == 4 { 30.0 } else { 1.0 };
            let slopes: Vec<f32> = (0..37).map(|at| 1.0 + (at % 5) as f32).collect();
            calm.gradient_mut().copy_from_slice(&slopes);
            let grown: Vec<f32> = slopes.iter().map(|slope| slope * growth).collect();
            wild.gradient_mut().copy_from_slice(&grown);
            let step = Change {
                optimiser,
                number,
                learning_rate: 0.01,
                ema_share: 0.0,
            };
            change(&mut [&mut calm, &mut wild], &step);
            for ((expected, slopes), divisors) in
                expected.iter_mut().zip([slopes, grown]).zip(&mut divisors)
            {
                divisors.push(stable_step(expected, &slopes, number as i32));
            }
        }
        assert!(divisors[0].iter().all(|&it| (it - 1.0).abs() < 1e-6));
        assert!(
            divisors[1][3] > 1.5 && divisors[1][4] == 1.0,
            "{divisors:?}"
        );
        for (parameter, expected) in [calm, wild].iter().zip(&expected) {
            for (&value, expected) in parameter.values().iter().zip(expected) {
                assert!((f64::from(value) - expected[0]).abs() < 1e-5);
            }
        }
    }

    /// One step with a learning rate of 0.01, in f64; returns the divisor of the rate.
    fn stable_step(state: &mut [[f64; 3]], slopes: &[f32], number: i32) -> f64 {
        let mut ratios = 0.0;
        for ([_, mean, square], &slope) in state.iter_mut().zip(slopes) {
            let slope = f64::from(slope);
            *mean = 0.9 * *mean + 0.1 * slope;
            *square = 0.9 * *square + 0.1 * slope * slope;
            ratios += slope * slope / (*square / (1.0 - 0.9_f64.powi(number)));
        }
        let divisor = (ratios / slopes.len() as f64).sqrt().max(1.0);
        let rate = 0.01 / divisor;
        for [value, mean, square] in state {
            let begun = 1.0 - 0.9_f64.powi(number);
            *value -= rate * 0.1 * *value;
            *value -= rate * (*mean / begun) / ((*square / begun).sqrt() + 1e-8);
        }
        divisor
    }
}
