//! The forward and backward pass of the model.

use super::attention::{Sight, Sizes};
use super::batch::Batch;
use super::block::{Block, BlockState, Room};
use super::heads::{Goal, Heads, Losses, Teacher};
use super::squares::{SquareStates, Squares};
use crate::float::{Change, Decay, Parameter, RowUses, change, layer_norm, layer_norm_back};
use nets::kernels::{Kernels, Precision};
use nets::sequence::{EPSILON, Encoder, SequenceShape, SequenceWeights};
use rayon::prelude::*;
use std::ops::Range;

/// A model in training.
pub(super) struct Net {
    weights: SequenceWeights,
    encoder: Encoder,
    kernels: &'static Kernels,
    events: Parameter,
    squares: Option<Squares>,
    blocks: Vec<Block>,
    heads: Heads,
}

/// The values of a batch that the forward pass keeps for the backward pass.
#[derive(Debug, Default)]
pub(super) struct Trainer {
    games: Vec<Range<usize>>,
    squares: SquareStates,
    blocks: Vec<BlockState>,
    /// The states between blocks, then their gradient.
    states: Vec<f32>,
    /// The states after the last block, normalised.
    normal: Vec<f32>,
    scales: Vec<f32>,
    slopes: Vec<f32>,
    room: Room,
    uses: RowUses,
}

impl Net {
    pub(super) fn new(weights: SequenceWeights, precision: Precision, keeps_average: bool) -> Net {
        let shape = weights.shape().clone();
        let encoder = Encoder::new(&shape);
        let sizes = Sizes {
            width: shape.width,
            heads: shape.heads,
            sight: Sight::Past,
        };
        let mut tensors = weights.tensors().iter();
        let mut next = || tensors.next().map(Vec::as_slice).unwrap_or_default();
        let events = Parameter::new(next(), Decay::No, keeps_average);
        let squares = encoder
            .has_squares()
            .then(|| Squares::new(&mut next, precision, keeps_average));
        let blocks: Vec<Block> = (0..shape.layers)
            .map(|_| Block::new(&mut next, sizes, precision, keeps_average))
            .collect();
        let heads = Heads::new(&mut next, &shape, keeps_average);
        Net {
            encoder,
            kernels: Kernels::best(),
            events,
            squares,
            blocks,
            heads,
            weights,
        }
    }

    pub(super) fn shape(&self) -> &SequenceShape {
        self.weights.shape()
    }

    pub(super) fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// All parameters, in the order of the shape's tensors.
    pub(super) fn parameters(&mut self) -> Vec<&mut Parameter> {
        let mut parameters = vec![&mut self.events];
        parameters.extend(self.squares.iter_mut().flat_map(Squares::parameters));
        parameters.extend(self.blocks.iter_mut().flat_map(Block::parameters));
        parameters.extend(self.heads.parameters());
        parameters
    }

    /// The trained weights, or their moving averages if these are kept.
    pub(super) fn weights(&mut self) -> SequenceWeights {
        let mut weights = self.weights.clone();
        for (tensor, parameter) in weights.tensors_mut().zip(self.parameters()) {
            tensor.copy_from_slice(parameter.averages());
        }
        weights
    }

    /// Recomputes what depends on the weights; to be called after each change of them.
    pub(super) fn prepare(&mut self) {
        self.squares.iter_mut().for_each(Squares::prepare);
        self.blocks.iter_mut().for_each(Block::prepare);
        self.heads.prepare();
    }

    /// Updates the weights by their gradients; only those of the value head if the rest is frozen.
    pub(super) fn change(&mut self, step: &Change, is_frozen: bool) {
        match is_frozen {
            true => change(&mut self.heads.value_parameters(), step),
            false => change(&mut self.parameters(), step),
        };
        self.prepare();
    }

    /// The losses of a batch, and the gradients of all weights; only those of the value head if the
    /// rest is frozen.
    pub(super) fn measure(
        &mut self,
        trainer: &mut Trainer,
        batch: &Batch,
        goal: &Goal,
        is_frozen: bool,
    ) -> Losses {
        self.measure_by(trainer, batch, goal, is_frozen, goal)
    }

