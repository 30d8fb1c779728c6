//! Convolutions in training: 3x3 by Winograd, 1x1 as matrix products.

use super::parameter::{Decay, Parameter};
use nets::kernels::{
    Convolution, ConvolutionRoom, Finish, Kernels, Matrix, Packed, Precision, WeightGradient,
};
use rayon::prelude::*;

/// A convolution without bias.
#[derive(Clone, Debug)]
pub(crate) struct Convolutional {
    pub(crate) weights: Parameter,
    inputs: usize,
    outputs: usize,
    ways: Ways,
}

/// The weights prepared for the forward and the backward pass.
#[derive(Clone, Debug)]
enum Ways {
    Three(Box<[Convolution; 2]>),
    One(Box<[Packed; 2]>),
}

/// The working memory of a group of boards.
#[derive(Debug, Default)]
pub(crate) struct Room {
    convolution: ConvolutionRoom,
    gradient: Option<WeightGradient>,
    /// The gradient of this group's boards: `[rank][file][input][output]`, or `[output][input]` for
    /// a 1x1 convolution.
    pub(crate) weights: Vec<f32>,
}

impl Convolutional {
    /// A convolution with weights `[output][input][rank][file]`.
    pub(crate) fn new(weights: &[f32], lengths: &[usize], keeps_average: bool) -> Convolutional {
        let (outputs, inputs) = (lengths[0], lengths[1]);
        Convolutional {
            ways: ways(weights, outputs, inputs),
            weights: Parameter::new(weights, Decay::Yes, keeps_average),
            inputs,
            outputs,
        }
    }

    /// Recomputes what depends on the weights; to be called after each change of them.
    pub(crate) fn prepare(&mut self) {
        let weights = self.weights.values();
        match &mut self.ways {
            Ways::Three(both) => {
                both[0].set(weights);
                both[1].set_backward(weights);
            }
            Ways::One(_) => self.ways = ways(weights, self.outputs, self.inputs),
        }
    }

    pub(crate) fn forward(
        &self,
        kernels: &Kernels,
        source: &[f32],
        target: &mut [f32],
        room: &mut Room,
    ) {
        let squares = source.len() / self.inputs;
        let finish = Finish::default();
        match &self.ways {
            Ways::Three(ways) => {
                kernels.convolve(&ways[0], source, target, &mut room.convolution, &finish);
            }
            Ways::One(ways) => {
                let left = Matrix::new(source, squares, self.inputs);
                kernels.product(left, &ways[0], target, &finish);
            }
        }
    }

    /// The gradient of the inputs from that of the outputs, plus `added`.
    pub(crate) fn backward(
        &self,
        kernels: &Kernels,
        slopes: &[f32],
        added: Option<&[f32]>,
        target: &mut [f32],
        room: &mut Room,
    ) {
        let squares = slopes.len() / self.outputs;
        let finish = Finish {
            residual: added,
            ..Finish::default()
        };
        match &self.ways {
            Ways::Three(ways) => {
                kernels.convolve(&ways[1], slopes, target, &mut room.convolution, &finish);
            }
            Ways::One(ways) => {
                let left = Matrix::new(slopes, squares, self.outputs);
                kernels.product(left, &ways[1], target, &finish);
            }
        }
    }

    /// Adds the gradient of the weights from some boards to their group's memory.
    pub(crate) fn gather(
        &self,
        kernels: &Kernels,
        source: &[f32],
        slopes: &[f32],
        room: &mut Room,
    ) {
        let (inputs, outputs) = (self.inputs, self.outputs);
        match &self.ways {
            Ways::Three(_) => {
                let fits = |it: &WeightGradient| it.inputs() == inputs && it.outputs() == outputs;
                let kept = room.gradient.take().filter(fits);
                let mut gradient = kept.unwrap_or_else(|| WeightGradient::new(outputs, inputs));
                kernels.add_weight_gradient(&mut gradient, source, slopes);
                room.gradient = Some(gradient);
            }
            Ways::One(_) => {
                room.weights.resize(outputs * inputs, 0.0);
                let squares = slopes.len() / outputs;
                let right = Packed::new(Matrix::new(source, squares, inputs), Precision::F32);
                let left = Matrix::new(slopes, squares, outputs).transposed();
                kernels.add_product(left, &right, &mut room.weights);
            }
        }
    }

    /// Begins the gradient of a group.
    pub(crate) fn begin(&self, room: &mut Room) {
        room.weights.clear();
    }

    /// Completes the gradient of a group, once all its boards were added.
    pub(crate) fn end(&self, room: &mut Room) {
        if let (Ways::Three(_), Some(gradient)) = (&self.ways, &mut room.gradient) {
            room.weights.resize(self.weights.values().len(), 0.0);
            gradient.take(&mut room.weights);
        }
    }

    /// Adds up the gradients of the groups, in their order.
    pub(crate) fn settle<'a>(&mut self, groups: impl Iterator<Item = &'a [f32]>) {
        let (inputs, outputs) = (self.inputs, self.outputs);
        let gradient = self.weights.gradient_mut();
        if let Ways::One(_) = self.ways {
            return super::sum_groups(gradient, groups);
        }
        let mut sums = vec![0.0; gradient.len()];
        super::sum_groups(&mut sums, groups);
        gradient
            .par_chunks_exact_mut(9 * inputs)
            .enumerate()
            .for_each(|(output, gradient)| {
                for (at, value) in gradient.iter_mut().enumerate() {
                    *value = sums[(at % 9 * inputs + at / 9) * outputs + output];
                }
            });
    }
}

fn ways(weights: &[f32], outputs: usize, inputs: usize) -> Ways {
    if weights.len() == outputs * inputs {
        let matrix = Matrix::new(weights, outputs, inputs);
        return Ways::One(Box::new([
            Packed::new(matrix.transposed(), Precision::F32),
            Packed::new(matrix, Precision::F32),
        ]));
    }
    Ways::Three(Box::new([
        Convolution::new(weights, outputs, inputs),
        Convolution::backward(weights, outputs, inputs),
    ]))
}
