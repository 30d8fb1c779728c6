//! A simple net while it is trained.
//!
//! Weights of the output lie in strips by unit, bucket and side, so that a unit
//! is whole: its tiles, its outputs, nothing else.

mod file;

use super::batch::Batch;
use super::groups::{self, Group};
use super::lanes::{self, Job, Lanes, Strip, WIDTH};
use super::optimiser::Step;
use super::sparse::Pair;
use super::tensor::{Extras, Part, Tensor, limit_of};
use super::transformer::{TilePart, Transformer, uniform};
use nets::nnue::{Activation, Random, SimpleShape, Values};
use rayon::prelude::*;
use std::io;

/// A simple net that learns.
#[derive(Debug)]
pub struct SimpleTrainee {
    shape: SimpleShape,
    transformer: Transformer,
    output: Tensor,
    output_biases: Tensor,
    groups: Vec<Group>,
    /// Sums by tile and position, from the way forward to the way back.
    sums: Values<Pair>,
    capacity: usize,
}

/// How a net is trained, beyond its shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keeping {
    /// Whether king buckets share a part of their weights while they learn.
    pub factored: bool,
    /// Whether buckets of the number of men share a part of their weights.
    pub shared: bool,
    /// Whether slow weights are kept for the optimiser.
    pub slow: bool,
    /// Whether an average of the weights is kept.
    pub average: bool,
    /// Whether weights are rounded as the file will have them, on the way forward.
    pub rounded: bool,
    /// The most positions of a step.
    pub batch: usize,
}

impl SimpleTrainee {
    /// A net with all weights 0.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(shape: SimpleShape, keeping: Keeping) -> io::Result<SimpleTrainee> {
        let extras = Extras {
            slow: keeping.slow,
            averages: keeping.average,
        };
        let tiles = shape.hidden / WIDTH;
        let layer = shape.transformer();
        let mut transformer =
            Transformer::zeros(&shape.inputs, &layer, tiles, keeping.factored, extras)?;
        if keeping.rounded {
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
            sums: Values::zeros(tiles * keeping.batch)?,
            capacity: keeping.batch,
            transformer,
            shape,
        })
    }

    /// Random weights.
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

    /// The outputs of all positions, in units of the output.
    pub fn forward(&mut self, batch: &Batch, outputs: &mut Vec<f32>) {
        let count = batch.len();
        assert!(count <= self.capacity);
        let tiles = tiles_of(self.shape.activation);
        let (shape, transformer, output) = (&self.shape, &self.transformer, &self.output);
        let slices = self.sums.chunks_mut(tiles * self.capacity).collect();
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
        outputs.clear();
        outputs.resize(count, 0.0);
        lanes::run(Total {
            groups: &self.groups,
            biases: &self.output_biases.values[0],
            shape,
            batch,
            outputs,
        });
    }

    /// Changes all weights by the slopes of the outputs.
    pub(crate) fn backward(&mut self, batch: &Batch, slopes: &[f32], step: &Step) {
        let tiles = tiles_of(self.shape.activation);
        let per_unit = self.shape.output_buckets * 2;
        let shape = &self.shape;
        let units = self.units();
        let factors = self.transformer.factors().to_vec();
        let tile_parts = groups::deal(self.transformer.parts(), &self.groups, tiles);
        let output_parts = groups::deal(self.output.parts(per_unit), &self.groups, 1);
        debug_assert_eq!(output_parts.iter().map(Vec::len).sum::<usize>(), units);
        let slices = self.sums.chunks(tiles * self.capacity).collect();
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
        let mut gradient = [Strip::ZERO];
        for (&slope, &men) in slopes.iter().zip(batch.men()) {
            gradient[0].0[shape.bucket(u32::from(men))] += slope;
        }
        lanes::run(ApplyAlone {
            step,
            part: self.output_biases.whole(),
            gradients: &mut gradient,
        });
    }
}

/// How many tiles make a unit: pairs need both halves of the layer.
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
    sums: Vec<&'a mut [Pair]>,
}

impl Job for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let count = self.batch.len();
        let tiles = tiles_of(self.shape.activation);
        let per_unit = self.shape.output_buckets * 2;
        self.group.clear_sums(count);
        for (unit, sums) in self.group.units.clone().zip(self.sums) {
            self.group
                .forward::<V>(self.transformer, self.batch, unit, tiles, sums);
            let weights = &self.output.values[unit * per_unit..][..per_unit];
            let (first, second) = sums.split_at(sums.len() / tiles);
            for position in 0..count {
                let bucket = self.shape.bucket(u32::from(self.batch.men()[position]));
                let total = &mut self.group.sums[position];
                let mut sum = V::load(total);
                for side in 0..2 {
                    let value = V::load(&first[position][side]).clipped();
                    let active = match self.shape.activation {
                        Activation::Crelu => value,
                        Activation::Screlu => value.mul(value),
                        Activation::Pairwise => {
                            value.mul(V::load(&second[position][side]).clipped())
                        }
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
    outputs: &'a mut [f32],
}

impl Job for Total<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        for (position, output) in self.outputs.iter_mut().enumerate() {
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
    sums: Vec<&'a [Pair]>,
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
            for index in 0..tiles_of_unit {
                let mut bias = V::splat(0.0);
                for (position, &slope) in self.slopes.iter().enumerate() {
                    let active = self.batch.active(position);
                    let bucket = self.shape.bucket(u32::from(self.batch.men()[position]));
                    for side in 0..2 {
                        let place = 2 * bucket + side;
                        let weighted = V::load(&output.values[place]).mul(V::splat(slope));
                        let sum = V::load(&first[position][side]);
                        let value = sum.clipped();
                        let (gate, inner, active_value) = match self.shape.activation {
                            Activation::Crelu => (sum, weighted, value),
                            Activation::Screlu => {
                                let inner = weighted.mul(value.add(value));
                                (sum, inner, value.mul(value))
                            }
                            Activation::Pairwise => {
                                let other_sum = V::load(&second[position][side]);
                                let other = other_sum.clipped();
                                match index {
                                    0 => (sum, weighted.mul(other), value.mul(other)),
                                    _ => (other_sum, weighted.mul(value), value.mul(other)),
                                }
                            }
                        };
                        if index == 0 {
                            let gradient = &mut gradients[place];
                            active_value
                                .mul_add(V::splat(slope), V::load(gradient))
                                .store(gradient);
                        }
                        let gradient = inner.where_open(gate);
                        bias = bias.add(gradient);
                        let inputs = if side == 0 { active.own } else { active.other };
                        self.group.scratch.backward(gradient, inputs);
                    }
                }
                self.group.scratch.set_bias_gradient(bias);
                if let Some(tile) = tiles.next() {
                    tile.step::<V>(self.step, self.factors, &mut self.group.scratch);
                }
            }
            self.step.apply::<V>(output, &mut gradients);
        }
    }
}

/// A step of a part that belongs to no unit.
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
