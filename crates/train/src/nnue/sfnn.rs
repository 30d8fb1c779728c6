//! A net of Stockfish's shape in training: the first layer and the one after it, unit by unit;
//! `stack` has the rest.

mod file;

use super::batch::Batch;
use super::groups::{self, Group};
use super::products::{TOGETHER, add_gradients, add_products, replace_by_slopes, turn};
use super::simple::Keeping;
use super::stack::Stacks;
use super::transformer::{Gradients, Scratch, TilePart, Transformer};
use crate::descent::{Extras, Part, Step, Tensor, limit_of, uniform};
use crate::lanes::{self, Job, Lanes, Strip, WIDTH};
use nets::nnue::{Random, SfnnShape, Values};
use rayon::prelude::*;
use std::io;
use std::ops::Range;

const BUCKETS: usize = SfnnShape::BUCKETS;
/// The tiles of a unit: one in each half of the first layer.
const TILES: usize = 2;
/// The strips of a unit in the next layer: 16 products of each side for each stack.
const STRIPS: usize = BUCKETS * 2 * WIDTH;
/// Positions that are processed twice while they are in the cache.
const NEAR: usize = 64;

/// A net of Stockfish's shape in training.
#[derive(Debug)]
pub struct SfnnTrainee {
    shape: SfnnShape,
    /// The last tile holds the material values (PSQT), one lane for each bucket.
    transformer: Transformer,
    /// By unit, stack, side and product: a strip of outputs.
    first: Tensor,
    stacks: Stacks,
    groups: Vec<Group>,
    /// Sums by tile and view, kept from the forward pass for the backward pass.
    sums: Values<Strip>,
    /// Material values by view.
    material: Vec<Strip>,
    material_scratch: Scratch,
    capacity: usize,
    /// The outputs of the positions, sorted by men.
    outputs: Vec<f32>,
}

