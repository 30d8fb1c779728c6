//! Linear layers over many rows, computed in parallel.
//!
//! Rows are independent in the forward and the backward pass; a row of the weight gradient is
//! summed by one thread in the order of the batch. So any number of threads gives the same bits.

use super::parameter::{Decay, Parameter};
use nets::kernels::{Finish, Kernels, Matrix, Packed, Precision};
use rayon::prelude::*;

/// Rows of a batch that are one piece of work.
const ROWS: usize = 64;
/// Rows of weights whose gradient is one piece of work.
const OUTPUTS: usize = 48;

/// Weights `[output][input]` and, if there are any, biases.
#[derive(Clone, Debug)]
pub(crate) struct Dense {
    pub(crate) weights: Parameter,
    pub(crate) bias: Option<Parameter>,
    inputs: usize,
    precision: Precision,
    forward: Packed,
    back: Packed,
}

impl Dense {
    pub(crate) fn new(
        weights: &[f32],
        bias: Option<&[f32]>,
        inputs: usize,
        precision: Precision,
        keeps_average: bool,
    ) -> Dense {
        let [forward, back] = packed(weights, inputs, precision);
        Dense {
            weights: Parameter::new(weights, Decay::Yes, keeps_average),
            bias: bias.map(|bias| Parameter::new(bias, Decay::No, keeps_average)),
            inputs,
            precision,
            forward,
            back,
        }
    }

    pub(crate) fn outputs(&self) -> usize {
        self.forward.columns()
    }

    /// Recomputes what depends on the weights; to be called after each change of them.
    pub(crate) fn prepare(&mut self) {
        [self.forward, self.back] = packed(self.weights.values(), self.inputs, self.precision);
    }

    /// The outputs of all rows, with a residual added if there is one.
    pub(crate) fn forward(
        &self,
        kernels: &Kernels,
        source: &[f32],
        residual: Option<&[f32]>,
        target: &mut Vec<f32>,
    ) {
        let outputs = self.outputs();
        target.resize(source.len() / self.inputs * outputs, 0.0);
        source
            .par_chunks(ROWS * self.inputs)
            .zip(target.par_chunks_mut(ROWS * outputs))
            .enumerate()
            .for_each(|(number, (source, target))| {
                let start = number * ROWS * outputs;
                let finish = Finish {
                    bias: self.bias.as_ref().map(Parameter::values),
                    residual: residual.map(|all| &all[start..start + target.len()]),
                    ..Finish::default()
                };
                let left = Matrix::new(source, source.len() / self.inputs, self.inputs);
                kernels.product(left, &self.forward, target, &finish);
            });
    }

    /// The gradient of the inputs from that of the outputs.
    pub(crate) fn backward(&self, kernels: &Kernels, slopes: &[f32], target: &mut Vec<f32>) {
        let outputs = self.outputs();
        target.resize(slopes.len() / outputs * self.inputs, 0.0);
        slopes
            .par_chunks(ROWS * outputs)
            .zip(target.par_chunks_mut(ROWS * self.inputs))
            .for_each(|(slopes, target)| {
                let left = Matrix::new(slopes, slopes.len() / outputs, outputs);
                kernels.product(left, &self.back, target, &Finish::default());
            });
    }

    /// The gradient of the weights over all rows of a batch.
    pub(crate) fn settle(&mut self, kernels: &Kernels, source: &[f32], slopes: &[f32]) {
        let (inputs, outputs) = (self.inputs, self.outputs());
        let rows = source.len() / inputs;
        let right = Packed::new(Matrix::new(source, rows, inputs), self.precision);
        let left = Matrix::new(slopes, rows, outputs);
        self.weights
            .gradient_mut()
            .par_chunks_mut(OUTPUTS * inputs)
            .enumerate()
            .for_each(|(number, target)| {
                let first = number * OUTPUTS;
                let columns = first..first + target.len() / inputs;
                let left = left.some_columns(columns).transposed();
                kernels.product(left, &right, target, &Finish::default());
            });
        if let Some(bias) = &mut self.bias {
            let gradient = bias.gradient_mut();
            gradient.fill(0.0);
            for row in slopes.chunks_exact(outputs) {
                for (sum, slope) in gradient.iter_mut().zip(row) {
                    *sum += slope;
                }
            }
        }
    }

    /// All trained parameters.
    pub(crate) fn parameters(&mut self) -> impl Iterator<Item = &mut Parameter> {
        std::iter::once(&mut self.weights).chain(&mut self.bias)
    }
}

fn packed(weights: &[f32], inputs: usize, precision: Precision) -> [Packed; 2] {
    let matrix = Matrix::new(weights, weights.len() / inputs, inputs);
    [
        Packed::new(matrix.transposed(), precision),
        Packed::new(matrix, precision),
    ]
}
