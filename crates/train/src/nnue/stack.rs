//! The layers of a net of Stockfish's shape after its first: from 16 values of each position to
//! one, with the stack for its number of men.
//!
//! Positions are processed in blocks of a fixed size, each with its own gradients, which are summed
//! in order, so that the number of threads does not change the result.

mod file;

use super::batch::Batch;
use super::simple::ApplyAlone;
use crate::BLOCK;
use crate::descent::{Extras, Step, Tensor, limit_of, uniform};
use crate::lanes::{self, Job, Lanes, Strip, WIDTH};
use nets::nnue::{Random, SfnnShape};
use rayon::prelude::*;
use std::io;

const BUCKETS: usize = SfnnShape::BUCKETS;
/// The index of the value that skips the other layers.
const SKIP: usize = SfnnShape::FIRST - 1;
/// Products of two activations are divided by 128 where 127 stands for 1.
pub(crate) const PRODUCT: f32 = SfnnShape::ONE as f32 / 128.0;
/// Rows of the second layer: squared values, then plain ones; one lane of each is unused.
const ROWS: usize = 2 * WIDTH;

/// The layers of all stacks.
#[derive(Debug)]
pub(crate) struct Stacks {
    /// Biases of the first layer: one strip for each stack.
    pub(crate) first_biases: Tensor,
    /// For each stack and row, two strips of outputs.
    pub(crate) second: Tensor,
    pub(crate) second_biases: Tensor,
    /// For each stack, two strips of inputs.
    pub(crate) third: Tensor,
    /// One strip with a lane for each stack.
    pub(crate) third_biases: Tensor,
    /// Values that the forward pass keeps for the backward pass.
    firsts: Vec<Strip>,
    hidden: Vec<[Strip; 2]>,
}

/// Gradients of all stacks, or of one block.
#[derive(Clone)]
struct Gradients {
    first_biases: Vec<Strip>,
    second: Vec<Strip>,
    second_biases: Vec<Strip>,
    third: Vec<Strip>,
    third_biases: Vec<Strip>,
}

impl Gradients {
    fn zeros() -> Gradients {
        let strips = |count| vec![Strip::ZERO; count];
        Gradients {
            first_biases: strips(BUCKETS),
            second: strips(BUCKETS * ROWS * 2),
            second_biases: strips(BUCKETS * 2),
            third: strips(BUCKETS * 2),
            third_biases: strips(1),
        }
    }

    fn fields(&mut self) -> [&mut Vec<Strip>; 5] {
        [
            &mut self.first_biases,
            &mut self.second,
            &mut self.second_biases,
            &mut self.third,
            &mut self.third_biases,
        ]
    }

    fn add(&mut self, mut other: Gradients) {
        for (sums, strips) in self.fields().into_iter().zip(other.fields()) {
            for (sum, strip) in sums.iter_mut().zip(strips) {
                for (sum, number) in sum.0.iter_mut().zip(strip.0) {
                    *sum += number;
                }
            }
        }
    }
}

impl Stacks {
    pub(crate) fn zeros(shape: SfnnShape, extras: Extras) -> io::Result<Stacks> {
        let [_, second, third] = shape.stack();
        let open = f32::INFINITY;
        Ok(Stacks {
            first_biases: Tensor::zeros(BUCKETS, open, extras)?,
            second: Tensor::zeros(BUCKETS * ROWS * 2, limit_of(&second), extras)?,
            second_biases: Tensor::zeros(BUCKETS * 2, open, extras)?,
            third: Tensor::zeros(BUCKETS * 2, limit_of(&third), extras)?,
            third_biases: Tensor::zeros(1, open, extras)?,
            firsts: Vec::new(),
            hidden: Vec::new(),
        })
    }

    /// Sets random weights, the same in all stacks; training makes them differ.
    pub(crate) fn randomise(&mut self, random: &mut Random) {
        let bound = (1.0 / (2 * SKIP) as f32).sqrt();
        for row in (0..ROWS).filter(|row| row % WIDTH != SKIP) {
            for half in 0..2 {
                let strip = Strip(std::array::from_fn(|_| uniform(random) * bound));
                for bucket in 0..BUCKETS {
                    self.second.values[(bucket * ROWS + row) * 2 + half] = strip;
                }
            }
        }
        let bound = (1.0 / SfnnShape::SECOND as f32).sqrt();
        for half in 0..2 {
            let strip = Strip(std::array::from_fn(|_| uniform(random) * bound));
            for bucket in 0..BUCKETS {
                self.third.values[bucket * 2 + half] = strip;
            }
        }
    }

