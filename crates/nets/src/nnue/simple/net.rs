//! A simple net, packed for evaluation.

use super::weights::SimpleWeights;
use crate::nnue::accumulators::Accumulated;
use crate::nnue::error::BoundError;
use crate::nnue::network::Network;
use crate::nnue::scaling::Scaling;
use crate::nnue::shape::OUTCOMES;
use crate::nnue::simd::{Kernels, OutputLayer};
use crate::nnue::transformer::Transformer;

/// A net that can be evaluated. Its weights cannot be changed.
pub struct Simple {
    weights: SimpleWeights,
    /// See the field of `OutputLayer`.
    shares: usize,
    unit: i64,
}

impl Simple {
    /// Packs the weights.
    ///
    /// # Errors
    /// If a sum could overflow.
    pub fn new(weights: SimpleWeights) -> Result<Simple, BoundError> {
        weights.check_bounds()?;
        Ok(Simple {
            shares: OutputLayer::shares(weights.shape(), &weights.output_weights),
            unit: weights.shape().unit(),
            weights,
        })
    }

    /// The weights.
    pub fn weights(&self) -> &SimpleWeights {
        &self.weights
    }

    /// The output of a bucket as a sum, in which [`SimpleShape::unit`] stands for 1.
    ///
    /// [`SimpleShape::unit`]: crate::nnue::SimpleShape::unit
    #[inline]
    pub(in crate::nnue) fn sum(
        &self,
        kernels: &Kernels,
        sums: &Accumulated<'_>,
        bucket: usize,
    ) -> i64 {
        let shape = self.weights.shape();
        let weights = &self.weights.output_weights;
        let row = weights.len() / shape.output_buckets;
        let layer = OutputLayer {
            weights: &weights[bucket * row..][..row],
            one: shape.scales.one as i16,
            activation: shape.activation,
            bits: shape.scales.output_bits,
            shares: self.shares,
        };
        kernels.output(sums.own, sums.other, layer) + i64::from(self.weights.output_biases[bucket])
    }

    /// The logits of win, draw and loss for a position with this many men, if the
    /// net has such outputs.
    #[inline]
    pub(in crate::nnue) fn outcomes(
        &self,
        kernels: &Kernels,
        sums: &Accumulated<'_>,
        men: u32,
    ) -> [f32; OUTCOMES] {
        let first = self.weights.shape().first_outcome(men);
        let unit = self.unit as f32;
        std::array::from_fn(|outcome| self.sum(kernels, sums, first + outcome) as f32 / unit)
    }

    /// The value of an output's sum in centipawns.
    #[inline]
    pub(in crate::nnue) fn value_of(&self, sum: i64) -> i32 {
        (sum * i64::from(self.weights.shape().scales.value) / self.unit) as i32
    }
}

impl Network for Simple {
    #[inline(always)]
    fn transformer(&self) -> &Transformer {
        &self.weights.transformer
    }

    #[inline]
    fn value(&self, kernels: &Kernels, sums: &Accumulated<'_>, men: u32) -> i32 {
        let bucket = self.weights.shape().bucket(men);
        self.value_of(self.sum(kernels, sums, bucket))
    }

    fn scaling(&self) -> Scaling {
        Scaling::CENTIPAWNS
    }
}
