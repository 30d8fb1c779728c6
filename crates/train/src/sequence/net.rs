//! The model on its way forward and back.

use super::attention::{Backward, Forward, Sizes};
use super::batch::Batch;
use super::heads::{Goal, Heads, Losses, Teacher};
use crate::float::{
    Change, Decay, Dense, Parameter, RowUses, change, layer_norm, layer_norm_back, sum_groups,
};
use crate::functions::sigmoid;
use crate::lanes::{self, Job, Lanes};
use nets::kernels::{Kernels, Precision};
use nets::sequence::{EPSILON, Encoder, SequenceShape, SequenceWeights};
use rayon::prelude::*;

/// A model that learns.
pub(super) struct Net {
    weights: SequenceWeights,
    encoder: Encoder,
    kernels: &'static Kernels,
    events: Parameter,
    blocks: Vec<Block>,
    heads: Heads,
}

struct Block {
    mix: Dense,
    distances: Parameter,
    out: Dense,
}

/// What is kept of a batch between the way forward and the way back.
#[derive(Debug, Default)]
pub(super) struct Trainer {
    blocks: Vec<BlockState>,
    /// The states between blocks, then their slopes.
    states: Vec<f32>,
    /// The states behind the last block, normalised.
    normal: Vec<f32>,
    scales: Vec<f32>,
    slopes: Vec<f32>,
    next: Vec<f32>,
    of_mixed: Vec<f32>,
    uses: RowUses,
}

#[derive(Debug, Default)]
struct BlockState {
    normal: Vec<f32>,
    scales: Vec<f32>,
    /// Before and behind the activation.
    raw: Vec<f32>,
    mixed: Vec<f32>,
    /// Of each game.
    shares: Vec<Vec<f32>>,
    attended: Vec<f32>,
    attended_normal: Vec<f32>,
    attended_scales: Vec<f32>,
    gated: Vec<f32>,
}

