//! Batch normalisation in training: it uses the means and variances of the batch, and maintains
//! running ones for play.

use super::parameter::{Decay, Parameter};
use nets::policy::resnet::NORM_EPSILON;

/// The share of the running statistics that a batch replaces: PyTorch's default.
const MOMENTUM: f64 = 0.1;

/// The normalisation of a layer's channels.
#[derive(Clone, Debug)]
pub(crate) struct Norm {
    pub(crate) gain: Parameter,
    pub(crate) offset: Parameter,
    pub(crate) running_mean: Vec<f32>,
    pub(crate) running_variance: Vec<f32>,
    /// The moving averages of these, which belong to the averaged weights.
    pub(crate) averaged: [Vec<f32>; 2],
    /// The mean of the present batch.
    mean: Vec<f32>,
    /// One over the standard deviation.
    inverse: Vec<f32>,
    /// The factor of values, and what is then added.
    scale: Vec<f32>,
    shift: Vec<f32>,
    /// The coefficients of the input gradient: factors of the output gradient and of the value, and
    /// a constant.
    back: [Vec<f32>; 3],
}

impl Norm {
    pub(crate) fn new([gain, offset, mean, variance]: [&[f32]; 4], keeps_average: bool) -> Norm {
        let zeros = vec![0.0; gain.len()];
        Norm {
            gain: Parameter::new(gain, Decay::No, keeps_average),
            offset: Parameter::new(offset, Decay::No, keeps_average),
            running_mean: mean.to_vec(),
            running_variance: variance.to_vec(),
            averaged: [mean.to_vec(), variance.to_vec()],
            mean: zeros.clone(),
            inverse: zeros.clone(),
            scale: zeros.clone(),
            shift: zeros.clone(),
            back: [zeros.clone(), zeros.clone(), zeros],
        }
    }

    pub(crate) fn channels(&self) -> usize {
        self.mean.len()
    }

    /// The statistics for play: the running ones, or their moving averages.
    pub(crate) fn statistics_for_play(&self, averaged: bool) -> [&[f32]; 2] {
        match averaged {
            true => [&self.averaged[0], &self.averaged[1]],
            false => [&self.running_mean, &self.running_variance],
        }
    }

    /// Replaces this share of the moving averages.
    pub(crate) fn follow(&mut self, share: f32) {
        let [mean, variance] = &mut self.averaged;
        for (averages, values) in [
            (mean, &self.running_mean),
            (variance, &self.running_variance),
        ] {
            for (average, value) in averages.iter_mut().zip(values) {
                *average += share * (value - *average);
            }
        }
    }

