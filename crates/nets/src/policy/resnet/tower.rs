//! The trunk of a ResNet: a convolution, and residual blocks behind it, with
//! batch norms folded into them.

use crate::kernels::{Activation, Convolution, ConvolutionRoom, Finish, Kernels, SQUARES};
use crate::policy::resnet::dense::Dense;

/// A convolution with its biases.
#[derive(Debug)]
pub(crate) struct Layer {
    pub(crate) convolution: Convolution,
    pub(crate) bias: Vec<f32>,
}

impl Layer {
    /// Packs weights `[output][input][rank][file]`.
    pub(crate) fn new(weights: &[f32], bias: Vec<f32>) -> Layer {
        let inputs = weights.len() / (9 * bias.len());
        Layer {
            convolution: Convolution::new(weights, bias.len(), inputs),
            bias,
        }
    }

    /// The number of output channels.
    pub(crate) fn outputs(&self) -> usize {
        self.bias.len()
    }

    pub(crate) fn apply(
        &self,
        kernels: &Kernels,
        source: &[f32],
        target: &mut Vec<f32>,
        room: &mut ConvolutionRoom,
        finish: Finish<'_>,
    ) {
        let boards = source.len() / (SQUARES * self.convolution.inputs());
        target.resize(boards * SQUARES * self.outputs(), 0.0);
        let finish = Finish {
            bias: Some(&self.bias),
            ..finish
        };
        kernels.convolve(&self.convolution, source, target, room, &finish);
    }
}

/// A residual block: two convolutions, to whose output the input is added.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) first: Layer,
    pub(crate) second: Layer,
    pub(crate) squeeze: Option<SqueezeExcitation>,
}

/// Squeeze-and-excitation: a gain and an offset for each channel of a board, computed from
/// the channels' means.
#[derive(Debug)]
pub(crate) struct SqueezeExcitation {
    pub(crate) hidden: Dense,
    /// Its outputs are the gains of all channels, then the offsets.
    pub(crate) output: Dense,
}

/// The trunk.
#[derive(Debug)]
pub(crate) struct Tower {
    pub(crate) stem: Layer,
    pub(crate) blocks: Vec<Block>,
}

/// Buffers for the values of a few boards; the result of the tower is in `values`.
#[derive(Debug, Default)]
pub(crate) struct Room {
    pub(crate) values: Vec<f32>,
    middle: Vec<f32>,
    next: Vec<f32>,
    means: Vec<f32>,
    hidden: Vec<f32>,
    gates: Vec<f32>,
    pub(crate) convolution: ConvolutionRoom,
}

const RELU: Finish<'static> = Finish {
    bias: None,
    residual: None,
    activation: Activation::Relu,
};

impl Tower {
    /// Computes a few boards.
    pub(crate) fn run(&self, kernels: &Kernels, planes: &[f32], room: &mut Room) {
        self.stem.apply(
            kernels,
            planes,
            &mut room.values,
            &mut room.convolution,
            RELU,
        );
        for block in &self.blocks {
            let Room {
                values,
                middle,
                next,
                convolution,
                ..
            } = room;
            block
                .first
                .apply(kernels, values, middle, convolution, RELU);
            match &block.squeeze {
                None => {
                    let finish = Finish {
                        residual: Some(values),
                        ..RELU
                    };
                    block
                        .second
                        .apply(kernels, middle, next, convolution, finish);
                }
                Some(squeeze) => {
                    let plain = Finish::default();
                    block
                        .second
                        .apply(kernels, middle, next, convolution, plain);
                    squeeze.apply(kernels, room);
                }
            }
            std::mem::swap(&mut room.values, &mut room.next);
        }
    }
}

impl SqueezeExcitation {
    /// Applies gains and offsets to the channels of `next`, and adds `values`.
    fn apply(&self, kernels: &Kernels, room: &mut Room) {
        let channels = self.hidden.inputs();
        let size = SQUARES * channels;
        let boards = room.next.len() / size;
        room.means.clear();
        room.means.resize(boards * channels, 0.0);
        let means = room.means.chunks_exact_mut(channels);
        for (means, board) in means.zip(room.next.chunks_exact(size)) {
            for square in board.chunks_exact(channels) {
                for (mean, value) in means.iter_mut().zip(square) {
                    *mean += value;
                }
            }
            means.iter_mut().for_each(|mean| *mean /= SQUARES as f32);
        }
        self.hidden
            .apply(kernels, &room.means, &mut room.hidden, Activation::Relu);
        self.output
            .apply(kernels, &room.hidden, &mut room.gates, Activation::Identity);
        let boards = room.next.chunks_exact_mut(size);
        let gates = room.gates.chunks_exact_mut(2 * channels);
        for ((board, gates), residual) in boards.zip(gates).zip(room.values.chunks_exact(size)) {
            let (gains, offsets) = gates.split_at_mut(channels);
            for gain in &mut *gains {
                *gain = sigmoid(*gain);
            }
            for (square, residual) in board
                .chunks_exact_mut(channels)
                .zip(residual.chunks_exact(channels))
            {
                for channel in 0..channels {
                    let value = square[channel] * gains[channel] + offsets[channel];
                    square[channel] = (value + residual[channel]).max(0.0);
                }
            }
        }
    }
}

fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}
