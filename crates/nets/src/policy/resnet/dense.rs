//! Linear layers, and the order of their inputs.

use crate::kernels::{Activation, Finish, Kernels, Matrix, Packed, Precision, SQUARES};

/// A linear layer.
#[derive(Debug)]
pub(crate) struct Dense {
    weights: Packed,
    bias: Vec<f32>,
}

impl Dense {
    /// Packs weights `[output][input]`.
    pub(crate) fn new(weights: &[f32], bias: Vec<f32>) -> Dense {
        let inputs = weights.len() / bias.len();
        let matrix = Matrix::new(weights, bias.len(), inputs).transposed();
        Dense {
            weights: Packed::new(matrix, Precision::F32),
            bias,
        }
    }

    /// The number of inputs.
    pub(crate) fn inputs(&self) -> usize {
        self.weights.rows()
    }

    /// The number of outputs.
    pub(crate) fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Applies the layer to every row of `source`.
    pub(crate) fn apply(
        &self,
        kernels: &Kernels,
        source: &[f32],
        target: &mut Vec<f32>,
        activation: Activation,
    ) {
        let rows = source.len() / self.inputs();
        target.resize(rows * self.outputs(), 0.0);
        let finish = Finish {
            bias: Some(&self.bias),
            residual: None,
            activation,
        };
        let left = Matrix::new(source, rows, self.inputs());
        kernels.product(left, &self.weights, target, &finish);
    }
}

/// Reorders rows from channel by channel to square by square, the order in which the
/// kernels store boards.
pub(crate) fn by_square(weights: &[f32], channels: usize) -> Vec<f32> {
    let mut turned = vec![0.0; weights.len()];
    let width = SQUARES * channels;
    for (row, turned) in weights
        .chunks_exact(width)
        .zip(turned.chunks_exact_mut(width))
    {
        for (at, value) in row.iter().enumerate() {
            turned[at % SQUARES * channels + at / SQUARES] = *value;
        }
    }
    turned
}

/// The inverse of [`by_square`].
#[cfg(test)]
pub(crate) fn by_channel(weights: &[f32], channels: usize) -> Vec<f32> {
    let mut turned = vec![0.0; weights.len()];
    let width = SQUARES * channels;
    for (row, turned) in weights
        .chunks_exact(width)
        .zip(turned.chunks_exact_mut(width))
    {
        for (at, value) in row.iter().enumerate() {
            turned[at % channels * SQUARES + at / channels] = *value;
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_each_others_way_back() {
        let values: Vec<f32> = (0..3 * 64 * 5).map(|at| at as f32).collect();
        let turned = by_square(&values, 5);
        // Channel 2, square 7 of the second row.
        assert_eq!(turned[320 + 7 * 5 + 2], values[320 + 2 * 64 + 7]);
        assert_eq!(by_channel(&turned, 5), values);
    }
}
