//! A simple net in training.
//!
//! Output weights are stored in strips by unit, bucket and side, so that a unit is self-contained:
//! its tiles and its output weights.

mod file;

use super::batch::Batch;
use super::groups::{self, Group};
use super::transformer::{Gradients, TilePart, Transformer};
use crate::BLOCK;
use crate::descent::{Extras, Part, Step, Tensor, limit_of, uniform};
use crate::lanes::{self, Job, Lanes, Strip, WIDTH};
use nets::nnue::{Activation, Random, SimpleShape, Values};
use rayon::prelude::*;
use std::io;

/// A simple net in training.
#[derive(Debug)]
pub struct SimpleTrainee {
    shape: SimpleShape,
    transformer: Transformer,
    output: Tensor,
    output_biases: Tensor,
    groups: Vec<Group>,
    /// Sums by tile and view, kept from the forward pass for the backward pass.
    sums: Values<Strip>,
    capacity: usize,
    /// The outputs of the positions, sorted by men.
    outputs: Vec<f32>,
}

/// How a net is trained, beyond its shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keeping {
    /// Whether king buckets share a part of their weights during training.
    pub factored: bool,
    /// Whether output buckets share a part of their weights during training.
    pub shared: bool,
    /// Whether slow weights are kept for the optimiser.
    pub slow: bool,
    /// Whether a moving average of the weights is kept.
    pub ema: bool,
    /// Whether the forward pass rounds weights as the file will store them.
    pub quantisation_aware: bool,
    /// The largest batch.
    pub batch: usize,
}

impl SimpleTrainee {
    /// A net with all weights 0.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(shape: SimpleShape, keeping: Keeping) -> io::Result<SimpleTrainee> {
        let extras = Extras {
            slow: keeping.slow,
            averages: keeping.ema,
        };
        let tiles = shape.hidden / WIDTH;
        let layer = shape.transformer();
        let mut transformer =
            Transformer::zeros(&shape.inputs, &layer, tiles, keeping.factored, extras)?;
        if keeping.quantisation_aware {
            transformer.grid = layer.weight_scale as f32;
        }
        let layer = shape.output();
        let limit = limit_of(&layer);
        let units = tiles / tiles_of(shape.activation);
        let mut output = Tensor::zeros(units * shape.output_buckets * 2, limit, extras)?;
        if keeping.shared {
            output = output.sharing(shape.output_buckets, extras)?;
        }
        Ok(SimpleTrainee {
            output,
            output_biases: Tensor::zeros(1, f32::INFINITY, extras)?,
            groups: groups::groups(units, || transformer.scratch()),
            sums: Values::zeros(tiles * 2 * keeping.batch)?,
            capacity: keeping.batch,
            outputs: Vec::new(),
            transformer,
            shape,
        })
    }

    /// Sets random weights.
    pub fn randomise(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        self.transformer
            .randomise(self.shape.hidden / WIDTH, &mut random);
        let bound = (1.0 / self.shape.output().inputs as f32).sqrt();
        for strip in self.output.values.iter_mut() {
            for number in &mut strip.0 {
                *number = uniform(&mut random) * bound;
            }
        }
        for (_, tensor) in self.tensors() {
            tensor.begin();
        }
    }

    /// All weights, with names that never change.
    pub(crate) fn tensors(&mut self) -> Vec<(&'static str, &mut Tensor)> {
        let mut tensors = Vec::from(self.transformer.tensors());
        tensors.push(("output", &mut self.output));
        tensors.push(("output biases", &mut self.output_biases));
        tensors
    }

    /// The shape.
    pub fn shape(&self) -> &SimpleShape {
        &self.shape
    }

    fn units(&self) -> usize {
        self.shape.hidden / WIDTH / tiles_of(self.shape.activation)
    }

    /// The outputs of all positions in the order given, in units of the output.
    pub fn forward(&mut self, batch: &Batch, outputs: &mut Vec<f32>) {
        let count = batch.len();
        assert!(count <= self.capacity);
        let tiles = tiles_of(self.shape.activation);
        let (shape, transformer, output) = (&self.shape, &self.transformer, &self.output);
        let slices = self.sums.chunks_mut(tiles * 2 * self.capacity).collect();
        let dealt = groups::deal(slices, &self.groups, 1);
        self.groups
            .par_iter_mut()
            .zip(dealt)
            .for_each(|(group, sums)| {
                lanes::run(Forward {
                    shape,
                    transformer,
                    output,
                    batch,
                    group,
                    sums,
                });
            });
        self.outputs.resize(count, 0.0);
        let (groups, biases) = (&self.groups, &self.output_biases.values[0]);
        self.outputs
            .par_chunks_mut(BLOCK)
            .enumerate()
            .for_each(|(block, outputs)| {
                lanes::run(Total {
                    groups,
                    biases,
                    shape,
                    batch,
                    first: block * BLOCK,
                    outputs,
                });
            });
        batch.as_given(&self.outputs, outputs);
    }

    /// Updates all weights, given the gradient of the outputs.
    pub(crate) fn backward(&mut self, batch: &Batch, slopes: &[f32], step: &Step) {
        let slopes = &batch.by_men(slopes)[..];
        let tiles = tiles_of(self.shape.activation);
        let per_unit = self.shape.output_buckets * 2;
        let shape = &self.shape;
        let units = self.units();
        let factors = self.transformer.factors().to_vec();
        let tile_parts = groups::deal(self.transformer.parts(), &self.groups, tiles);
        let output_parts = groups::deal(self.output.parts(per_unit), &self.groups, 1);
        debug_assert_eq!(output_parts.iter().map(Vec::len).sum::<usize>(), units);
        let slices = self.sums.chunks(tiles * 2 * self.capacity).collect();
        let sums = groups::deal(slices, &self.groups, 1);
        self.groups
            .par_iter_mut()
            .zip(tile_parts)
            .zip(output_parts)
            .zip(sums)
            .for_each(|(((group, tiles), outputs), sums)| {
                lanes::run(Backward {
                    shape,
                    factors: &factors,
                    batch,
                    slopes,
                    step,
                    group,
                    tiles,
                    outputs,
                    sums,
                });
            });
        lanes::run(ApplyAlone {
            step,
            gradients: &mut [bias_gradient(shape, batch, slopes)],
            part: self.output_biases.whole(),
        });
    }
}