impl SfnnTrainee {
    /// A net with all weights 0.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(shape: SfnnShape, keeping: Keeping) -> io::Result<SfnnTrainee> {
        let extras = Extras {
            slow: keeping.slow,
            averages: keeping.ema,
        };
        let units = shape.l1() / 2 / WIDTH;
        let layer = shape.transformer();
        let mut transformer = Transformer::zeros(
            &shape.inputs(),
            &layer,
            units * TILES + 1,
            keeping.factored,
            extras,
        )?;
        if keeping.quantisation_aware {
            transformer.grid = layer.weight_scale as f32;
        }
        let [layer, ..] = shape.stack();
        let mut first = Tensor::zeros(units * STRIPS, limit_of(&layer), extras)?;
        if keeping.shared {
            first = first.sharing(BUCKETS, extras)?;
        }
        Ok(SfnnTrainee {
            first,
            stacks: Stacks::zeros(shape, extras)?,
            groups: groups::groups(units, || transformer.scratch()),
            sums: Values::zeros(units * TILES * 2 * keeping.batch)?,
            material: Vec::new(),
            material_scratch: transformer.scratch(),
            capacity: keeping.batch,
            outputs: Vec::new(),
            transformer,
            shape,
        })
    }

    /// Sets random weights; all stacks begin with the same ones.
    pub fn randomise(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        let tiles = self.units() * TILES;
        self.transformer.randomise(tiles, &mut random);
        let bound = (1.0 / self.shape.l1() as f32).sqrt();
        for unit in self.first.values.chunks_mut(STRIPS) {
            for place in 0..2 * WIDTH {
                let strip = Strip(std::array::from_fn(|_| uniform(&mut random) * bound));
                for bucket in 0..BUCKETS {
                    unit[bucket * 2 * WIDTH + place] = strip;
                }
            }
        }
        self.stacks.randomise(&mut random);
        for (_, tensor) in self.tensors() {
            tensor.begin();
        }
    }

    /// All weights, with names that never change.
    pub(crate) fn tensors(&mut self) -> Vec<(&'static str, &mut Tensor)> {
        let mut tensors = Vec::from(self.transformer.tensors());
        tensors.push(("first", &mut self.first));
        tensors.extend(self.stacks.tensors());
        tensors
    }

    /// The shape.
    pub fn shape(&self) -> SfnnShape {
        self.shape
    }

    fn units(&self) -> usize {
        self.shape.l1() / 2 / WIDTH
    }

    /// The outputs of all positions in the order given, in units of the output.
    pub fn forward(&mut self, batch: &Batch, outputs: &mut Vec<f32>) {
        let count = batch.len();
        assert!(count <= self.capacity);
        let (transformer, first) = (&self.transformer, &self.first);
        let slices = self.sums.chunks_mut(TILES * 2 * self.capacity).collect();
        let dealt = groups::deal(slices, &self.groups, 1);
        self.material.resize(2 * count, Strip::ZERO);
        let tile = self.shape.l1() / WIDTH;
        rayon::join(
            || {
                lanes::run(Material {
                    transformer,
                    tile,
                    batch,
                    scratch: &mut self.material_scratch,
                    sums: &mut self.material,
                });
            },
            || {
                self.groups
                    .par_iter_mut()
                    .zip(dealt)
                    .for_each(|(group, sums)| {
                        lanes::run(Forward {
                            transformer,
                            first,
                            batch,
                            group,
                            sums,
                        });
                    });
            },
        );
        let (pairs, _) = self.material.as_chunks::<2>();
        let values = pairs.iter().zip(batch.men()).map(|(pair, &men)| {
            let bucket = SfnnShape::bucket(u32::from(men));
            0.5 * (pair[0].0[bucket] - pair[1].0[bucket])
        });
        self.outputs.clear();
        self.outputs.extend(values);
        let groups = &self.groups;
        let sum = |position: usize| {
            let mut sum = Strip::ZERO;
            for group in groups {
                for (sum, number) in sum.0.iter_mut().zip(group.sums[position].0) {
                    *sum += number;
                }
            }
            sum
        };
        self.stacks.forward(batch, &sum, &mut self.outputs);
        batch.as_given(&self.outputs, outputs);
    }

    /// Updates all weights, given the gradient of the outputs.
    pub(crate) fn backward(&mut self, batch: &Batch, slopes: &[f32], step: &Step) {
        let slopes = &batch.by_men(slopes)[..];
        let first_slopes = self.stacks.backward(batch, slopes, step);
        let factors = self.transformer.factors().to_vec();
        let mut parts = self.transformer.parts();
        let material = parts.pop();
        let tiles = groups::deal(parts, &self.groups, TILES);
        let firsts = groups::deal(self.first.parts(STRIPS), &self.groups, 1);
        let slices = self.sums.chunks_mut(TILES * 2 * self.capacity).collect();
        let sums = groups::deal(slices, &self.groups, 1);
        rayon::join(
            || {
                if let Some(tile) = material {
                    lanes::run(MaterialBackward {
                        tile,
                        factors: &factors,
                        batch,
                        slopes,
                        step,
                        scratch: &mut self.material_scratch,
                    });
                }
            },
            || {
                self.groups
                    .par_iter_mut()
                    .zip(tiles)
                    .zip(firsts)
                    .zip(sums)
                    .for_each(|(((group, tiles), firsts), sums)| {
                        lanes::run(Backward {
                            factors: &factors,
                            batch,
                            slopes: &first_slopes,
                            step,
                            scratch: &mut group.scratch,
                            tiles,
                            firsts,
                            sums,
                        });
                    });
            },
        );
    }
}

struct Material<'a> {
    transformer: &'a Transformer,
    tile: usize,
    batch: &'a Batch,
    scratch: &'a mut Scratch,
    sums: &'a mut [Strip],
}

impl Job for Material<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        self.transformer
            .forward::<V>(self.tile, self.batch, self.scratch, self.sums);
    }
}

struct MaterialBackward<'a> {
    tile: TilePart<'a>,
    factors: &'a [u16],
    batch: &'a Batch,
    slopes: &'a [f32],
    step: &'a Step,
    scratch: &'a mut Scratch,
}

impl Job for MaterialBackward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let mut slopes = MaterialSlopes {
            men: self.batch.men(),
            slopes: self.slopes,
            halves: std::array::from_fn(|bucket| {
                Strip(std::array::from_fn(
                    |lane| {
                        if lane == bucket { 0.5 } else { 0.0 }
                    },
                ))
            }),
        };
        let (step, factors) = (self.step, self.factors);
        self.tile
            .step::<V>(step, factors, self.batch, self.scratch, &mut slopes);
    }
}

/// The gradients of material values: half of the output's for the side to move, minus that for the
/// other side.
struct MaterialSlopes<'a> {
    men: &'a [u8],
    slopes: &'a [f32],
    /// One half in the lane of each bucket.
    halves: [Strip; BUCKETS],
}

impl Gradients for MaterialSlopes<'_> {
    #[inline(always)]
    fn of<V: Lanes>(&mut self, place: usize) -> V {
        let (position, is_other) = (place / 2, place % 2 == 1);
        let bucket = SfnnShape::bucket(u32::from(self.men[position]));
        let slope = self.slopes[position];
        let slope = if is_other { -slope } else { slope };
        V::load(&self.halves[bucket]).mul(V::splat(slope))
    }

    #[inline(always)]
    fn fetch<V: Lanes>(&self, _: usize) {}
}

