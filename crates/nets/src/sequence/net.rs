//! Inference: from an event to predictions of what comes next.
//!
//! An event attends to those before it in its game, so keys and values of every event are
//! cached in a [`Memory`]: a new position costs one event, and lines that branch from the
//! same position share the events before it. Many games are computed together.
//!
//! It must not know how moves are chosen.

use super::block::{Block, Room};
use super::events::{Encoder, Event};
use super::memory::{Memory, Node};
use super::shape::SequenceShape;
use super::squares::Squares;
use super::weights::SequenceWeights;
use crate::Chances;
use crate::kernels::{Attention, Finish, Kernels, Matrix, Packed, Precision};

/// Keeps layer norms from dividing by 0.
pub const EPSILON: f32 = 1e-5;

/// A model for inference. Threads can share it, but not a [`Memory`].
pub struct SequenceNet {
    shape: SequenceShape,
    encoder: Encoder,
    kernels: &'static Kernels,
    events: Vec<f32>,
    squares: Option<Squares>,
    layers: Vec<Layer>,
    policy: Vec<f32>,
    policy_bias: Vec<f32>,
    value: Packed,
    value_bias: Vec<f32>,
    moves_left: Scalar,
    think: Option<Scalar>,
    resign: Option<Scalar>,
}

/// A head with one output.
struct Scalar {
    weights: Packed,
    bias: Vec<f32>,
}

impl Scalar {
    fn of(&self, kernels: &Kernels, state: &[f32]) -> f32 {
        let mut output = [0.0];
        let left = Matrix::new(state, 1, state.len());
        let finish = Finish {
            bias: Some(&self.bias),
            ..Finish::default()
        };
        kernels.product(left, &self.weights, &mut output, &finish);
        output[0]
    }
}

struct Layer {
    block: Block,
    /// The bias of each head for each distance.
    distance: Vec<f32>,
}

impl SequenceNet {
    /// Packs the weights; with bf16 it is faster, with errors of some thousandths.
    pub fn new(weights: &SequenceWeights, precision: Precision) -> SequenceNet {
        let shape = weights.shape().clone();
        let width = shape.width;
        let mut tensors = weights.tensors().iter();
        let mut next = || tensors.next().cloned().unwrap_or_default();
        let packed = |values: &[f32], outputs: usize| {
            Packed::new(Matrix::new(values, outputs, width).transposed(), precision)
        };
        let encoder = Encoder::new(&shape);
        let events = next();
        let squares = encoder
            .has_squares()
            .then(|| Squares::new(&mut next, width, precision));
        let layers = (0..shape.layers).map(|_| {
            let mix = packed(&next(), 4 * width);
            let distance = next();
            let out = packed(&next(), width);
            let out_bias = next();
            let block = Block { mix, out, out_bias };
            Layer { block, distance }
        });
        let layers: Vec<Layer> = layers.collect();
        let (policy, policy_bias) = (next(), next());
        let (value, value_bias) = (packed(&next(), 3), next());
        let mut scalar = || Scalar {
            weights: packed(&next(), 1),
            bias: next(),
        };
        SequenceNet {
            encoder,
            kernels: Kernels::best(),
            events,
            squares,
            layers,
            policy,
            policy_bias,
            value,
            value_bias,
            moves_left: scalar(),
            think: shape.think_head.then(&mut scalar),
            resign: shape.resign_head.then(&mut scalar),
            shape,
        }
    }

    /// Its shape.
    pub fn shape(&self) -> &SequenceShape {
        &self.shape
    }

