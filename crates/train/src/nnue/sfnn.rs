//! A net of Stockfish's shape while it is trained: the first layer and the one
//! behind it, unit by unit; `stack` has the rest.

mod file;

use super::batch::{Active, Batch};
use super::groups::{self, Group};
use super::lanes::{self, Job, Lanes, Strip, WIDTH};
use super::optimiser::Step;
use super::simple::Keeping;
use super::sparse::Pair;
use super::stack::{PRODUCT, Stacks};
use super::tensor::{Extras, Part, Tensor, limit_of};
use super::transformer::{Scratch, TilePart, Transformer, uniform};
use nets::nnue::{Random, SfnnShape, Values};
use rayon::prelude::*;
use std::io;

const BUCKETS: usize = SfnnShape::BUCKETS;
/// Tiles of a unit: one in each half of the first layer.
const TILES: usize = 2;
/// Strips of a unit in the layer behind: 16 products of each side for each stack.
const STRIPS: usize = BUCKETS * 2 * WIDTH;

/// A net of Stockfish's shape that learns.
#[derive(Debug)]
pub struct SfnnTrainee {
    shape: SfnnShape,
    /// The last tile has the material values, one lane for each bucket.
    transformer: Transformer,
    /// By unit, stack, side and product: a strip of outputs.
    first: Tensor,
    stacks: Stacks,
    groups: Vec<Group>,
    sums: Values<Pair>,
    material: Vec<Pair>,
    material_scratch: Scratch,
    capacity: usize,
}

impl SfnnTrainee {
    /// A net with all weights 0.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(shape: SfnnShape, keeping: Keeping) -> io::Result<SfnnTrainee> {
        let extras = Extras {
            slow: keeping.slow,
            averages: keeping.average,
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
        if keeping.rounded {
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
            sums: Values::zeros(units * TILES * keeping.batch)?,
            material: Vec::new(),
            material_scratch: transformer.scratch(),
            capacity: keeping.batch,
            transformer,
            shape,
        })
    }

    /// Random weights; the stacks begin alike.
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

    /// The outputs of all positions, in units of the output.
    pub fn forward(&mut self, batch: &Batch, outputs: &mut Vec<f32>) {
        let count = batch.len();
        assert!(count <= self.capacity);
        let (transformer, first) = (&self.transformer, &self.first);
        let slices = self.sums.chunks_mut(TILES * self.capacity).collect();
        let dealt = groups::deal(slices, &self.groups, 1);
        self.material.resize(count, [Strip::ZERO; 2]);
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
        outputs.clear();
        outputs.extend(self.material.iter().zip(batch.men()).map(|(pair, &men)| {
            let bucket = SfnnShape::bucket(u32::from(men));
            0.5 * (pair[0].0[bucket] - pair[1].0[bucket])
        }));
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
        self.stacks.forward(batch, &sum, outputs);
    }

    /// Changes all weights by the slopes of the outputs.
    pub(crate) fn backward(&mut self, batch: &Batch, slopes: &[f32], step: &Step) {
        let first_slopes = self.stacks.backward(batch, slopes, step);
        let factors = self.transformer.factors().to_vec();
        let mut parts = self.transformer.parts();
        let material = parts.pop();
        let tiles = groups::deal(parts, &self.groups, TILES);
        let firsts = groups::deal(self.first.parts(STRIPS), &self.groups, 1);
        let slices = self.sums.chunks_mut(TILES * self.capacity).collect();
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
    sums: &'a mut [Pair],
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
        for (position, &slope) in self.slopes.iter().enumerate() {
            let active = self.batch.active(position);
            let bucket = SfnnShape::bucket(u32::from(self.batch.men()[position]));
            let mut gradient = Strip::ZERO;
            gradient.0[bucket] = 0.5 * slope;
            let gradient = V::load(&gradient);
            self.scratch.backward(gradient, active.own);
            let turned = V::splat(0.0).sub(gradient);
            self.scratch.backward(turned, active.other);
        }
        // Material values have no bias.
        self.scratch.set_bias_gradient(V::splat(0.0));
        self.tile.step::<V>(self.step, self.factors, self.scratch);
    }
}

struct Forward<'a> {
    transformer: &'a Transformer,
    first: &'a Tensor,
    batch: &'a Batch,
    group: &'a mut Group,
    sums: Vec<&'a mut [Pair]>,
}