    /// The same with policy targets from a teacher; results and plies left are those of the batch.
    pub(super) fn measure_by(
        &mut self,
        trainer: &mut Trainer,
        batch: &Batch,
        goal: &Goal,
        is_frozen: bool,
        teacher: &impl Teacher,
    ) -> Losses {
        self.forward(trainer, batch);
        let (normal, slopes) = (&trainer.normal, &mut trainer.slopes);
        let losses = self
            .heads
            .measure(self.kernels, batch, normal, goal, teacher, slopes);
        if !is_frozen {
            self.backward(trainer, batch);
        }
        losses
    }

    /// The logits of the moves of all events, concatenated: exactly those of a training pass.
    pub(super) fn logits(&self, trainer: &mut Trainer, batch: &Batch) -> Vec<f32> {
        self.forward(trainer, batch);
        self.heads.logits(self.kernels, batch, &trainer.normal)
    }

    /// The value of each event of the last pass, for the side to move.
    pub(super) fn values(&mut self, trainer: &Trainer) -> Vec<f32> {
        self.heads.values(self.kernels, &trainer.normal)
    }

    fn forward(&self, trainer: &mut Trainer, batch: &Batch) {
        let width = self.shape().width;
        let kernels = self.kernels;
        let Trainer {
            games,
            squares,
            blocks,
            states,
            normal,
            scales,
            room,
            ..
        } = trainer;
        *games = (0..batch.games()).map(|game| batch.game(game)).collect();
        self.sum_events(batch, states);
        if let Some(net) = &self.squares {
            net.forward(kernels, batch, squares, room, states);
        }
        blocks.resize_with(self.blocks.len(), BlockState::default);
        for (block, state) in self.blocks.iter().zip(blocks) {
            block.forward(kernels, games, states, state, room);
        }
        layer_norm(states, width, EPSILON, normal, scales);
    }

    /// Sums the rows of each event; those of squares are added later.
    fn sum_events(&self, batch: &Batch, target: &mut Vec<f32>) {
        let width = self.shape().width;
        let share = self.encoder.board_share();
        target.clear();
        target.resize(batch.events() * width, 0.0);
        let table = self.events.values();
        target
            .par_chunks_exact_mut(width)
            .enumerate()
            .for_each(|(event, sum)| {
                self.kernels
                    .add_embeddings(table, self.board_rows(batch, event), sum);
                if share != 1.0 {
                    sum.iter_mut().for_each(|value| *value *= share);
                }
                self.kernels
                    .add_embeddings(table, batch.others.of(event), sum);
            });
    }

    /// The board rows of an event in the table of events; empty if squares are used instead.
    fn board_rows<'a>(&self, batch: &'a Batch, event: usize) -> &'a [u32] {
        match self.squares {
            Some(_) => &[],
            None => batch.board.of(event),
        }
    }

    fn backward(&mut self, trainer: &mut Trainer, batch: &Batch) {
        let width = self.shape().width;
        let kernels = self.kernels;
        let Trainer {
            games,
            squares,
            blocks,
            states,
            normal,
            scales,
            slopes,
            room,
            uses,
        } = trainer;
        // From here on `states` holds gradients.
        states.fill(0.0);
        layer_norm_back(normal, width, scales, slopes, states);
        for (block, state) in self.blocks.iter_mut().zip(blocks).rev() {
            block.backward(kernels, games, states, state, room);
        }
        if let Some(net) = &mut self.squares {
            net.backward(kernels, batch, squares, room, states);
        }
        let share = self.encoder.board_share();
        let rows = self.events.values().len() / width;
        let listed = (0..batch.events()).flat_map(|event| {
            let board = self.board_rows(batch, event).iter();
            let others = batch.others.of(event).iter();
            let board = board.map(move |&row| (event, row, share));
            board.chain(others.map(move |&row| (event, row, 1.0)))
        });
        uses.set(rows, listed);
        uses.gather(width, self.events.gradient_mut(), |event| {
            &states[event * width..(event + 1) * width]
        });
    }
}
