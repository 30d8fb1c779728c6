//! How good the hand-written evaluation is at predicting, if one number is
//! fitted: the scale of its centipawns.
//!
//! That is what a net has to beat on the same positions, and what a fit of the
//! weights has to lower.

use super::samples::{board, target};
use crate::nnue::Loss;
use crate::nnue::groups::BLOCK;
use data::packed::PackedPosition;
use nets::classical::Weights;
use nets::{Classical, Evaluator};
use rayon::prelude::*;
use serde::Serialize;
use std::sync::Arc;

/// The logarithms, to the base of 2, between which the scale is looked for.
const LOGARITHMS: [f64; 2] = [-5.0, 5.0];
/// So often the interval is cut; the scale is then exact to six digits.
const CUTS: usize = 36;

/// An evaluation with the scale that fits best.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct OneScale {
    /// What its values are multiplied by.
    pub scale: f64,
    /// The mean loss that is left.
    pub loss: f64,
    /// On so many positions.
    pub positions: usize,
}

/// Fits the scale of the hand-written evaluation to positions; `lambda` is the
/// share of the score in what it is compared with, the rest is the result.
pub fn one_scale(
    positions: &[PackedPosition],
    weights: &Arc<Weights>,
    loss: &Loss,
    lambda: f32,
) -> OneScale {
    Values::new(positions, weights).one_scale(positions, loss, lambda)
}

/// The values of positions for the side to move.
pub(super) struct Values(Vec<f32>);

impl Values {
    pub(super) fn new(positions: &[PackedPosition], weights: &Arc<Weights>) -> Values {
        let evaluator = || Classical::with_weights(weights.clone());
        let values = positions
            .par_iter()
            .with_min_len(BLOCK)
            .map_init(evaluator, |evaluator, position| {
                board(position).map_or(0.0, |board| evaluator.evaluate(&board) as f32)
            })
            .collect();
        Values(values)
    }

    pub(super) fn one_scale(
        &self,
        positions: &[PackedPosition],
        loss: &Loss,
        lambda: f32,
    ) -> OneScale {
        let targets: Vec<_> = positions
            .par_iter()
            .map(|position| target(position, loss, lambda))
            .collect();
        let measure = |logarithm: f64| self.loss(&targets, loss, libm::exp2(logarithm));
        let [mut low, mut high] = LOGARITHMS;
        // Golden sections: one of two points is used again.
        let part = 0.5 * (5.0_f64.sqrt() - 1.0);
        let mut left = high - part * (high - low);
        let mut right = low + part * (high - low);
        let (mut left_loss, mut right_loss) = (measure(left), measure(right));
        for _ in 0..CUTS {
            if left_loss < right_loss {
                high = right;
                (right, right_loss) = (left, left_loss);
                left = high - part * (high - low);
                left_loss = measure(left);
            } else {
                low = left;
                (left, left_loss) = (right, right_loss);
                right = low + part * (high - low);
                right_loss = measure(right);
            }
        }
        let logarithm = 0.5 * (low + high);
        OneScale {
            scale: libm::exp2(logarithm),
            loss: measure(logarithm),
            positions: positions.len(),
        }
    }

    /// The mean loss of the values with a scale.
    pub(super) fn loss(&self, targets: &[(f32, f32)], loss: &Loss, scale: f64) -> f64 {
        let sums: Vec<_> = self
            .0
            .par_chunks(BLOCK)
            .zip(targets.par_chunks(BLOCK))
            .map(|(values, targets)| {
                let (mut sum, mut total) = (0.0, 0.0);
                for (&value, &(target, weight)) in values.iter().zip(targets) {
                    let output = scale * f64::from(value);
                    let (error, _) = loss.error(output as f32, target);
                    sum += f64::from(error) * f64::from(weight);
                    total += f64::from(weight);
                }
                (sum, total)
            })
            .collect();
        let sum: f64 = sums.iter().map(|(sum, _)| sum).sum();
        let total: f64 = sums.iter().map(|(_, total)| total).sum();
        sum / total.max(f64::MIN_POSITIVE)
    }
}