    /// The encoder of its events.
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Computes events of a memory; in the batch, every event must come after those that it
    /// follows in its game. The result of an event does not depend on the rest of the batch.
    pub fn compute(&self, memory: &mut Memory, batch: &[(Node, &Event)]) {
        let width = self.shape.width;
        let mut states = vec![0.0; batch.len() * width];
        for (state, (_, event)) in states.chunks_exact_mut(width).zip(batch) {
            self.sum_rows(event, state);
        }
        let mut paths = vec![Vec::new(); batch.len()];
        for (path, &(node, _)) in paths.iter_mut().zip(batch) {
            memory.path(node, path);
        }
        let mut room = Room::default();
        for (number, layer) in self.layers.iter().enumerate() {
            layer
                .block
                .run(self.kernels, &mut states, &mut room, |mixed, attended| {
                    for (mixed, &(node, _)) in mixed.chunks_exact(4 * width).zip(batch) {
                        memory.keep(node, number, &mixed[width..2 * width], &mixed[3 * width..]);
                    }
                    self.attend(layer, memory, mixed, &mut paths, attended);
                });
        }
        for (state, &(node, _)) in states.chunks_exact(width).zip(batch) {
            let target = memory.state_mut(node);
            self.kernels.layer_norm(state, width, None, EPSILON, target);
        }
    }

    /// The logits of moves, which are given by their numbers as the model sees them.
    pub fn logits(&self, state: &[f32], moves: &[u32], logits: &mut Vec<f32>) {
        logits.clear();
        logits.resize(moves.len(), 0.0);
        self.kernels.listed_rows(&self.policy, state, moves, logits);
        for (logit, &mv) in logits.iter_mut().zip(moves) {
            *logit += self.policy_bias[mv as usize];
        }
    }

    /// The probabilities of the results for the side to move.
    pub fn chances(&self, state: &[f32]) -> Chances {
        let mut chances = [0.0; 3];
        let left = Matrix::new(state, 1, state.len());
        let finish = Finish {
            bias: Some(&self.value_bias),
            ..Finish::default()
        };
        self.kernels
            .product(left, &self.value, &mut chances, &finish);
        self.kernels.softmax(&mut chances);
        let [loss, draw, win] = chances;
        Chances { win, draw, loss }
    }

    /// How many plies the game will still last.
    pub fn plies_left(&self, state: &[f32]) -> f32 {
        let logarithm = self.moves_left.of(self.kernels, state);
        logarithm.exp_m1().max(0.0)
    }

    /// How many seconds the mover will think, if the model predicts that.
    pub fn seconds(&self, state: &[f32]) -> Option<f32> {
        let logarithm = self.think.as_ref()?.of(self.kernels, state);
        Some(logarithm.exp_m1().max(0.0))
    }

    /// The probability that the mover resigns instead of moving, if the model predicts that.
    pub fn resignation(&self, state: &[f32]) -> Option<f32> {
        let logit = self.resign.as_ref()?.of(self.kernels, state);
        Some(1.0 / (1.0 + (-logit).exp()))
    }

    fn sum_rows(&self, event: &Event, state: &mut [f32]) {
        let kernels = self.kernels;
        match &self.squares {
            Some(squares) => squares.add(kernels, &event.board, state),
            None => kernels.add_embeddings(&self.events, &event.board, state),
        }
        let share = self.encoder.board_share();
        if share != 1.0 {
            state.iter_mut().for_each(|value| *value *= share);
        }
        kernels.add_embeddings(&self.events, &event.others, state);
    }

    /// The result of each event's attention to the events on its path, itself included.
    /// `paths` are indices for this layer, and are advanced to the next layer.
    fn attend(
        &self,
        layer: &Layer,
        memory: &Memory,
        mixed: &[f32],
        paths: &mut [Vec<usize>],
        target: &mut [f32],
    ) {
        let width = self.shape.width;
        let mut shares = Vec::new();
        let rows = mixed
            .chunks_exact(4 * width)
            .zip(target.chunks_exact_mut(width));
        for (path, (mixed, target)) in paths.iter_mut().zip(rows) {
            let attention = Attention {
                numbers: memory.numbers(),
                places: path,
                query: &mixed[2 * width..3 * width],
                heads: self.shape.heads,
                distances: &layer.distance,
            };
            self.kernels.attend(&attention, &mut shares, target);
            path.iter_mut().for_each(|place| *place += 2 * width);
        }
    }
}