impl Net {
    pub(super) fn new(weights: SequenceWeights, precision: Precision, keeps_average: bool) -> Net {
        let shape = weights.shape().clone();
        let width = shape.width;
        let mut tensors = weights.tensors().iter();
        let mut next = || tensors.next().map(Vec::as_slice).unwrap_or_default();
        let events = Parameter::new(next(), Decay::No, keeps_average);
        let blocks: Vec<Block> = (0..shape.layers)
            .map(|_| Block {
                mix: Dense::new(next(), None, width, precision, keeps_average),
                distances: Parameter::new(next(), Decay::No, keeps_average),
                out: {
                    let (out, bias) = (next(), next());
                    Dense::new(out, Some(bias), width, precision, keeps_average)
                },
            })
            .collect();
        let heads = Heads::new(&mut next, &shape, keeps_average);
        Net {
            encoder: Encoder::new(&shape),
            kernels: Kernels::best(),
            events,
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

    /// All that is learned, in the order of the shape's tensors.
    pub(super) fn parameters(&mut self) -> Vec<&mut Parameter> {
        let mut parameters = vec![&mut self.events];
        for block in &mut self.blocks {
            parameters.extend(block.mix.parameters());
            parameters.push(&mut block.distances);
            parameters.extend(block.out.parameters());
        }
        parameters.extend(self.heads.parameters());
        parameters
    }

    /// What was learned, averaged if averages are kept.
    pub(super) fn weights(&mut self) -> SequenceWeights {
        let mut weights = self.weights.clone();
        for (tensor, parameter) in weights.tensors_mut().zip(self.parameters()) {
            tensor.copy_from_slice(parameter.averages());
        }
        weights
    }

    /// Makes ready what depends on the weights; to be called after they changed.
    pub(super) fn prepare(&mut self) {
        for block in &mut self.blocks {
            block.mix.prepare();
            block.out.prepare();
        }
        self.heads.prepare();
    }

    /// Changes the weights by their gradients; only those of the value if the rest is
    /// frozen.
    pub(super) fn change(&mut self, step: &Change, is_frozen: bool) {
        match is_frozen {
            true => change(&mut self.heads.value_parameters(), step),
            false => change(&mut self.parameters(), step),
        };
        self.prepare();
    }

    /// The losses of a batch, and the gradients of all weights; only those of the value
    /// if the rest is frozen.
    pub(super) fn measure(
        &mut self,
        trainer: &mut Trainer,
        batch: &Batch,
        goal: &Goal,
        is_frozen: bool,
    ) -> Losses {
        self.measure_by(trainer, batch, goal, is_frozen, goal)
    }

    /// The same where a teacher says what moves should be made; results and plies left are
    /// those of the batch.
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

    /// The logits of the moves of all events, behind each other: exactly those of a pass that
    /// measures.
    pub(super) fn logits(&self, trainer: &mut Trainer, batch: &Batch) -> Vec<f32> {
        self.forward(trainer, batch);
        self.heads.logits(self.kernels, batch, &trainer.normal)
    }

    /// The value of each event of the last pass, for the side to move.
    pub(super) fn values(&mut self, trainer: &Trainer) -> Vec<f32> {
        self.heads.values(self.kernels, &trainer.normal)
    }

    fn sizes(&self) -> Sizes {
        Sizes {
            width: self.shape().width,
            heads: self.shape().heads,
        }
    }

    fn forward(&self, trainer: &mut Trainer, batch: &Batch) {
        let width = self.shape().width;
        trainer
            .blocks
            .resize_with(self.blocks.len(), BlockState::default);
        self.sum_events(batch, &mut trainer.states);
        for (block, state) in self.blocks.iter().zip(&mut trainer.blocks) {
            layer_norm(
                &trainer.states,
                width,
                EPSILON,
                &mut state.normal,
                &mut state.scales,
            );
            block
                .mix
                .forward(self.kernels, &state.normal, None, &mut state.raw);
            silu(&state.raw, &mut state.mixed);
            self.attend(block, state, batch);
            layer_norm(
                &state.attended,
                width,
                EPSILON,
                &mut state.attended_normal,
                &mut state.attended_scales,
            );
            gate(
                &state.mixed,
                &state.attended_normal,
                width,
                &mut state.gated,
            );
            let residual = Some(&trainer.states[..]);
            block
                .out
                .forward(self.kernels, &state.gated, residual, &mut trainer.next);
            std::mem::swap(&mut trainer.states, &mut trainer.next);
        }
        layer_norm(
            &trainer.states,
            width,
            EPSILON,
            &mut trainer.normal,
            &mut trainer.scales,
        );
    }

    /// The rows of each event, added.
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
                    .add_embeddings(table, batch.board.of(event), sum);
                if share != 1.0 {
                    sum.iter_mut().for_each(|value| *value *= share);
                }
                self.kernels
                    .add_embeddings(table, batch.others.of(event), sum);
            });
    }

    /// Attention within each game.
    fn attend(&self, block: &Block, state: &mut BlockState, batch: &Batch) {
        let sizes = self.sizes();
        let width = sizes.width;
        state.attended.resize(batch.events() * width, 0.0);
        state.shares.resize_with(batch.games(), Vec::new);
        let targets = by_game(&mut state.attended, batch, width);
        let mixed = &state.mixed;
        targets
            .into_par_iter()
            .zip(&mut state.shares)
            .enumerate()
            .for_each(|(game, (target, shares))| {
                let events = batch.game(game);
                shares.resize(sizes.shares(events.len()), 0.0);
                Forward {
                    kernels: self.kernels,
                    sizes,
                    mixed: &mixed[events.start * 4 * width..events.end * 4 * width],
                    distances: block.distances.values(),
                    shares,
                    target,
                }
                .run();
            });
    }

    fn backward(&mut self, trainer: &mut Trainer, batch: &Batch) {
        let width = self.shape().width;
        let (sizes, kernels) = (self.sizes(), self.kernels);
        let Trainer {
            blocks,
            states,
            normal,
            scales,
            slopes,
            next,
            of_mixed,
            uses,
        } = trainer;
        // From here on the states are slopes.
        states.fill(0.0);
        layer_norm_back(normal, width, scales, slopes, states);
        for (block, state) in self.blocks.iter_mut().zip(blocks).rev() {
            block.out.settle(kernels, &state.gated, states);
            block.out.backward(kernels, states, slopes);
            of_mixed.resize(batch.events() * 4 * width, 0.0);
            ungate(
                &state.mixed,
                &state.attended_normal,
                width,
                slopes,
                of_mixed,
            );
            next.clear();
            next.resize(slopes.len(), 0.0);
            layer_norm_back(
                &state.attended_normal,
                width,
                &state.attended_scales,
                slopes,
                next,
            );
            attend_back(kernels, block, sizes, state, batch, next, of_mixed);
            silu_back(&state.raw, of_mixed);
            block.mix.settle(kernels, &state.normal, of_mixed);
            block.mix.backward(kernels, of_mixed, slopes);
            layer_norm_back(&state.normal, width, &state.scales, slopes, states);
        }
        let share = self.encoder.board_share();
        let rows = self.events.values().len() / width;
        let listed = (0..batch.events()).flat_map(|event| {
            let board = batch
                .board
                .of(event)
                .iter()
                .map(move |&row| (event, row, share));
            let others = batch
                .others
                .of(event)
                .iter()
                .map(move |&row| (event, row, 1.0));
            board.chain(others)
        });
        uses.set(rows, listed);
        uses.gather(width, self.events.gradient_mut(), |event| {
            &states[event * width..(event + 1) * width]
        });
    }
}