    /// Computes the statistics of a batch from the sums of values and of their squares in each
    /// group of boards; `count` is the number of values of each channel.
    pub(crate) fn settle<'a>(&mut self, groups: impl Iterator<Item = &'a [f64]>, count: usize) {
        let sums = added(groups, 2 * self.channels());
        let count = count as f64;
        let channels = self.channels();
        for channel in 0..channels {
            let mean = sums[channel] / count;
            let variance = (sums[channels + channel] / count - mean * mean).max(0.0);
            let inverse = 1.0 / (variance + f64::from(NORM_EPSILON)).sqrt();
            let scale = f64::from(self.gain.values()[channel]) * inverse;
            self.mean[channel] = mean as f32;
            self.inverse[channel] = inverse as f32;
            self.scale[channel] = scale as f32;
            self.shift[channel] = (f64::from(self.offset.values()[channel]) - mean * scale) as f32;
            let follow = |running: &mut f32, value: f64| {
                *running = (f64::from(*running) * (1.0 - MOMENTUM) + value * MOMENTUM) as f32;
            };
            follow(&mut self.running_mean[channel], mean);
            // The unbiased estimate of the variance.
            let unbiased = variance * count / (count - 1.0).max(1.0);
            follow(&mut self.running_variance[channel], unbiased);
        }
    }

    /// `target = relu(normalised values + residual)`.
    pub(crate) fn apply(&self, values: &[f32], residual: Option<&[f32]>, target: &mut [f32]) {
        let channels = self.channels();
        let (scale, shift) = (&self.scale[..channels], &self.shift[..channels]);
        let rows = values
            .chunks_exact(channels)
            .zip(target.chunks_exact_mut(channels));
        match residual {
            None => {
                for (values, target) in rows {
                    for channel in 0..channels {
                        let value = values[channel] * scale[channel] + shift[channel];
                        target[channel] = value.max(0.0);
                    }
                }
            }
            Some(residual) => {
                for ((values, target), residual) in rows.zip(residual.chunks_exact(channels)) {
                    for channel in 0..channels {
                        let value = values[channel] * scale[channel] + shift[channel];
                        target[channel] = (value + residual[channel]).max(0.0);
                    }
                }
            }
        }
    }

    /// Computes the gradients of gain and offset, and the coefficients of the input gradient, from
    /// the sums of output gradients and of their products with values in each group of boards.
    pub(crate) fn settle_back<'a>(
        &mut self,
        groups: impl Iterator<Item = &'a [f64]>,
        count: usize,
    ) {
        let sums = added(groups, 2 * self.channels());
        let (channels, count) = (self.channels(), count as f64);
        for channel in 0..channels {
            let [mean, inverse] = [&self.mean, &self.inverse].map(|it| f64::from(it[channel]));
            let slopes = sums[channel];
            let of_gain = (sums[channels + channel] - mean * slopes) * inverse;
            self.gain.gradient_mut()[channel] = of_gain as f32;
            self.offset.gradient_mut()[channel] = slopes as f32;
            let factor = f64::from(self.gain.values()[channel]) * inverse;
            let of_value = -factor * inverse * of_gain / count;
            self.back[0][channel] = factor as f32;
            self.back[1][channel] = of_value as f32;
            self.back[2][channel] = (-factor * slopes / count - of_value * mean) as f32;
        }
    }

    /// Turns the gradient of the outputs into that of the inputs.
    pub(crate) fn apply_back(&self, values: &[f32], slopes: &mut [f32]) {
        let channels = self.channels();
        let [of_slope, of_value, constant] = &self.back;
        let (of_slope, of_value) = (&of_slope[..channels], &of_value[..channels]);
        let constant = &constant[..channels];
        for (slopes, values) in slopes
            .chunks_exact_mut(channels)
            .zip(values.chunks_exact(channels))
        {
            for channel in 0..channels {
                slopes[channel] = slopes[channel] * of_slope[channel]
                    + (values[channel] * of_value[channel] + constant[channel]);
            }
        }
    }

    /// Adds sums of values and of their squares.
    pub(crate) fn statistics(&self, values: &[f32], sums: &mut Vec<f64>) {
        products(values, values, self.channels(), sums);
    }

    /// Sets the gradient to 0 where the ReLU was not active, and adds sums of it and of its
    /// products with the values before the normalisation.
    pub(crate) fn mask(
        &self,
        outputs: &[f32],
        values: &[f32],
        slopes: &mut [f32],
        sums: &mut Vec<f64>,
    ) {
        for (slope, output) in slopes.iter_mut().zip(outputs) {
            *slope = if *output > 0.0 { *slope } else { 0.0 };
        }
        products(slopes, values, self.channels(), sums);
    }
}

/// Rows that are summed in floats before they are added to doubles: those of a board.
const ROWS: usize = 64;

/// Adds for each channel the sum of `a`, followed by the sums of `a * b`. Empty sums begin with 0.
fn products(a: &[f32], b: &[f32], channels: usize, sums: &mut Vec<f64>) {
    sums.resize(2 * channels, 0.0);
    let mut part = vec![0.0_f32; 2 * channels];
    let size = ROWS * channels;
    for (a, b) in a.chunks(size).zip(b.chunks(size)) {
        part.fill(0.0);
        let (plain, product) = part.split_at_mut(channels);
        let product = &mut product[..channels];
        for (a, b) in a.chunks_exact(channels).zip(b.chunks_exact(channels)) {
            for channel in 0..channels {
                plain[channel] += a[channel];
                product[channel] += a[channel] * b[channel];
            }
        }
        for (sum, &part) in sums.iter_mut().zip(&part) {
            *sum += f64::from(part);
        }
    }
}

fn added<'a>(groups: impl Iterator<Item = &'a [f64]>, length: usize) -> Vec<f64> {
    groups.fold(vec![0.0; length], |mut sums, group| {
        for (sum, value) in sums.iter_mut().zip(group) {
            *sum += value;
        }
        sums
    })
}
