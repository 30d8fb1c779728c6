//! A ResNet for inference: batch norms are folded, weights are packed, and the policy
//! computes only the rows of legal moves.
//!
//! Boards go through the tower a few at a time, so that their values stay in the cache.
//! No result depends on what else is in a batch.

use super::dense::{Dense, by_square};
use super::shape::{PolicyKind, TensorShape, ValueKind};
use super::tower::{Block, Layer, Room, Tower};
use super::weights::ResNetWeights;
use crate::kernels::{Activation, BatchNorm, Finish, Kernels, SQUARES};
use crate::policy::Chances;
use crate::policy::lc0::Lc0Coding;
use crate::policy::moves::MoveIndex;
use crate::policy::planes::{Planes, Scene};
use chess::{Color, Line, Move};
use std::collections::BTreeMap;

/// PyTorch's default epsilon of batch norms, in training and inference alike.
pub const NORM_EPSILON: f32 = 1e-5;
/// How many boards go through the tower together: the values of a layer of 64 channels
/// then take 512 kB, half of a second-level cache.
const AT_ONCE: usize = 32;

/// A net for inference.
#[derive(Debug)]
pub(crate) struct Network {
    coding: Coding,
    tower: Tower,
    policy: PolicyHead,
    value: ValueHead,
}

/// The encoding of positions and moves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Coding {
    /// Tabia's own.
    Own { planes: Planes, moves: MoveIndex },
    /// lc0's.
    Lc0(Lc0Coding),
}

impl Coding {
    pub(crate) fn planes(&self) -> usize {
        match self {
            Coding::Own { planes, .. } => planes.count(),
            Coding::Lc0(_) => Lc0Coding::PLANES,
        }
    }

    pub(crate) fn write(&self, line: &Line, target: &mut [f32]) {
        match self {
            Coding::Own { planes, .. } => planes.write_squares(&Scene::of(line), target),
            Coding::Lc0(coding) => coding.write_squares(line, target),
        }
    }

    /// The same for a position without its line.
    pub(crate) fn write_scene(&self, scene: &Scene<'_>, target: &mut [f32]) {
        match self {
            Coding::Own { planes, .. } => planes.write_squares(scene, target),
            Coding::Lc0(coding) => coding.write_squares(&Line::new(*scene.board), target),
        }
    }

    /// The index of a move, and an offset to add to its logit.
    pub(crate) fn index(&self, side: Color, mv: Move) -> (usize, f32) {
        match self {
            Coding::Own { planes, moves } => moves.of(mv, planes.turns(side)),
            Coding::Lc0(coding) => (coding.index(mv, side), 0.0),
        }
    }
}

/// How the logits of moves are computed.
#[derive(Debug)]
pub(crate) enum PolicyHead {
    /// A row of weights for each move, over the channels that a 1x1 convolution gives.
    Rows {
        squeeze: Dense,
        rows: Vec<f32>,
        bias: Vec<f32>,
    },
    /// Two convolutions, which give planes of logits.
    Planes { first: Layer, second: Layer },
}

/// How the value is computed.
#[derive(Debug)]
pub(crate) struct ValueHead {
    pub(crate) squeeze: Dense,
    pub(crate) hidden: Dense,
    pub(crate) output: Dense,
    pub(crate) kind: ValueKind,
}

/// Positions to be computed, and their results.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) planes: Vec<f32>,
    /// The indices of the moves of all positions.
    pub(crate) moves: Vec<u32>,
    /// The offsets to add to their logits.
    pub(crate) offsets: Vec<f32>,
    /// Where the moves of each position end.
    pub(crate) ends: Vec<usize>,
    pub(crate) logits: Vec<f32>,
    pub(crate) chances: Vec<Chances>,
    room: Room,
    squeezed: Vec<f32>,
    second: Vec<f32>,
    features: Vec<f32>,
    hidden: Vec<f32>,
    outputs: Vec<f32>,
}

impl Batch {
    pub(crate) fn clear(&mut self) {
        self.planes.clear();
        self.moves.clear();
        self.offsets.clear();
        self.ends.clear();
    }