impl Job for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let count = self.batch.len();
        self.group.clear_sums(count);
        for (unit, sums) in self.group.units.clone().zip(self.sums) {
            self.group
                .forward::<V>(self.transformer, self.batch, unit, TILES, sums);
            let (lower, upper) = sums.split_at(sums.len() / TILES);
            let weights = &self.first.values[unit * STRIPS..][..STRIPS];
            for position in 0..count {
                let bucket = SfnnShape::bucket(u32::from(self.batch.men()[position]));
                let weights = &weights[bucket * 2 * WIDTH..][..2 * WIDTH];
                let total = &mut self.group.sums[position];
                let (mut even, mut odd) = (V::load(total), V::splat(0.0));
                for side in 0..2 {
                    let products = products::<V>(&lower[position][side], &upper[position][side]);
                    let rows = &weights[side * WIDTH..][..WIDTH];
                    for lane in (0..WIDTH).step_by(2) {
                        even = V::splat(products.0[lane]).mul_add(V::load(&rows[lane]), even);
                        odd = V::splat(products.0[lane + 1]).mul_add(V::load(&rows[lane + 1]), odd);
                    }
                }
                even.add(odd).store(total);
            }
        }
    }
}

/// What the layer behind sees of two sums.
#[inline(always)]
fn products<V: Lanes>(lower: &Strip, upper: &Strip) -> Strip {
    let mut products = Strip::ZERO;
    let (lower, upper) = (V::load(lower).clipped(), V::load(upper).clipped());
    lower.mul(upper).mul(V::splat(PRODUCT)).store(&mut products);
    products
}

struct Backward<'a> {
    factors: &'a [u16],
    batch: &'a Batch,
    /// Of the 16 values behind the products, for each position.
    slopes: &'a [Strip],
    step: &'a Step,
    scratch: &'a mut Scratch,
    tiles: Vec<TilePart<'a>>,
    firsts: Vec<Part<'a>>,
    sums: Vec<&'a mut [Pair]>,
}

impl Job for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(mut self) {
        let mut tiles = std::mem::take(&mut self.tiles).into_iter();
        let firsts = std::mem::take(&mut self.firsts);
        let mut gradients = vec![Strip::ZERO; STRIPS];
        for (first, sums) in firsts.into_iter().zip(std::mem::take(&mut self.sums)) {
            let (lower, upper) = sums.split_at_mut(sums.len() / TILES);
            let turned = turn(first.values);
            self.replace_by_slopes::<V>(&turned, lower, upper, &mut gradients);
            for slopes in [&*lower, &*upper] {
                let mut bias = V::splat(0.0);
                for (position, pair) in slopes.iter().enumerate().take(self.slopes.len()) {
                    let Active { own, other } = self.batch.active(position);
                    for (slope, inputs) in pair.iter().zip([own, other]) {
                        let slope = V::load(slope);
                        bias = bias.add(slope);
                        self.scratch.backward(slope, inputs);
                    }
                }
                self.scratch.set_bias_gradient(bias);
                if let Some(tile) = tiles.next() {
                    tile.step::<V>(self.step, self.factors, self.scratch);
                }
            }
            self.step.apply::<V>(first, &mut gradients);
        }
    }
}

impl Backward<'_> {
    /// Puts the slopes of the sums in their place, and gathers the gradients of
    /// the weights behind the products.
    #[inline(always)]
    fn replace_by_slopes<V: Lanes>(
        &self,
        turned: &[Strip],
        lower: &mut [Pair],
        upper: &mut [Pair],
        gradients: &mut [Strip],
    ) {
        for (position, behind) in self.slopes.iter().enumerate() {
            let bucket = SfnnShape::bucket(u32::from(self.batch.men()[position]));
            let behind_lanes = V::load(behind);
            for side in 0..2 {
                let first = (bucket * 2 + side) * WIDTH;
                let products = products::<V>(&lower[position][side], &upper[position][side]);
                let gradients = &mut gradients[first..][..WIDTH];
                for (gradient, &product) in gradients.iter_mut().zip(&products.0) {
                    let sum = V::load(gradient);
                    V::splat(product).mul_add(behind_lanes, sum).store(gradient);
                }
                let columns = &turned[first..][..WIDTH];
                let (mut even, mut odd) = (V::splat(0.0), V::splat(0.0));
                for output in (0..WIDTH).step_by(2) {
                    even = V::splat(behind.0[output]).mul_add(V::load(&columns[output]), even);
                    odd =
                        V::splat(behind.0[output + 1]).mul_add(V::load(&columns[output + 1]), odd);
                }
                let slope = even.add(odd).mul(V::splat(PRODUCT));
                let (low, high) = (
                    V::load(&lower[position][side]),
                    V::load(&upper[position][side]),
                );
                let low_slope = slope.mul(high.clipped()).where_open(low);
                let high_slope = slope.mul(low.clipped()).where_open(high);
                low_slope.store(&mut lower[position][side]);
                high_slope.store(&mut upper[position][side]);
            }
        }
    }
}

/// Each block of 16 strips with its rows and columns exchanged.
fn turn(strips: &[Strip]) -> Vec<Strip> {
    let mut turned = vec![Strip::ZERO; strips.len()];
    for (block, target) in strips.chunks(WIDTH).zip(turned.chunks_mut(WIDTH)) {
        for (row, strip) in block.iter().enumerate() {
            for (column, &number) in strip.0.iter().enumerate() {
                target[column].0[row] = number;
            }
        }
    }
    turned
}