/// The gradient of the output's biases.
fn bias_gradient(shape: &SimpleShape, batch: &Batch, slopes: &[f32]) -> Strip {
    let mut gradient = Strip::ZERO;
    let bucket = |men: u8| shape.bucket(u32::from(men));
    let mut rest = slopes;
    for run in batch.men().chunk_by(|&a, &b| bucket(a) == bucket(b)) {
        let (slopes, others) = rest.split_at(run.len());
        gradient.0[bucket(run[0])] = slopes.iter().sum();
        rest = others;
    }
    gradient
}

/// How many tiles form a unit: pairwise products need both halves of the layer.
fn tiles_of(activation: Activation) -> usize {
    match activation {
        Activation::Crelu | Activation::Screlu => 1,
        Activation::Pairwise => 2,
    }
}

struct Forward<'a> {
    shape: &'a SimpleShape,
    transformer: &'a Transformer,
    output: &'a Tensor,
    batch: &'a Batch,
    group: &'a mut Group,
    sums: Vec<&'a mut [Strip]>,
}

impl Job for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let count = self.batch.len();
        let tiles = tiles_of(self.shape.activation);
        let per_unit = self.shape.output_buckets * 2;
        self.group.sums.resize(count, Strip::ZERO);
        for (unit, sums) in self.group.units.clone().zip(self.sums) {
            self.group
                .forward::<V>(self.transformer, self.batch, unit, tiles, sums);
            let weights = &self.output.values[unit * per_unit..][..per_unit];
            let (first, second) = sums.split_at(sums.len() / tiles);
            for position in 0..count {
                let bucket = self.shape.bucket(u32::from(self.batch.men()[position]));
                let total = &mut self.group.sums[position];
                let mut sum = match unit == self.group.units.start {
                    true => V::splat(0.0),
                    false => V::load(total),
                };
                for side in 0..2 {
                    let place = 2 * position + side;
                    let value = V::load(&first[place]).clipped();
                    let active = match self.shape.activation {
                        Activation::Crelu => value,
                        Activation::Screlu => value.mul(value),
                        Activation::Pairwise => value.mul(V::load(&second[place]).clipped()),
                    };
                    sum = active.mul_add(V::load(&weights[2 * bucket + side]), sum);
                }
                sum.store(total);
            }
        }
    }
}

