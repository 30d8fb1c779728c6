//! Training steps: forward pass, loss, backward pass.

use super::batch::Batch;
use super::sfnn::SfnnTrainee;
use super::simple::SimpleTrainee;
use super::targets::Targets;
use crate::descent::{Optimiser, Step};
use crate::{BLOCK, Loss};
use rayon::prelude::*;

/// A net in training, of any shape.
pub trait Trainee: Send {
    /// The centipawns of an output of 1.
    fn value_scale(&self) -> f32;
    /// The outputs of all positions.
    fn forward(&mut self, batch: &Batch, outputs: &mut Vec<f32>);
    /// Updates all weights, given the gradient of the outputs of the last `forward`.
    fn backward(&mut self, batch: &Batch, slopes: &[f32], step: &StepSettings);
}

/// What a step depends on besides its positions.
#[derive(Clone, Copy, Debug)]
pub struct StepSettings {
    /// The optimiser.
    pub optimiser: Optimiser,
    /// The number of the step, from 1.
    pub number: u64,
    /// The learning rate.
    pub learning_rate: f32,
    /// The share of the moving average of weights that is replaced; 0 if none is kept.
    pub ema_share: f32,
}

impl StepSettings {
    pub(crate) fn step(&self) -> Step {
        Step::new(
            self.optimiser,
            self.number,
            self.learning_rate,
            self.ema_share,
        )
    }
}

impl Trainee for SimpleTrainee {
    fn value_scale(&self) -> f32 {
        self.shape().scales.value as f32
    }

    fn forward(&mut self, batch: &Batch, outputs: &mut Vec<f32>) {
        SimpleTrainee::forward(self, batch, outputs);
    }

    fn backward(&mut self, batch: &Batch, slopes: &[f32], step: &StepSettings) {
        SimpleTrainee::backward(self, batch, slopes, &step.step());
    }
}

impl Trainee for SfnnTrainee {
    fn value_scale(&self) -> f32 {
        nets::nnue::SfnnShape::VALUE_SCALE as f32
    }

    fn forward(&mut self, batch: &Batch, outputs: &mut Vec<f32>) {
        SfnnTrainee::forward(self, batch, outputs);
    }

    fn backward(&mut self, batch: &Batch, slopes: &[f32], step: &StepSettings) {
        SfnnTrainee::backward(self, batch, slopes, &step.step());
    }
}

/// The outputs of a batch and their gradient.
#[derive(Debug, Default)]
pub struct Trainer {
    outputs: Vec<f32>,
    slopes: Vec<f32>,
}

impl Trainer {
    /// Trains on a batch; returns its loss before the step.
    pub fn learn(
        &mut self,
        net: &mut impl Trainee,
        batch: &Batch,
        targets: &Targets,
        loss: &Loss,
        step: &StepSettings,
    ) -> f64 {
        let error = self.measure(net, batch, targets, loss);
        net.backward(batch, &self.slopes, step);
        error
    }

    /// The loss of a batch.
    pub fn measure(
        &mut self,
        net: &mut impl Trainee,
        batch: &Batch,
        targets: &Targets,
        loss: &Loss,
    ) -> f64 {
        net.forward(batch, &mut self.outputs);
        if !self.outputs.iter().all(|output| output.is_finite()) {
            // A sigmoid would turn infinite outputs into plausible numbers.
            self.slopes.resize(batch.len(), 0.0);
            return f64::NAN;
        }
        let scale = net.value_scale();
        let total = targets.total.max(f32::MIN_POSITIVE);
        self.slopes.resize(batch.len(), 0.0);
        let sums: Vec<f64> = self
            .outputs
            .par_chunks(BLOCK)
            .zip(self.slopes.par_chunks_mut(BLOCK))
            .zip(targets.targets.par_chunks(BLOCK))
            .zip(targets.weights.par_chunks(BLOCK))
            .map(|(((outputs, slopes), targets), weights)| {
                let mut sum = 0.0;
                for index in 0..outputs.len() {
                    let weight = weights[index];
                    let (error, slope) = loss.error(outputs[index] * scale, targets[index]);
                    slopes[index] = slope * scale * weight / total;
                    sum += f64::from(error * weight);
                }
                sum
            })
            .collect();
        sums.iter().sum::<f64>() / f64::from(total)
    }
}
