//! The forward and backward pass of one block of a model: rows are mixed, attend to others of their
//! group, and are gated.
//!
//! A group is a game, whose events attend to the past, or a board, whose squares attend to each
//! other.

use super::attention::{Backward, Forward, Sizes};
use crate::float::{Decay, Dense, Parameter, layer_norm, layer_norm_back, sum_groups};
use crate::functions::sigmoid;
use crate::lanes::{self, Job, Lanes};
use nets::kernels::{Kernels, Precision};
use nets::sequence::EPSILON;
use rayon::prelude::*;
use std::ops::Range;

/// The parameters of a block.
pub(super) struct Block {
    sizes: Sizes,
    mix: Dense,
    /// The bias of each head for a distance, or for a pair of squares.
    bias: Parameter,
    out: Dense,
}

/// The values of a batch that the forward pass keeps for the backward pass.
#[derive(Debug, Default)]
pub(super) struct BlockState {
    normal: Vec<f32>,
    scales: Vec<f32>,
    /// Before and after the activation.
    raw: Vec<f32>,
    mixed: Vec<f32>,
    /// The attention weights of each group.
    shares: Vec<Vec<f32>>,
    attended: Vec<f32>,
    attended_normal: Vec<f32>,
    attended_scales: Vec<f32>,
    gated: Vec<f32>,
}

/// Working memory that all blocks share.
#[derive(Debug, Default)]
pub(super) struct Room {
    next: Vec<f32>,
    slopes: Vec<f32>,
    of_mixed: Vec<f32>,
}

impl Block {
    /// Takes its tensors in the order of the shape.
    pub(super) fn new<'a>(
        next: &mut impl FnMut() -> &'a [f32],
        sizes: Sizes,
        precision: Precision,
        keeps_average: bool,
    ) -> Block {
        let width = sizes.width;
        Block {
            sizes,
            mix: Dense::new(next(), None, width, precision, keeps_average),
            bias: Parameter::new(next(), Decay::No, keeps_average),
            out: {
                let (out, bias) = (next(), next());
                Dense::new(out, Some(bias), width, precision, keeps_average)
            },
        }
    }

    /// Its parameters, in the order of the shape's tensors.
    pub(super) fn parameters(&mut self) -> impl Iterator<Item = &mut Parameter> {
        let bias = std::iter::once(&mut self.bias);
        self.mix
            .parameters()
            .chain(bias)
            .chain(self.out.parameters())
    }

    /// Recomputes what depends on the weights.
    pub(super) fn prepare(&mut self) {
        self.mix.prepare();
        self.out.prepare();
    }

    /// The forward pass; `groups` are the ranges of rows that attend to each other.
    pub(super) fn forward(
        &self,
        kernels: &'static Kernels,
        groups: &[Range<usize>],
        states: &mut Vec<f32>,
        state: &mut BlockState,
        room: &mut Room,
    ) {
        let width = self.sizes.width;
        layer_norm(states, width, EPSILON, &mut state.normal, &mut state.scales);
        self.mix
            .forward(kernels, &state.normal, None, &mut state.raw);
        silu(&state.raw, &mut state.mixed);
        self.attend(kernels, groups, state);
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
        self.out
            .forward(kernels, &state.gated, Some(states), &mut room.next);
        std::mem::swap(states, &mut room.next);
    }

    fn attend(&self, kernels: &'static Kernels, groups: &[Range<usize>], state: &mut BlockState) {
        let (sizes, width) = (self.sizes, self.sizes.width);
        let rows = state.mixed.len() / (4 * width);
        state.attended.resize(rows * width, 0.0);
        state.shares.resize_with(groups.len(), Vec::new);
        let targets = by_group(&mut state.attended, groups, width);
        let mixed = &state.mixed;
        targets
            .into_par_iter()
            .zip(&mut state.shares)
            .zip(groups)
            .for_each(|((target, shares), rows)| {
                shares.resize(sizes.shares(rows.len()), 0.0);
                Forward {
                    kernels,
                    sizes,
                    mixed: &mixed[rows.start * 4 * width..rows.end * 4 * width],
                    bias: self.bias.values(),
                    shares,
                    target,
                }
                .run();
            });
    }

    /// The backward pass: turns the gradient of the block's output into that of its input, and sets
    /// the gradients of its parameters.
    pub(super) fn backward(
        &mut self,
        kernels: &'static Kernels,
        groups: &[Range<usize>],
        states: &mut [f32],
        state: &BlockState,
        room: &mut Room,
    ) {
        let width = self.sizes.width;
        let Room {
            next,
            slopes,
            of_mixed,
        } = room;
        self.out.settle(kernels, &state.gated, states);
        self.out.backward(kernels, states, slopes);
        of_mixed.resize(states.len() * 4, 0.0);
        ungate(
            &state.mixed,
            &state.attended_normal,
            width,
            slopes,
            of_mixed,
        );
        next.clear();
        next.resize(slopes.len(), 0.0);
        let (normal, scales) = (&state.attended_normal, &state.attended_scales);
        layer_norm_back(normal, width, scales, slopes, next);
        self.attend_back(kernels, groups, state, next, of_mixed);
        silu_back(&state.raw, of_mixed);
        self.mix.settle(kernels, &state.normal, of_mixed);
        self.mix.backward(kernels, of_mixed, slopes);
        layer_norm_back(&state.normal, width, &state.scales, slopes, states);
    }

    /// The backward pass through the attention of all groups: gradients of values, queries, keys
    /// and biases.
    fn attend_back(
        &mut self,
        kernels: &'static Kernels,
        groups: &[Range<usize>],
        state: &BlockState,
        slopes: &[f32],
        of_mixed: &mut [f32],
    ) {
        let (sizes, width) = (self.sizes, self.sizes.width);
        let mut targets = by_group(of_mixed, groups, 4 * width);
        let pieces = targets.par_chunks_mut(sizes.together()).enumerate();
        let of_bias: Vec<Vec<f32>> = pieces
            .map(|(piece, targets)| {
                let mut of_bias = vec![0.0; sizes.biases()];
                for (at, target) in targets.iter_mut().enumerate() {
                    let group = piece * sizes.together() + at;
                    let rows = &groups[group];
                    Backward {
                        kernels,
                        sizes,
                        mixed: &state.mixed[rows.start * 4 * width..rows.end * 4 * width],
                        shares: &state.shares[group],
                        slopes: &slopes[rows.start * width..rows.end * width],
                        target,
                        of_bias: &mut of_bias,
                    }
                    .run();
                }
                of_bias
            })
            .collect();
        let pieces = of_bias.iter().map(Vec::as_slice);
        sum_groups(self.bias.gradient_mut(), pieces);
    }
}

/// Splits values by groups; `size` is the length of a row.
fn by_group<'a>(
    mut values: &'a mut [f32],
    groups: &[Range<usize>],
    size: usize,
) -> Vec<&'a mut [f32]> {
    let groups = groups.iter().map(|rows| {
        let (own, rest) = std::mem::take(&mut values).split_at_mut(rows.len() * size);
        values = rest;
        own
    });
    groups.collect()
}

/// The length of a piece of work in element-wise operations.
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

/// Turns the gradient after the activation into that before it.
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

/// Multiplies what each event attended to by its gate.
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

/// Computes the gradient of the gates, and turns the gradient after the gates into that before
/// them.
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