    /// All weights, with names that never change.
    pub(crate) fn tensors(&mut self) -> [(&'static str, &mut Tensor); 5] {
        [
            ("first biases", &mut self.first_biases),
            ("second", &mut self.second),
            ("second biases", &mut self.second_biases),
            ("third", &mut self.third),
            ("third biases", &mut self.third_biases),
        ]
    }

    /// Computes the outputs from the sums of the first layer, without biases. `outputs` already
    /// holds the material values, to which it adds.
    pub(crate) fn forward(
        &mut self,
        batch: &Batch,
        sums: &(dyn Fn(usize) -> Strip + Sync),
        outputs: &mut [f32],
    ) {
        self.firsts.resize(batch.len(), Strip::ZERO);
        self.hidden.resize(batch.len(), [Strip::ZERO; 2]);
        let weights = Weights {
            first_biases: &self.first_biases.values,
            second: &self.second.values,
            second_biases: &self.second_biases.values,
            third: &self.third.values,
            third_biases: &self.third_biases.values[0],
        };
        self.firsts
            .par_chunks_mut(BLOCK)
            .zip(self.hidden.par_chunks_mut(BLOCK))
            .zip(outputs.par_chunks_mut(BLOCK))
            .enumerate()
            .for_each(|(block, ((firsts, hidden), outputs))| {
                for (index, first) in firsts.iter_mut().enumerate() {
                    *first = sums(block * BLOCK + index);
                }
                lanes::run(Forward {
                    weights,
                    men: &batch.men()[block * BLOCK..],
                    firsts,
                    hidden,
                    outputs,
                });
            });
    }

    /// Updates all stacks; returns the gradient of the first layer's values.
    pub(crate) fn backward(&mut self, batch: &Batch, slopes: &[f32], step: &Step) -> Vec<Strip> {
        let turned = self.turned_second();
        let weights = Weights {
            first_biases: &self.first_biases.values,
            second: &turned,
            second_biases: &self.second_biases.values,
            third: &self.third.values,
            third_biases: &self.third_biases.values[0],
        };
        let mut first_slopes = vec![Strip::ZERO; batch.len()];
        let blocks: Vec<Gradients> = first_slopes
            .par_chunks_mut(BLOCK)
            .zip(self.firsts.par_chunks(BLOCK))
            .zip(self.hidden.par_chunks(BLOCK))
            .zip(slopes.par_chunks(BLOCK))
            .enumerate()
            .map(|(block, (((first_slopes, firsts), hidden), slopes))| {
                let mut gradients = Gradients::zeros();
                lanes::run(Backward {
                    weights,
                    men: &batch.men()[block * BLOCK..],
                    firsts,
                    hidden,
                    slopes,
                    first_slopes,
                    gradients: &mut gradients,
                });
                gradients
            })
            .collect();
        let mut total = Gradients::zeros();
        for block in blocks {
            total.add(block);
        }
        for ((_, tensor), gradients) in self.tensors().into_iter().zip(total.fields()) {
            lanes::run(ApplyAlone {
                step,
                part: tensor.whole(),
                gradients,
            });
        }
        first_slopes
    }

    /// The second layer transposed: for each stack and output, two strips of rows.
    fn turned_second(&self) -> Vec<Strip> {
        let mut turned = vec![Strip::ZERO; BUCKETS * ROWS * 2];
        for bucket in 0..BUCKETS {
            for row in 0..ROWS {
                for output in 0..ROWS {
                    let (half, lane) = (output / WIDTH, output % WIDTH);
                    let weight = self.second.values[(bucket * ROWS + row) * 2 + half].0[lane];
                    turned[(bucket * ROWS + output) * 2 + row / WIDTH].0[row % WIDTH] = weight;
                }
            }
        }
        turned
    }
}

#[derive(Clone, Copy)]
struct Weights<'a> {
    first_biases: &'a [Strip],
    /// By rows in the forward pass, by outputs in the backward pass.
    second: &'a [Strip],
    second_biases: &'a [Strip],
    third: &'a [Strip],
    third_biases: &'a Strip,
}

/// The inputs of the second layer: squares, then the values, without the skip value.
#[inline(always)]
fn inputs<V: Lanes>(first: V) -> [Strip; 2] {
    let mut inputs = [Strip::ZERO; 2];
    let square = first.mul(first).mul(V::splat(PRODUCT));
    square.clipped().store(&mut inputs[0]);
    first.clipped().store(&mut inputs[1]);
    inputs[0].0[SKIP] = 0.0;
    inputs[1].0[SKIP] = 0.0;
    inputs
}

