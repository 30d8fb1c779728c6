//! The forward and backward pass of a group of boards. Groups are independent, so that threads can
//! process them in parallel.

use super::batch::Batch;
use super::factors;
use super::net::{Goal, Net};
use super::settings::PolicyLoss;
use crate::float::{Norm, Room, cross_entropy};
use crate::functions::exp;
use nets::kernels::{Activation, BOARDS_PER_BLOCK, Kernels, SQUARES};
use nets::policy::resnet::ValueKind;
use std::ops::Range;

/// The number of boards of a group: sums over boards are taken by groups of this size, whatever the
/// number of threads.
pub(super) const BOARDS: usize = 32;

/// The values of a group at the layers of the trunk and the heads.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// The range of its positions in the batch.
    pub(super) boards: Range<usize>,
    /// The input of each convolution of the trunk, and the output of the last block.
    inputs: Vec<Vec<f32>>,
    /// The output of each convolution, before its norm.
    outputs: Vec<Vec<f32>>,
    pub(super) policy: HeadState,
    pub(super) value: HeadState,
    /// The logits of legal moves, then their gradient.
    pub(super) slopes_of_moves: Vec<f32>,
    /// The gradient of the origins' logits through each move: the same, unless the factored loss is
    /// used.
    pub(super) slopes_of_origins: Vec<f32>,
    hidden: Vec<f32>,
    slopes_of_hidden: Vec<f32>,
    slopes_of_outputs: Vec<f32>,
    /// The gradients of the value head's parameters.
    pub(super) of_hidden: Vec<f32>,
    pub(super) of_output: Vec<f32>,
    /// The gradient of the present layer's output.
    slopes: Vec<f32>,
    next: Vec<f32>,
    /// The gradient of the skip connection of a block.
    skipping: Vec<f32>,
    pub(super) sums: Vec<f64>,
    pub(super) room: Room,
    /// The sums of the policy losses and of the value losses.
    pub(super) losses: [f64; 2],
}

/// The values of a group at a head: the channels after the 1x1 convolution, before and after their
/// norm.
#[derive(Debug, Default)]
pub(super) struct HeadState {
    outputs: Vec<f32>,
    activated: Vec<f32>,
    /// The values after the norm, channel by channel.
    pub(super) features: Vec<f32>,
    /// The gradient of these, then that of the outputs.
    slopes: Vec<f32>,
    pub(super) sums: Vec<f64>,
    pub(super) room: Room,
}

impl Group {
    pub(super) fn begin(&mut self, boards: Range<usize>, batch: &Batch, layers: usize) {
        let size = batch.planes.len() / batch.len();
        self.inputs.resize_with(layers + 1, Vec::new);
        self.outputs.resize_with(layers, Vec::new);
        self.inputs[0].clear();
        self.inputs[0].extend_from_slice(&batch.planes[boards.start * size..boards.end * size]);
        self.boards = boards;
    }

    /// Blocks of boards that stay in the cache from one operation to the next.
    fn blocks(&self) -> impl Iterator<Item = Block> + use<> {
        let boards = self.boards.len();
        let starts = (0..boards).step_by(BOARDS_PER_BLOCK);
        starts.map(move |first| Block {
            first,
            end: boards.min(first + BOARDS_PER_BLOCK),
        })
    }

    /// Computes the input of a convolution of the trunk by the norm of the previous one; `layer`
    /// may be one more than the last.
    fn activate(&mut self, net: &Net, layer: usize, block: Block) {
        let Some(before) = layer.checked_sub(1) else {
            return;
        };
        let span = block.of(net.channels());
        let (earlier, from) = self.inputs.split_at_mut(layer);
        // The skip connection is added after the second convolution of a block.
        let is_led_around = before > 0 && before.is_multiple_of(2);
        let residual = is_led_around.then(|| &earlier[before - 1][span.clone()]);
        let values = &self.outputs[before][span.clone()];
        net.trunk[before]
            .1
            .apply(values, residual, &mut from[0][span]);
    }

    pub(super) fn forward(&mut self, kernels: &Kernels, net: &Net, layer: usize) {
        let (convolution, norm) = &net.trunk[layer];
        let size = SQUARES * net.channels() * self.boards.len();
        self.outputs[layer].resize(size, 0.0);
        self.inputs[layer + 1].resize(size, 0.0);
        self.sums.clear();
        for block in self.blocks() {
            self.activate(net, layer, block);
            let source = &self.inputs[layer];
            let source = &source[block.of(source.len() / SQUARES / self.boards.len())];
            let outputs = &mut self.outputs[layer][block.of(net.channels())];
            convolution.forward(kernels, source, outputs, &mut self.room);
            norm.statistics(outputs, &mut self.sums);
        }
    }

    /// The 1x1 convolutions of both heads.
    pub(super) fn squeeze(&mut self, kernels: &Kernels, net: &Net) {
        let layers = net.trunk.len();
        for block in self.blocks() {
            self.activate(net, layers, block);
        }
        let trunk = &self.inputs[layers];
        let channels = net.channels();
        for (head, state) in [
            (&net.policy, &mut self.policy),
            (&net.value, &mut self.value),
        ] {
            let size = trunk.len() / channels * head.1.channels();
            state.outputs.resize(size, 0.0);
            head.0
                .forward(kernels, trunk, &mut state.outputs, &mut state.room);
            state.sums.clear();
            head.1.statistics(&state.outputs, &mut state.sums);
        }
    }

