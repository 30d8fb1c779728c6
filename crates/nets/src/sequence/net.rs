//! The model at play: one event in, what comes next out.
//!
//! Events of a game attend to those before them, so keys and values of every event are
//! kept in a [`Memory`]: a new position costs one event, and lines that branch from the
//! same position share what lies before. Many games are computed together.
//!
//! It must not know how moves are chosen.

use super::events::{Encoder, Event};
use super::shape::{FARTHEST, SequenceShape};
use super::weights::SequenceWeights;
use crate::Chances;
use crate::kernels::{Activation, Finish, Kernels, Matrix, Packed, Precision};

/// Keeps the normalisations from dividing by 0.
pub const EPSILON: f32 = 1e-5;

/// A model, ready to be asked. It can be shared by threads; a [`Memory`] cannot.
pub struct SequenceNet {
    shape: SequenceShape,
    encoder: Encoder,
    kernels: &'static Kernels,
    events: Vec<f32>,
    layers: Vec<Layer>,
    policy: Vec<f32>,
    policy_bias: Vec<f32>,
    value: Packed,
    value_bias: Vec<f32>,
    moves_left: Packed,
    moves_left_bias: Vec<f32>,
}

struct Layer {
    /// From an event to its gate, value, query and key.
    mix: Packed,
    /// What each head adds for each distance.
    distance: Vec<f32>,
    out: Packed,
    out_bias: Vec<f32>,
}

/// An event that was computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node(u32);

/// Keys and values of computed events.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Of each event, layer by layer: a value and a key.
    numbers: Vec<f32>,
    parents: Vec<Option<Node>>,
    /// Numbers of an event, and of a key or value.
    stride: usize,
    width: usize,
}

/// What came of a batch of events.
#[derive(Clone, Debug, Default)]
pub struct Computed {
    /// The events, in the order of the batch.
    pub nodes: Vec<Node>,
    /// The state of each behind the last layer, normalised.
    states: Vec<f32>,
    width: usize,
}

impl Computed {
    /// The state of an event of the batch.
    pub fn state(&self, number: usize) -> &[f32] {
        &self.states[number * self.width..(number + 1) * self.width]
    }
}

impl Memory {
    /// An empty one for models of this shape.
    pub fn new(shape: &SequenceShape) -> Memory {
        Memory {
            numbers: Vec::new(),
            parents: Vec::new(),
            stride: shape.layers * 2 * shape.width,
            width: shape.width,
        }
    }

    /// Forgets all events but the first so many.
    pub fn truncate(&mut self, events: usize) {
        self.parents.truncate(events);
        self.numbers.truncate(events * self.stride);
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    fn add(&mut self, parent: Option<Node>) -> Node {
        let node = Node(self.parents.len() as u32);
        self.parents.push(parent);
        self.numbers.resize(self.numbers.len() + self.stride, 0.0);
        node
    }

    /// The events from the beginning of the game to this one.
    fn path(&self, node: Node, path: &mut Vec<Node>) {
        path.clear();
        let mut next = Some(node);
        while let Some(node) = next {
            path.push(node);
            next = self.parents[node.0 as usize];
        }
        path.reverse();
    }
}

impl SequenceNet {
    /// Makes a model ready; with bf16 it is faster, and off by some thousandths.
    pub fn new(weights: &SequenceWeights, precision: Precision) -> SequenceNet {
        let shape = weights.shape().clone();
        let width = shape.width;
        let mut tensors = weights.tensors().iter();
        let mut next = || tensors.next().cloned().unwrap_or_default();
        let packed = |values: &[f32], outputs: usize| {
            Packed::new(Matrix::new(values, outputs, width).transposed(), precision)
        };
        let events = next();
        let layers = (0..shape.layers).map(|_| Layer {
            mix: packed(&next(), 4 * width),
            distance: next(),
            out: packed(&next(), width),
            out_bias: next(),
        });
        let layers: Vec<Layer> = layers.collect();
        SequenceNet {
            encoder: Encoder::new(&shape),
            kernels: Kernels::best(),
            events,
            layers,
            policy: next(),
            policy_bias: next(),
            value: packed(&next(), 3),
            value_bias: next(),
            moves_left: packed(&next(), 1),
            moves_left_bias: next(),
            shape,
        }
    }

    /// Its shape.
    pub fn shape(&self) -> &SequenceShape {
        &self.shape
    }