    /// The range of a position's moves in the lists.
    pub(crate) fn span(&self, number: usize) -> std::ops::Range<usize> {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[number]
    }
}

impl Network {
    pub(crate) fn new(coding: Coding, tower: Tower, policy: PolicyHead, value: ValueHead) -> Self {
        Network {
            coding,
            tower,
            policy,
            value,
        }
    }

    /// Folds and packs weights.
    pub(crate) fn of(weights: &ResNetWeights) -> Network {
        let shape = weights.shape();
        let named = Named::new(weights);
        let layer = |name: &str| {
            let (weights, bias) = named.folded(name);
            Layer::new(&weights, bias)
        };
        let squeeze = |name: &str| {
            let (weights, bias) = named.folded(name);
            Dense::new(&weights, bias)
        };
        let block = |number: usize| Block {
            first: layer(&format!("blocks.{number}.first")),
            second: layer(&format!("blocks.{number}.second")),
            squeeze: None,
        };
        let (rows, bias) = named.combined_rows();
        let rows = by_square(&rows, shape.head_channels);
        let hidden = by_square(named.get("value.hidden.weight"), shape.head_channels);
        let linear_bias = |name: &str| named.get(&format!("{name}.bias")).to_vec();
        Network {
            coding: Coding::Own {
                planes: shape.planes,
                moves: shape.moves,
            },
            tower: Tower {
                stem: layer("stem"),
                blocks: (0..shape.blocks).map(block).collect(),
            },
            policy: PolicyHead::Rows {
                squeeze: squeeze("policy"),
                rows,
                bias,
            },
            value: ValueHead {
                squeeze: squeeze("value"),
                hidden: Dense::new(&hidden, linear_bias("value.hidden")),
                output: Dense::new(
                    named.get("value.output.weight"),
                    linear_bias("value.output"),
                ),
                kind: shape.value,
            },
        }
    }

    pub(crate) fn coding(&self) -> &Coding {
        &self.coding
    }

    /// Computes all positions of a batch.
    pub(crate) fn run(&self, kernels: &Kernels, batch: &mut Batch) {
        let size = SQUARES * self.coding.planes();
        batch.logits.clear();
        batch.features.clear();
        let boards = batch.planes.len() / size;
        for first in (0..boards).step_by(AT_ONCE) {
            let count = AT_ONCE.min(boards - first);
            let planes = &batch.planes[first * size..(first + count) * size];
            self.tower.run(kernels, planes, &mut batch.room);
            self.read_policy(kernels, first, count, batch);
            let values = &batch.room.values;
            self.value
                .squeeze
                .apply(kernels, values, &mut batch.squeezed, Activation::Relu);
            batch.features.extend_from_slice(&batch.squeezed);
        }
        for (logit, offset) in batch.logits.iter_mut().zip(&batch.offsets) {
            *logit += offset;
        }
        self.value.run(kernels, batch);
    }

    /// Appends the logits of the moves of `count` boards that have gone through the tower.
    fn read_policy(&self, kernels: &Kernels, first: usize, count: usize, batch: &mut Batch) {
        let spans = first..first + count;
        match &self.policy {
            PolicyHead::Rows {
                squeeze,
                rows,
                bias,
            } => {
                let values = &batch.room.values;
                squeeze.apply(kernels, values, &mut batch.squeezed, Activation::Relu);
                let width = SQUARES * squeeze.outputs();
                for (number, features) in spans.zip(batch.squeezed.chunks_exact(width)) {
                    let moves = &batch.moves[batch.span(number)];
                    let start = batch.logits.len();
                    batch.logits.resize(start + moves.len(), 0.0);
                    let logits = &mut batch.logits[start..];
                    kernels.listed_rows(rows, features, moves, logits);
                    for (logit, &row) in logits.iter_mut().zip(moves) {
                        *logit += bias[row as usize];
                    }
                }
            }
            PolicyHead::Planes { first, second } => {
                let Room {
                    values,
                    convolution,
                    ..
                } = &mut batch.room;
                let relu = Finish {
                    activation: Activation::Relu,
                    ..Finish::default()
                };
                first.apply(kernels, values, &mut batch.squeezed, convolution, relu);
                let plain = Finish::default();
                second.apply(
                    kernels,
                    &batch.squeezed,
                    &mut batch.second,
                    convolution,
                    plain,
                );
                let planes = second.outputs();
                let boards = batch.second.chunks_exact(SQUARES * planes);
                for (number, board) in spans.zip(boards) {
                    let moves = &batch.moves[batch.span(number)];
                    // In move indices planes come before squares.
                    let at = |index: u32| index as usize % 64 * planes + index as usize / 64;
                    let logits = moves.iter().map(|&index| board[at(index)]);
                    batch.logits.extend(logits);
                }
            }
        }
    }
}