    /// Computes both heads, the losses, and the gradient of the features.
    pub(super) fn judge(&mut self, kernels: &Kernels, net: &Net, batch: &Batch, goal: &Goal) {
        self.policy.activate(&net.policy.1);
        self.value.activate(&net.value.1);
        self.judge_moves(kernels, net, batch, goal);
        self.judge_values(kernels, net, batch, goal);
        self.policy.mask(&net.policy.1);
        self.value.mask(&net.value.1);
    }

    fn judge_moves(&mut self, kernels: &Kernels, net: &Net, batch: &Batch, goal: &Goal) {
        let first = batch.span(self.boards.start).start;
        let end = batch.ends[self.boards.end - 1];
        self.slopes_of_moves.resize(end - first, 0.0);
        self.slopes_of_origins.resize(end - first, 0.0);
        let width = net.features();
        self.policy.slopes.clear();
        self.policy.slopes.resize(self.boards.len() * width, 0.0);
        self.losses[0] = 0.0;
        for (place, number) in self.boards.clone().enumerate() {
            let span = batch.span(number);
            let rows = &batch.rows[span.clone()];
            let logits = &mut self.slopes_of_moves[span.start - first..span.end - first];
            let features = &self.policy.features[place * width..][..width];
            net.moves.forward(kernels, features, rows, logits);
            let origins = net.origins_of(rows);
            let mut of_origins = vec![0.0; origins.len()];
            if let Some(layer) = &net.origins {
                layer.forward(kernels, features, &origins, &mut of_origins);
            }
            for (at, logit) in logits.iter_mut().enumerate() {
                *logit += batch.offsets[span.start + at];
            }
            let weight = batch.weights[number][0];
            let factor = weight * goal.of_moves;
            let brought = &mut self.slopes_of_origins[span.start - first..span.end - first];
            let shares = &batch.shares[span];
            let places: Vec<usize> = match net.origins {
                Some(_) => {
                    let place = |&row: &u32| net.place_of_origin(&origins, row);
                    rows.iter().map(place).collect()
                }
                None => Vec::new(),
            };
            let loss = match goal.policy {
                PolicyLoss::Factors => {
                    let loss = factors::loss(logits, &mut of_origins, &places, shares);
                    // The first move from each origin carries the whole gradient of the origin.
                    for (slope, place) in brought.iter_mut().zip(&places) {
                        *slope = std::mem::take(&mut of_origins[*place]);
                    }
                    loss
                }
                PolicyLoss::Joint => {
                    for (logit, place) in logits.iter_mut().zip(&places) {
                        *logit += of_origins[*place];
                    }
                    let loss = cross_entropy(logits, shares);
                    brought.copy_from_slice(logits);
                    loss
                }
            };
            self.losses[0] += loss * f64::from(weight);
            for slopes in [&mut *logits, &mut *brought] {
                slopes.iter_mut().for_each(|slope| *slope *= factor);
            }
            let target = &mut self.policy.slopes[place * width..][..width];
            net.moves.backward(rows, logits, target);
            if let Some(layer) = &net.origins {
                of_origins.fill(0.0);
                for (place, &slope) in places.iter().zip(&*brought) {
                    of_origins[*place] += slope;
                }
                layer.backward(&origins, &of_origins, target);
            }
        }
    }

    fn judge_values(&mut self, kernels: &Kernels, net: &Net, batch: &Batch, goal: &Goal) {
        let features = &self.value.features;
        net.hidden
            .forward(kernels, features, Activation::Relu, &mut self.hidden);
        let outputs = &mut self.slopes_of_outputs;
        net.output
            .forward(kernels, &self.hidden, Activation::Identity, outputs);
        self.losses[1] = 0.0;
        let count = goal.value.outputs();
        for (output, number) in outputs.chunks_exact_mut(count).zip(self.boards.clone()) {
            let weight = batch.weights[number][1];
            let chances = &batch.chances[number];
            let loss = match goal.value {
                ValueKind::Wdl => cross_entropy(output, chances),
                ValueKind::Tanh => {
                    let value = tanh(output[0]);
                    let (loss, slope) = goal.error(value - (chances[0] - chances[2]));
                    output[0] = slope * (1.0 - value * value);
                    loss
                }
            };
            self.losses[1] += loss * f64::from(weight);
            let factor = weight * goal.of_values;
            output.iter_mut().for_each(|slope| *slope *= factor);
        }
        let (slopes, of_hidden) = (&self.slopes_of_outputs, &mut self.slopes_of_hidden);
        net.output
            .gather(kernels, &self.hidden, slopes, &mut self.of_output);
        net.output.backward(kernels, slopes, of_hidden);
        for (slope, value) in of_hidden.iter_mut().zip(&self.hidden) {
            *slope = if *value > 0.0 { *slope } else { 0.0 };
        }
        net.hidden.gather(
            kernels,
            &self.value.features,
            of_hidden,
            &mut self.of_hidden,
        );
        net.hidden
            .backward(kernels, of_hidden, &mut self.value.slopes);
    }

