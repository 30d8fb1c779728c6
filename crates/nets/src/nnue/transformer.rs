//! The feature transformer, the first layer of every net: one row of weights for each
//! input, summed into an accumulator for each side; besides, material values.

use super::inputs::Inputs;
use super::memory::Values;
use std::io;

/// The weights of the first layer.
#[derive(Debug)]
pub struct Transformer {
    inputs: Inputs,
    width: usize,
    buckets: usize,
    /// The initial values of the sums.
    pub biases: Values<i16>,
    /// One row of `width` for each input.
    pub weights: Values<i16>,
    /// One row of material values for each input; empty if the shape has none.
    pub psqt: Values<i32>,
}

impl Transformer {
    /// Weights that are all 0; `buckets` is how many material values an input has, 0 or 8.
    ///
    /// # Errors
    /// If there is no memory for the weights.
    pub fn zeros(inputs: Inputs, width: usize, buckets: usize) -> io::Result<Transformer> {
        debug_assert!(width.is_multiple_of(32) && (buckets == 0 || buckets == 8));
        Ok(Transformer {
            biases: Values::zeros(width)?,
            weights: Values::zeros(width * inputs.count())?,
            psqt: Values::zeros(buckets * inputs.count())?,
            inputs,
            width,
            buckets,
        })
    }

    /// The inputs.
    #[inline(always)]
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Size of each side's accumulator.
    #[inline(always)]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Whether there are material values.
    #[inline(always)]
    pub fn has_psqt(&self) -> bool {
        self.buckets != 0
    }

    /// The weights of one input.
    #[inline(always)]
    pub fn row(&self, feature: usize) -> &[i16] {
        &self.weights[feature * self.width..][..self.width]
    }

    /// The material values of one input.
    #[inline(always)]
    pub fn psqt_row(&self, feature: usize) -> &[i32] {
        &self.psqt[feature * self.buckets..][..self.buckets]
    }
}