struct Total<'a> {
    groups: &'a [Group],
    biases: &'a Strip,
    shape: &'a SimpleShape,
    batch: &'a Batch,
    /// The index of the position of the first output.
    first: usize,
    outputs: &'a mut [f32],
}

impl Job for Total<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        for (index, output) in self.outputs.iter_mut().enumerate() {
            let position = self.first + index;
            let mut sum = V::splat(0.0);
            for group in self.groups {
                sum = sum.add(V::load(&group.sums[position]));
            }
            let bucket = self.shape.bucket(u32::from(self.batch.men()[position]));
            *output = sum.sum() + self.biases.0[bucket];
        }
    }
}

struct Backward<'a> {
    shape: &'a SimpleShape,
    factors: &'a [u16],
    batch: &'a Batch,
    slopes: &'a [f32],
    step: &'a Step,
    group: &'a mut Group,
    tiles: Vec<TilePart<'a>>,
    outputs: Vec<Part<'a>>,
    sums: Vec<&'a [Strip]>,
}

impl Job for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let tiles_of_unit = tiles_of(self.shape.activation);
        let mut tiles = self.tiles.into_iter();
        let mut gradients = vec![Strip::ZERO; self.shape.output_buckets * 2];
        for (output, sums) in self.outputs.into_iter().zip(self.sums) {
            let (first, second) = sums.split_at(sums.len() / tiles_of_unit);
            for (index, tile) in tiles.by_ref().take(tiles_of_unit).enumerate() {
                let mut slopes = Slopes {
                    shape: self.shape,
                    men: self.batch.men(),
                    slopes: self.slopes,
                    first,
                    second,
                    is_second: index > 0,
                    weights: output.values,
                    gradients: &mut gradients,
                };
                let scratch = &mut self.group.scratch;
                tile.step::<V>(self.step, self.factors, self.batch, scratch, &mut slopes);
            }
            self.step.apply::<V>(output, &mut gradients);
        }
    }
}

/// The gradient of a tile's sums; that of the output weights is accumulated at the same time.
struct Slopes<'a> {
    shape: &'a SimpleShape,
    men: &'a [u8],
    slopes: &'a [f32],
    first: &'a [Strip],
    /// The other tile of a pair.
    second: &'a [Strip],
    /// Whether the gradient is for the second tile.
    is_second: bool,
    weights: &'a [Strip],
    gradients: &'a mut [Strip],
}

impl Gradients for Slopes<'_> {
    #[inline(always)]
    fn of<V: Lanes>(&mut self, place: usize) -> V {
        let (position, side) = (place / 2, place % 2);
        let slope = V::splat(self.slopes[position]);
        let weight = 2 * self.shape.bucket(u32::from(self.men[position])) + side;
        let weighted = V::load(&self.weights[weight]).mul(slope);
        let sum = V::load(&self.first[place]);
        let value = sum.clipped();
        let (gate, inner, active) = match self.shape.activation {
            Activation::Crelu => (sum, weighted, value),
            Activation::Screlu => (sum, weighted.mul(value.add(value)), value.mul(value)),
            Activation::Pairwise => {
                let other_sum = V::load(&self.second[place]);
                let other = other_sum.clipped();
                match self.is_second {
                    false => (sum, weighted.mul(other), value.mul(other)),
                    true => (other_sum, weighted.mul(value), value.mul(other)),
                }
            }
        };
        if !self.is_second {
            let gradient = &mut self.gradients[weight];
            active.mul_add(slope, V::load(gradient)).store(gradient);
        }
        inner.where_open(gate)
    }

    #[inline(always)]
    fn fetch<V: Lanes>(&self, place: usize) {
        V::fetch(&self.first[place]);
    }
}

/// An optimiser step of a part that belongs to no unit.
pub(crate) struct ApplyAlone<'a> {
    pub(crate) step: &'a Step,
    pub(crate) part: Part<'a>,
    pub(crate) gradients: &'a mut [Strip],
}

impl Job for ApplyAlone<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        self.step.apply::<V>(self.part, self.gradients);
    }
}