/// Back through the attention of all games: slopes of values, queries, keys and
/// distances.
fn attend_back(
    kernels: &'static Kernels,
    block: &mut Block,
    sizes: Sizes,
    state: &BlockState,
    batch: &Batch,
    slopes: &[f32],
    of_mixed: &mut [f32],
) {
    let width = sizes.width;
    let targets = by_game(of_mixed, batch, 4 * width);
    let of_distances: Vec<Vec<f32>> = targets
        .into_par_iter()
        .enumerate()
        .map(|(game, target)| {
            let events = batch.game(game);
            let mut of_distances = vec![0.0; sizes.distances()];
            Backward {
                kernels,
                sizes,
                mixed: &state.mixed[events.start * 4 * width..events.end * 4 * width],
                shares: &state.shares[game],
                slopes: &slopes[events.start * width..events.end * width],
                target,
                of_distances: &mut of_distances,
            }
            .run();
            of_distances
        })
        .collect();
    let games = of_distances.iter().map(Vec::as_slice);
    sum_groups(block.distances.gradient_mut(), games);
}

/// The numbers of each game, so many for an event.
fn by_game<'a>(mut values: &'a mut [f32], batch: &Batch, size: usize) -> Vec<&'a mut [f32]> {
    let games = (0..batch.games()).map(|game| {
        let (own, rest) = std::mem::take(&mut values).split_at_mut(batch.game(game).len() * size);
        values = rest;
        own
    });
    games.collect()
}

/// Numbers that are one piece of work for what is done to each alone.
const PIECE: usize = 1 << 14;

fn silu(source: &[f32], target: &mut Vec<f32>) {
    target.resize(source.len(), 0.0);
    let pieces = source.par_chunks(PIECE).zip(target.par_chunks_mut(PIECE));
    pieces.for_each(|(source, target)| lanes::run(Silu { source, target }));
}

struct Silu<'a> {
    source: &'a [f32],
    target: &'a mut [f32],
}

impl Job for Silu<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        for (target, &value) in self.target.iter_mut().zip(self.source) {
            *target = value * sigmoid(value);
        }
    }
}

/// Slopes behind the activation become those before it.
fn silu_back(source: &[f32], slopes: &mut [f32]) {
    let pieces = source.par_chunks(PIECE).zip(slopes.par_chunks_mut(PIECE));
    pieces.for_each(|(source, slopes)| lanes::run(SiluBack { source, slopes }));
}

struct SiluBack<'a> {
    source: &'a [f32],
    slopes: &'a mut [f32],
}

impl Job for SiluBack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        for (slope, &value) in self.slopes.iter_mut().zip(self.source) {
            let open = sigmoid(value);
            *slope *= open * (1.0 + value * (1.0 - open));
        }
    }
}

/// Each event's gate times what it attended to.
fn gate(mixed: &[f32], normal: &[f32], width: usize, target: &mut Vec<f32>) {
    target.resize(normal.len(), 0.0);
    let rows = mixed
        .par_chunks_exact(4 * width)
        .zip(normal.par_chunks_exact(width));
    let rows = rows.zip(target.par_chunks_exact_mut(width));
    rows.for_each(|((mixed, normal), target)| {
        let pairs = mixed[..width].iter().zip(normal);
        for (target, (gate, normal)) in target.iter_mut().zip(pairs) {
            *target = gate * normal;
        }
    });
}

/// Slopes of gates, and slopes behind the gates become those of what was attended to.
fn ungate(mixed: &[f32], normal: &[f32], width: usize, slopes: &mut [f32], of_mixed: &mut [f32]) {
    let rows = mixed
        .par_chunks_exact(4 * width)
        .zip(normal.par_chunks_exact(width));
    let rows = rows.zip(slopes.par_chunks_exact_mut(width));
    let rows = rows.zip(of_mixed.par_chunks_exact_mut(4 * width));
    rows.for_each(|(((mixed, normal), slopes), of_mixed)| {
        for column in 0..width {
            of_mixed[column] = slopes[column] * normal[column];
            slopes[column] *= mixed[column];
        }
    });
}
