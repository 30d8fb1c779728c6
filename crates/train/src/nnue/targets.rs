//! The training targets of a batch.

use super::batch::Batch;
use crate::{BLOCK, Loss};
use rayon::prelude::*;

/// The target of each position of a batch, and its weight.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    pub(crate) targets: Vec<f32>,
    pub(crate) weights: Vec<f32>,
    /// The sum of all weights.
    pub(crate) total: f32,
}

impl Targets {
    /// Computes the targets of a batch; `lambda` is the share of the score, the rest is the result.
    pub fn set(&mut self, batch: &Batch, loss: &Loss, lambda: f32) {
        self.targets.resize(batch.len(), 0.0);
        self.weights.resize(batch.len(), 0.0);
        let totals: Vec<f32> = self
            .targets
            .par_chunks_mut(BLOCK)
            .zip(self.weights.par_chunks_mut(BLOCK))
            .zip(batch.scores().par_chunks(BLOCK))
            .zip(batch.results().par_chunks(BLOCK))
            .map(|(((targets, weights), scores), results)| {
                for index in 0..targets.len() {
                    (targets[index], weights[index]) =
                        loss.target(scores[index], results[index], lambda);
                }
                weights.iter().sum()
            })
            .collect();
        self.total = totals.iter().sum();
    }
}
