//! The objective of a fit: the mean loss of positions, plus a penalty for squared distances from
//! the initial weights.

use super::Vector;
use super::samples::Block;
use crate::Loss;
use rayon::prelude::*;

/// The objective, and the weights that it depends on.
#[derive(Clone, Debug)]
pub(super) struct Objective {
    pub(super) loss: Loss,
    /// The factor of values before the loss is computed.
    pub(super) scale: f64,
    /// The penalty per squared centipawn of distance from the initial weight.
    pub(super) anchor: f64,
    /// The initial weights.
    pub(super) start: Vector,
    /// Which weights are trained.
    pub(super) free: Vec<bool>,
}

/// The mean loss without the penalty, and the gradient of the whole objective.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Slope {
    pub(super) loss: f64,
    pub(super) gradient: Vector,
}

impl Objective {
    pub(super) fn slope(&self, blocks: &[Block], vector: &[f64]) -> Slope {
        let parts: Vec<_> = blocks
            .par_iter()
            .map(|block| self.of_block(block, vector))
            .collect();
        let mut gradient = vec![0.0; vector.len()];
        let (mut error, mut total) = (0.0, 0.0);
        for (part, weights) in &parts {
            error += part.loss;
            total += weights;
            for (sum, value) in gradient.iter_mut().zip(&part.gradient) {
                *sum += value;
            }
        }
        // Without positions the gradient of the loss is 0.
        let total = f64::max(total, f64::MIN_POSITIVE);
        for (index, slope) in gradient.iter_mut().enumerate() {
            let way = vector[index] - self.start[index];
            *slope = match self.free[index] {
                true => *slope / total + 2.0 * self.anchor * way,
                false => 0.0,
            };
        }
        Slope {
            loss: error / total,
            gradient,
        }
    }

    /// The sums of a block, and the total weight of its positions.
    fn of_block(&self, block: &Block, vector: &[f64]) -> (Slope, f64) {
        let mut gradient = vec![0.0; vector.len()];
        let (mut sum, mut total) = (0.0, 0.0);
        for sample in &block.samples {
            let output = self.scale * block.value(sample, vector);
            let (error, slope) = self.loss.error(output as f32, sample.target);
            let weight = f64::from(sample.weight);
            sum += f64::from(error) * weight;
            total += weight;
            let slope = f64::from(slope) * self.scale * weight;
            block.add_slopes(sample, slope, &mut gradient);
        }
        let loss = sum;
        (Slope { loss, gradient }, total)
    }
}