impl ValueHead {
    /// Computes the probabilities of the results for all positions.
    fn run(&self, kernels: &Kernels, batch: &mut Batch) {
        let Batch {
            features,
            hidden,
            outputs,
            chances,
            ..
        } = batch;
        let activation = match self.kind {
            ValueKind::Wdl => Activation::Identity,
            ValueKind::Tanh => Activation::Tanh,
        };
        self.hidden
            .apply(kernels, features, hidden, Activation::Relu);
        self.output.apply(kernels, hidden, outputs, activation);
        chances.clear();
        match self.kind {
            ValueKind::Wdl => chances.extend(outputs.chunks_exact_mut(3).map(|logits| {
                kernels.softmax(logits);
                Chances {
                    win: logits[0],
                    draw: logits[1],
                    loss: logits[2],
                }
            })),
            ValueKind::Tanh => chances.extend(outputs.iter().map(|value| Chances {
                win: 0.5 * (1.0 + value),
                draw: 0.0,
                loss: 0.5 * (1.0 - value),
            })),
        }
    }
}

/// Access to the tensors by name.
pub(super) struct Named<'a> {
    weights: &'a ResNetWeights,
    places: BTreeMap<String, usize>,
}

impl<'a> Named<'a> {
    pub(super) fn new(weights: &'a ResNetWeights) -> Named<'a> {
        let names = weights.shape().tensors().into_iter().enumerate();
        Named {
            weights,
            places: names
                .map(|(place, TensorShape { name, .. })| (name, place))
                .collect(),
        }
    }

    pub(super) fn get(&self, name: &str) -> &'a [f32] {
        &self.weights.tensors()[self.places[name]]
    }

    /// The weights and biases of a convolution with the batch norm behind it folded in.
    pub(super) fn folded(&self, name: &str) -> (Vec<f32>, Vec<f32>) {
        let norm = |part: &str| self.get(&format!("{name}.norm.{part}"));
        let mut weights = self.get(&format!("{name}.convolution.weight")).to_vec();
        let mut bias = vec![0.0; norm("bias").len()];
        BatchNorm {
            mean: norm("running_mean"),
            variance: norm("running_var"),
            gain: norm("weight"),
            offset: norm("bias"),
            epsilon: NORM_EPSILON,
        }
        .fold(&mut weights, &mut bias);
        (weights, bias)
    }

    /// A row for each move. A factored policy adds two logits, which is the logit of the
    /// sum of their rows.
    pub(super) fn combined_rows(&self) -> (Vec<f32>, Vec<f32>) {
        let shape = self.weights.shape();
        let mut rows = self.get("policy.moves.weight").to_vec();
        let mut bias = self.get("policy.moves.bias").to_vec();
        if shape.policy == PolicyKind::Factored {
            let origins = self.get("policy.origin.weight");
            let (width, targets) = (shape.features(), shape.moves.targets());
            for (index, row) in rows.chunks_exact_mut(width).enumerate() {
                let origin = &origins[index / targets * width..][..width];
                for (value, share) in row.iter_mut().zip(origin) {
                    *value += share;
                }
                bias[index] += self.get("policy.origin.bias")[index / targets];
            }
        }
        (rows, bias)
    }
}