struct Forward<'a> {
    weights: Weights<'a>,
    men: &'a [u8],
    firsts: &'a mut [Strip],
    hidden: &'a mut [[Strip; 2]],
    outputs: &'a mut [f32],
}

impl Job for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let weights = self.weights;
        for index in 0..self.outputs.len() {
            let bucket = SfnnShape::bucket(u32::from(self.men[index]));
            let first = V::load(&self.firsts[index]).add(V::load(&weights.first_biases[bucket]));
            first.store(&mut self.firsts[index]);
            let inputs = inputs(first);
            let mut low = V::load(&weights.second_biases[2 * bucket]);
            let mut high = V::load(&weights.second_biases[2 * bucket + 1]);
            let rows = &weights.second[bucket * ROWS * 2..][..ROWS * 2];
            for (row, &input) in bytemuck::cast_slice::<Strip, f32>(&inputs)
                .iter()
                .enumerate()
            {
                let input = V::splat(input);
                low = input.mul_add(V::load(&rows[2 * row]), low);
                high = input.mul_add(V::load(&rows[2 * row + 1]), high);
            }
            low.store(&mut self.hidden[index][0]);
            high.store(&mut self.hidden[index][1]);
            let sum = low
                .clipped()
                .mul(V::load(&weights.third[2 * bucket]))
                .add(high.clipped().mul(V::load(&weights.third[2 * bucket + 1])));
            self.outputs[index] +=
                sum.sum() + weights.third_biases.0[bucket] + self.firsts[index].0[SKIP];
        }
    }
}

struct Backward<'a> {
    weights: Weights<'a>,
    men: &'a [u8],
    firsts: &'a [Strip],
    hidden: &'a [[Strip; 2]],
    slopes: &'a [f32],
    first_slopes: &'a mut [Strip],
    gradients: &'a mut Gradients,
}

impl Job for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(mut self) {
        for (index, &slope) in self.slopes.iter().enumerate() {
            let bucket = SfnnShape::bucket(u32::from(self.men[index]));
            let first = V::load(&self.firsts[index]);
            let inputs = inputs(first);
            let hidden = self.hidden_slopes::<V>(index, bucket, slope);
            let mut before = [V::splat(0.0); 2];
            let columns = &self.weights.second[bucket * ROWS * 2..][..ROWS * 2];
            for (output, &slope) in bytemuck::cast_slice::<Strip, f32>(&hidden)
                .iter()
                .enumerate()
            {
                let slope = V::splat(slope);
                before[0] = slope.mul_add(V::load(&columns[2 * output]), before[0]);
                before[1] = slope.mul_add(V::load(&columns[2 * output + 1]), before[1]);
            }
            let gradients = &mut self.gradients.second[bucket * ROWS * 2..][..ROWS * 2];
            let hidden = [V::load(&hidden[0]), V::load(&hidden[1])];
            for (row, &input) in bytemuck::cast_slice::<Strip, f32>(&inputs)
                .iter()
                .enumerate()
            {
                let input = V::splat(input);
                for half in 0..2 {
                    add::<V>(&mut gradients[2 * row + half], input.mul(hidden[half]));
                }
            }
            let square = first.mul(first).mul(V::splat(PRODUCT));
            let doubled = first.mul(V::splat(2.0 * PRODUCT));
            let slopes = before[0].mul(doubled).where_open(square);
            let slopes = slopes.add(before[1].where_open(first));
            let result = &mut self.first_slopes[index];
            slopes.store(result);
            result.0[SKIP] = slope;
            add::<V>(&mut self.gradients.first_biases[bucket], V::load(result));
        }
    }
}

impl Backward<'_> {
    /// The gradient of the hidden values; also adds the gradients of the parameters after them.
    #[inline(always)]
    fn hidden_slopes<V: Lanes>(&mut self, index: usize, bucket: usize, slope: f32) -> [Strip; 2] {
        let mut slopes = [Strip::ZERO; 2];
        self.gradients.third_biases[0].0[bucket] += slope;
        for (half, (slopes, hidden)) in slopes.iter_mut().zip(&self.hidden[index]).enumerate() {
            let place = 2 * bucket + half;
            let hidden = V::load(hidden);
            let weight = V::load(&self.weights.third[place]);
            let inner = weight.mul(V::splat(slope)).where_open(hidden);
            inner.store(slopes);
            add::<V>(
                &mut self.gradients.third[place],
                hidden.clipped().mul(V::splat(slope)),
            );
            add::<V>(&mut self.gradients.second_biases[place], inner);
        }
        slopes
    }
}

#[inline(always)]
fn add<V: Lanes>(sum: &mut Strip, lanes: V) {
    V::load(sum).add(lanes).store(sum);
}
