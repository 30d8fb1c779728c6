//! Linear layers in training.

use super::parameter::{Decay, Parameter};
use nets::kernels::{Activation, Finish, Kernels, Matrix, Packed, Precision};

/// A linear layer: weights `[output][input]` and biases.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    pub(crate) weights: Parameter,
    pub(crate) bias: Parameter,
    inputs: usize,
    forward: Packed,
    back: Packed,
}

impl Linear {
    pub(crate) fn new(weights: &[f32], bias: &[f32], keeps_average: bool) -> Linear {
        let inputs = weights.len() / bias.len();
        let [forward, back] = packed(weights, bias.len(), inputs);
        Linear {
            weights: Parameter::new(weights, Decay::Yes, keeps_average),
            bias: Parameter::new(bias, Decay::No, keeps_average),
            inputs,
            forward,
            back,
        }
    }

    pub(crate) fn outputs(&self) -> usize {
        self.back.rows()
    }

    /// Recomputes what depends on the weights; to be called after each change of them.
    pub(crate) fn prepare(&mut self) {
        let weights = self.weights.values();
        [self.forward, self.back] = packed(weights, self.outputs(), self.inputs);
    }

    pub(crate) fn forward(
        &self,
        kernels: &Kernels,
        source: &[f32],
        activation: Activation,
        target: &mut Vec<f32>,
    ) {
        let rows = source.len() / self.inputs;
        target.resize(rows * self.outputs(), 0.0);
        let finish = Finish {
            bias: Some(self.bias.values()),
            residual: None,
            activation,
        };
        let left = Matrix::new(source, rows, self.inputs);
        kernels.product(left, &self.forward, target, &finish);
    }

    /// The gradient of the inputs from that of the outputs.
    pub(crate) fn backward(&self, kernels: &Kernels, slopes: &[f32], target: &mut Vec<f32>) {
        let rows = slopes.len() / self.outputs();
        target.resize(rows * self.inputs, 0.0);
        let left = Matrix::new(slopes, rows, self.outputs());
        kernels.product(left, &self.back, target, &Finish::default());
    }

    /// The gradient of the weights, followed by that of the biases, over the rows of a group.
    pub(crate) fn gather(
        &self,
        kernels: &Kernels,
        source: &[f32],
        slopes: &[f32],
        target: &mut Vec<f32>,
    ) {
        let (inputs, outputs) = (self.inputs, self.outputs());
        let rows = source.len() / inputs;
        target.resize(outputs * (inputs + 1), 0.0);
        let (weights, bias) = target.split_at_mut(outputs * inputs);
        let right = Packed::new(Matrix::new(source, rows, inputs), Precision::F32);
        let left = Matrix::new(slopes, rows, outputs).transposed();
        kernels.product(left, &right, weights, &Finish::default());
        bias.fill(0.0);
        for row in slopes.chunks_exact(outputs) {
            for (sum, slope) in bias.iter_mut().zip(row) {
                *sum += slope;
            }
        }
    }

    /// Adds up the gradients of the groups, in their order.
    pub(crate) fn settle<'a>(&mut self, groups: impl Iterator<Item = &'a [f32]> + Clone) {
        let count = self.weights.values().len();
        let weights = groups.clone().map(|group| &group[..count]);
        super::sum_groups(self.weights.gradient_mut(), weights);
        let bias = groups.map(|group| &group[count..]);
        super::sum_groups(self.bias.gradient_mut(), bias);
    }
}

fn packed(weights: &[f32], outputs: usize, inputs: usize) -> [Packed; 2] {
    let matrix = Matrix::new(weights, outputs, inputs);
    [
        Packed::new(matrix.transposed(), Precision::F32),
        Packed::new(matrix, Precision::F32),
    ]
}