struct Forward<'a> {
    transformer: &'a Transformer,
    first: &'a Tensor,
    batch: &'a Batch,
    group: &'a mut Group,
    sums: Vec<&'a mut [Strip]>,
}

impl Job for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        self.group.sums.resize(self.batch.len(), Strip::ZERO);
        for (unit, sums) in self.group.units.clone().zip(self.sums) {
            self.group
                .forward::<V>(self.transformer, self.batch, unit, TILES, sums);
            let (lower, upper) = sums.split_at(sums.len() / TILES);
            let weights = &self.first.values[unit * STRIPS..][..STRIPS];
            if unit == self.group.units.start {
                self.group.sums.fill(Strip::ZERO);
            }
            for (bucket, positions) in runs(self.batch.men()) {
                let weights = &weights[bucket * 2 * WIDTH..][..2 * WIDTH];
                let views = 2 * positions.start..2 * positions.end;
                let mut totals = self.group.sums[positions].chunks_mut(TOGETHER);
                let lower = lower[views.clone()].chunks(2 * TOGETHER);
                let upper = upper[views].chunks(2 * TOGETHER);
                for ((totals, lower), upper) in (&mut totals).zip(lower).zip(upper) {
                    if totals.len() == TOGETHER {
                        add_products::<V, TOGETHER>(weights, lower, upper, totals);
                        continue;
                    }
                    let (lower, upper) = (lower.chunks(2), upper.chunks(2));
                    for ((total, lower), upper) in totals.chunks_mut(1).zip(lower).zip(upper) {
                        add_products::<V, 1>(weights, lower, upper, total);
                    }
                }
            }
        }
    }
}

/// The range of positions of each stack that has any; they are adjacent.
fn runs(men: &[u8]) -> impl Iterator<Item = (usize, Range<usize>)> {
    let bucket = |men: u8| SfnnShape::bucket(u32::from(men));
    let mut first = 0;
    men.chunk_by(move |&a, &b| bucket(a) == bucket(b))
        .map(move |run| {
            let positions = first..first + run.len();
            first = positions.end;
            (bucket(run[0]), positions)
        })
}

struct Backward<'a> {
    factors: &'a [u16],
    batch: &'a Batch,
    /// The gradient of the 16 values that follow the products, for each position.
    slopes: &'a [Strip],
    step: &'a Step,
    scratch: &'a mut Scratch,
    tiles: Vec<TilePart<'a>>,
    firsts: Vec<Part<'a>>,
    sums: Vec<&'a mut [Strip]>,
}

impl Job for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let mut tiles = self.tiles.into_iter();
        let mut gradients = vec![Strip::ZERO; STRIPS];
        for (first, sums) in self.firsts.into_iter().zip(self.sums) {
            let (lower, upper) = sums.split_at_mut(sums.len() / TILES);
            let turned = turn(first.values);
            for (bucket, positions) in runs(self.batch.men()) {
                let stack = bucket * 2 * WIDTH..(bucket + 1) * 2 * WIDTH;
                let views = 2 * positions.start..2 * positions.end;
                let slopes = self.slopes[positions].chunks(NEAR);
                let lower = lower[views.clone()].chunks_mut(2 * NEAR);
                let upper = upper[views].chunks_mut(2 * NEAR);
                for ((slopes, lower), upper) in slopes.zip(lower).zip(upper) {
                    add_gradients::<V>(slopes, lower, upper, &mut gradients[stack.clone()]);
                    replace_by_slopes::<V>(slopes, lower, upper, &turned[stack.clone()]);
                }
            }
            for (slopes, tile) in [&*lower, &*upper].into_iter().zip(&mut tiles) {
                let mut slopes = Known(slopes);
                tile.step::<V>(
                    self.step,
                    self.factors,
                    self.batch,
                    self.scratch,
                    &mut slopes,
                );
            }
            self.step.apply::<V>(first, &mut gradients);
        }
    }
}

/// Gradients that are already computed, by view.
struct Known<'a>(&'a [Strip]);

impl Gradients for Known<'_> {
    #[inline(always)]
    fn of<V: Lanes>(&mut self, place: usize) -> V {
        V::load(&self.0[place])
    }

    #[inline(always)]
    fn fetch<V: Lanes>(&self, place: usize) {
        V::fetch(&self.0[place]);
    }
}