    /// From the gradient of the heads to that of the trunk's output.
    pub(super) fn spread(&mut self, kernels: &Kernels, net: &Net) {
        let trunk = &self.inputs[net.trunk.len()];
        for (head, state) in [
            (&net.policy, &mut self.policy),
            (&net.value, &mut self.value),
        ] {
            head.1.apply_back(&state.outputs, &mut state.slopes);
            head.0.begin(&mut state.room);
            head.0
                .gather(kernels, trunk, &state.slopes, &mut state.room);
        }
        self.next.resize(trunk.len(), 0.0);
        self.slopes.resize(trunk.len(), 0.0);
        let (of_value, room) = (&self.value.slopes, &mut self.value.room);
        net.value
            .0
            .backward(kernels, of_value, None, &mut self.next, room);
        let (of_policy, room) = (&self.policy.slopes, &mut self.policy.room);
        let added = Some(&self.next[..]);
        net.policy
            .0
            .backward(kernels, of_policy, added, &mut self.slopes, room);
        self.sums.clear();
        self.skipping.resize(self.slopes.len(), 0.0);
        std::mem::swap(&mut self.slopes, &mut self.next);
        for block in self.blocks() {
            self.mask(net, net.trunk.len() - 1, block);
        }
        std::mem::swap(&mut self.slopes, &mut self.next);
    }

    /// Turns the gradient after a layer's activation, in `next`, into that after its norm.
    fn mask(&mut self, net: &Net, layer: usize, block: Block) {
        let span = block.of(net.channels());
        let slopes = &mut self.next[span.clone()];
        net.trunk[layer].1.mask(
            &self.inputs[layer + 1][span.clone()],
            &self.outputs[layer][span.clone()],
            slopes,
            &mut self.sums,
        );
        if layer > 0 && layer.is_multiple_of(2) {
            self.skipping[span].copy_from_slice(slopes);
        }
    }

    /// The backward pass of a convolution of the trunk.
    pub(super) fn back(&mut self, kernels: &Kernels, net: &Net, layer: usize) {
        let (convolution, norm) = &net.trunk[layer];
        self.sums.clear();
        convolution.begin(&mut self.room);
        // Two passes over all blocks: the sums of the gradient and the weights of the convolution
        // would evict each other from the cache.
        for block in self.blocks() {
            let span = block.of(net.channels());
            let slopes = &mut self.slopes[span.clone()];
            norm.apply_back(&self.outputs[layer][span], slopes);
            let source = &self.inputs[layer];
            let source = &source[block.of(source.len() / SQUARES / self.boards.len())];
            convolution.gather(kernels, source, slopes, &mut self.room);
        }
        convolution.end(&mut self.room);
        if layer == 0 {
            return;
        }
        for block in self.blocks() {
            let span = block.of(net.channels());
            // The first convolution of a block shares its input with the skip connection.
            let added = (layer % 2 == 1).then_some(&self.skipping[span.clone()]);
            let (slopes, next) = (&self.slopes[span.clone()], &mut self.next[span]);
            convolution.backward(kernels, slopes, added, next, &mut self.room);
            self.mask(net, layer - 1, block);
        }
        std::mem::swap(&mut self.slopes, &mut self.next);
    }
}

/// A range of boards of a group.
#[derive(Clone, Copy)]
struct Block {
    first: usize,
    end: usize,
}

impl Block {
    /// The range of their values, for this number of channels per square.
    fn of(self, channels: usize) -> Range<usize> {
        let size = SQUARES * channels;
        self.first * size..self.end * size
    }
}

impl HeadState {
    fn activate(&mut self, norm: &Norm) {
        self.activated.resize(self.outputs.len(), 0.0);
        norm.apply(&self.outputs, None, &mut self.activated);
        turn(
            &self.activated,
            SQUARES,
            norm.channels(),
            &mut self.features,
        );
    }

    /// Turns the gradient of the features into that after the norm.
    fn mask(&mut self, norm: &Norm) {
        let mut slopes = Vec::new();
        turn(&self.slopes, norm.channels(), SQUARES, &mut slopes);
        self.sums.clear();
        norm.mask(&self.activated, &self.outputs, &mut slopes, &mut self.sums);
        self.slopes = slopes;
    }
}

/// Transposes boards of rows by columns.
fn turn(values: &[f32], rows: usize, columns: usize, target: &mut Vec<f32>) {
    target.resize(values.len(), 0.0);
    let boards = values.chunks_exact(rows * columns);
    for (values, target) in boards.zip(target.chunks_exact_mut(rows * columns)) {
        for (row, values) in values.chunks_exact(columns).enumerate() {
            for (column, value) in values.iter().enumerate() {
                target[column * rows + row] = *value;
            }
        }
    }
}

fn tanh(value: f32) -> f32 {
    let power = exp(2.0 * value.clamp(-20.0, 20.0));
    1.0 - 2.0 / (power + 1.0)
}