    /// What lists the rows of events for it.
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Computes events, each behind another one of the memory or at the beginning of a
    /// game. What comes of an event does not depend on the others of the batch.
    pub fn compute(
        &self,
        memory: &mut Memory,
        batch: &[(Option<Node>, &Event)],
        computed: &mut Computed,
    ) {
        let width = self.shape.width;
        computed.width = width;
        computed.nodes.clear();
        computed
            .nodes
            .extend(batch.iter().map(|&(parent, _)| memory.add(parent)));
        let mut states = vec![0.0; batch.len() * width];
        for (state, (_, event)) in states.chunks_exact_mut(width).zip(batch) {
            self.sum_rows(event, state);
        }
        let mut normal = vec![0.0; batch.len() * width];
        let mut mixed = vec![0.0; batch.len() * 4 * width];
        let mut attended = vec![0.0; batch.len() * width];
        let mut path = Vec::new();
        for (number, layer) in self.layers.iter().enumerate() {
            self.kernels
                .layer_norm(&states, width, None, EPSILON, &mut normal);
            let silu = Finish {
                activation: Activation::Silu,
                ..Finish::default()
            };
            let left = Matrix::new(&normal, batch.len(), width);
            self.kernels.product(left, &layer.mix, &mut mixed, &silu);
            let rows = mixed.chunks_exact(4 * width);
            let targets = attended.chunks_exact_mut(width);
            for ((&node, mixed), target) in computed.nodes.iter().zip(rows).zip(targets) {
                memory.keep(node, number, &mixed[width..2 * width], &mixed[3 * width..]);
                memory.path(node, &mut path);
                self.attend(
                    layer,
                    number,
                    memory,
                    &path,
                    &mixed[2 * width..3 * width],
                    target,
                );
            }
            self.kernels
                .layer_norm(&attended, width, None, EPSILON, &mut normal);
            let gates = mixed.chunks_exact(4 * width).flat_map(|row| &row[..width]);
            for (value, gate) in normal.iter_mut().zip(gates) {
                *value *= gate;
            }
            let left = Matrix::new(&normal, batch.len(), width);
            let residual = Finish {
                bias: Some(&layer.out_bias),
                residual: Some(&states),
                ..Finish::default()
            };
            self.kernels
                .product(left, &layer.out, &mut attended, &residual);
            std::mem::swap(&mut states, &mut attended);
        }
        computed.states.resize(states.len(), 0.0);
        self.kernels
            .layer_norm(&states, width, None, EPSILON, &mut computed.states);
    }

    /// The logits of moves, which are numbers of the vocabulary as the model sees them.
    pub fn logits(&self, state: &[f32], moves: &[u32], logits: &mut Vec<f32>) {
        logits.clear();
        logits.resize(moves.len(), 0.0);
        self.kernels.listed_rows(&self.policy, state, moves, logits);
        for (logit, &mv) in logits.iter_mut().zip(moves) {
            *logit += self.policy_bias[mv as usize];
        }
    }

    /// The chances of the side to move.
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

    /// How many plies the game has still to go.
    pub fn plies_left(&self, state: &[f32]) -> f32 {
        let mut left_over = [0.0];
        let left = Matrix::new(state, 1, state.len());
        let finish = Finish {
            bias: Some(&self.moves_left_bias),
            ..Finish::default()
        };
        self.kernels
            .product(left, &self.moves_left, &mut left_over, &finish);
        left_over[0].exp_m1().max(0.0)
    }

    fn sum_rows(&self, event: &Event, state: &mut [f32]) {
        self.kernels
            .add_embeddings(&self.events, &event.board, state);
        let share = self.encoder.board_share();
        if share != 1.0 {
            state.iter_mut().for_each(|value| *value *= share);
        }
        self.kernels
            .add_embeddings(&self.events, &event.others, state);
    }

    /// What an event takes from those on its path, itself included.
    fn attend(
        &self,
        layer: &Layer,
        number: usize,
        memory: &Memory,
        path: &[Node],
        query: &[f32],
        target: &mut [f32],
    ) {
        let (width, head_width) = (self.shape.width, self.shape.head_width());
        let scale = 1.0 / (head_width as f32).sqrt();
        let mut shares = vec![0.0; path.len()];
        for head in 0..self.shape.heads {
            let part = head * head_width..(head + 1) * head_width;
            let distances = &layer.distance[head * (FARTHEST + 1)..];
            for (place, (&node, share)) in path.iter().zip(&mut shares).enumerate() {
                let key = &memory.layer(node, number)[width..][part.clone()];
                let distance = (path.len() - 1 - place).min(FARTHEST);
                *share = dot(&query[part.clone()], key) * scale + distances[distance];
            }
            self.kernels.softmax(&mut shares);
            let target = &mut target[part.clone()];
            target.fill(0.0);
            for (&node, &share) in path.iter().zip(&shares) {
                let value = &memory.layer(node, number)[part.clone()];
                for (sum, &value) in target.iter_mut().zip(value) {
                    *sum += share * value;
                }
            }
        }
    }
}

impl Memory {
    /// Value and key of an event in a layer.
    fn layer(&self, node: Node, layer: usize) -> &[f32] {
        let start = node.0 as usize * self.stride + layer * 2 * self.width;
        &self.numbers[start..start + 2 * self.width]
    }

    fn keep(&mut self, node: Node, layer: usize, value: &[f32], key: &[f32]) {
        let start = node.0 as usize * self.stride + layer * 2 * self.width;
        let (values, keys) = self.numbers[start..start + 2 * self.width].split_at_mut(self.width);
        values.copy_from_slice(value);
        keys.copy_from_slice(key);
    }
}

/// The product of two vectors, in sums that a register holds side by side.
fn dot(left: &[f32], right: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0_f32; LANES];
    let (left_chunks, left_rest) = left.as_chunks::<LANES>();
    let (right_chunks, right_rest) = right.as_chunks::<LANES>();
    for (left, right) in left_chunks.iter().zip(right_chunks) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    let rest: f32 = left_rest
        .iter()
        .zip(right_rest)
        .map(|(left, right)| left * right)
        .sum();
    sums.iter().sum::<f32>() + rest
}
