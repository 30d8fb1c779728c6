//! A policy net in training.

use super::batch::{Batch, Block, OTHER, OWN, POLICY};
use super::heads::{HeadOptions, Heads, Made, Weights};
use super::layers::{Gather, Lesson, Update};
use crate::BLOCK;
use crate::calibration::Bins;
use crate::descent::tensors::Tensors;
use crate::descent::{Extras, Part, Step, Tensor, limit_of, uniform};
use crate::lanes::{self, Job, Lanes, Strip, WIDTH};
use nets::nnue::{OUTCOMES, Random, Values};
use nets::policy::sparse::{INPUTS, PolicyShape, ROWS};
use rayon::prelude::*;
use std::io;

/// The input lists that each half sums.
const OF_POLICY: &[usize] = &[POLICY];
const OF_VALUE: &[usize] = &[OWN, OTHER];
/// The largest random weight of an input, so that sums over some thirty men cover the range that
/// clipping leaves; biases begin near its middle.
const FIRST_WEIGHT: f32 = 0.1;
const FIRST_BIAS: f32 = 0.3;
/// The largest weight of the value's inputs: 32 men and a bias then fit into 16 bits.
const VALUE_LIMIT: f32 = 3.0;

/// A policy net in training.
#[derive(Debug)]
pub struct PolicyTrainee {
    pub(super) shape: PolicyShape,
    /// The policy's inputs, by tile; the last strip of a tile holds its biases.
    pub(super) inputs: Tensor,
    /// By tile and row.
    pub(super) moves: Tensor,
    pub(super) move_biases: Tensor,
    /// The value's inputs, laid out like the policy's.
    pub(super) value_inputs: Tensor,
    /// By output, side and tile.
    pub(super) outputs: Tensor,
    pub(super) output_biases: Tensor,
    capacity: usize,
    /// By tile and position: sums, then their gradients.
    sums: Values<Strip>,
    products: Values<Strip>,
    value_sums: Values<Strip>,
    made: Vec<Made>,
}

/// The means of a batch over its positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Measure {
    /// The cross-entropy of the policy.
    pub policy: f64,
    /// The cross-entropy of the value.
    pub value: f64,
    /// The share of positions whose move has the highest logit.
    pub top_1: f64,
    /// The number of positions with a policy target.
    pub learned: usize,
    /// The number of all positions.
    pub positions: usize,
    /// The sums of the weights of policies and of values; equal to these numbers unless positions
    /// have weights.
    pub weights: [f64; 2],
}

impl PolicyTrainee {
    /// A net with random weights, for batches up to this size.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(
        shape: PolicyShape,
        batch: usize,
        [slow, averages]: [bool; 2],
        seed: u64,
    ) -> io::Result<PolicyTrainee> {
        let extras = Extras { slow, averages };
        let (tiles, value_tiles) = (shape.hidden / WIDTH, shape.value.hidden / WIDTH);
        let value_inputs = shape.value.inputs.count() + 1;
        let outputs = shape.value.output_buckets;
        let moves = limit_of(&shape.moves());
        let mut trainee = PolicyTrainee {
            inputs: Tensor::zeros(tiles * (INPUTS + 1), limit_of(&shape.first()), extras)?,
            moves: Tensor::zeros(tiles / 2 * ROWS, moves, extras)?,
            move_biases: Tensor::zeros(ROWS.div_ceil(WIDTH), f32::INFINITY, extras)?,
            value_inputs: Tensor::zeros(value_tiles * value_inputs, VALUE_LIMIT, extras)?,
            outputs: Tensor::zeros(
                outputs * 2 * value_tiles,
                limit_of(&shape.value.output()),
                extras,
            )?,
            output_biases: Tensor::zeros(outputs.div_ceil(WIDTH), f32::INFINITY, extras)?,
            sums: Values::zeros(tiles * batch)?,
            products: Values::zeros(tiles / 2 * batch)?,
            value_sums: Values::zeros(value_tiles * 2 * batch)?,
            capacity: batch,
            made: Vec::new(),
            shape,
        };
        trainee.randomise(seed);
        Ok(trainee)
    }

    fn randomise(&mut self, seed: u64) {
        let random = &mut Random::new(seed);
        let value_inputs = self.value_tile();
        for (tensor, tile) in [
            (&mut self.inputs, INPUTS + 1),
            (&mut self.value_inputs, value_inputs),
        ] {
            fill(tensor, FIRST_WEIGHT, random);
            for biases in tensor.values.iter_mut().skip(tile - 1).step_by(tile) {
                *biases = Strip([FIRST_BIAS; WIDTH]);
            }
        }
        let products = self.shape.hidden as f32 / 2.0;
        fill(&mut self.moves, (0.75 / products).sqrt(), random);
        let activated = 2.0 * self.shape.value.hidden as f32;
        fill(&mut self.outputs, (1.0 / activated).sqrt(), random);
        for (_, tensor) in self.tensors() {
            tensor.begin();
        }
    }

    /// The strips of a tile of the value's inputs.
    pub(super) fn value_tile(&self) -> usize {
        self.shape.value.inputs.count() + 1
    }

    /// All weights, with names that never change.
    pub(crate) fn tensors(&mut self) -> Tensors<'_> {
        vec![
            ("policy inputs", &mut self.inputs),
            ("moves", &mut self.moves),
            ("move biases", &mut self.move_biases),
            ("value inputs", &mut self.value_inputs),
            ("outputs", &mut self.outputs),
            ("output biases", &mut self.output_biases),
        ]
    }

    /// Trains on a batch; returns its losses before the step.
    pub(crate) fn learn(&mut self, batch: &Batch, step: &Step) -> Measure {
        let measure = self.forward(batch, true);
        self.update(batch, step);
        measure
    }

    /// The losses of a batch.
    pub fn measure(&mut self, batch: &Batch) -> Measure {
        self.forward(batch, false)
    }

    fn forward(&mut self, batch: &Batch, learns: bool) -> Measure {
        let (count, learned) = (batch.len(), batch.learned());
        assert!(count <= self.capacity);
        let value_tile = self.value_tile();
        for (weights, tile, lists, sums) in [
            (&self.inputs, INPUTS + 1, OF_POLICY, &mut self.sums),
            (
                &self.value_inputs,
                value_tile,
                OF_VALUE,
                &mut self.value_sums,
            ),
        ] {
            let places = lists.len() * self.capacity;
            sums.par_chunks_mut(places)
                .zip(weights.values.par_chunks(tile))
                .for_each(|(sums, weights)| {
                    lanes::run(Gather {
                        weights,
                        blocks: &batch.blocks,
                        lists,
                        sums,
                    });
                });
        }
        // If all weights are 1, these are counts.
        let weights = batch.totals();
        let [moves, values] = weights.map(|total| if total > 0.0 { total } else { 1.0 });
        let options = HeadOptions {
            learns,
            smoothing: batch.smoothing,
            policy_share: 1.0 / moves as f32,
            value_share: 1.0 / values as f32,
        };
        self.heads(batch, options);
        let total = |of: fn(&Made) -> f64| self.made.iter().map(of).sum::<f64>();
        Measure {
            policy: total(|made| made.policy_loss) / moves,
            value: total(|made| made.value_loss) / values,
            top_1: total(|made| f64::from(made.hits)) / learned.max(1) as f64,
            learned,
            positions: count,
            weights,
        }
    }

    fn heads(&mut self, batch: &Batch, options: HeadOptions) {
        let count = batch.len();
        let weights = Weights {
            moves: &self.moves.values,
            move_biases: bytemuck::cast_slice(&self.move_biases.values),
            outputs: &self.outputs.values,
            output_biases: &bytemuck::cast_slice(&self.output_biases.values)
                [..self.shape.value.output_buckets],
        };
        self.made.resize_with(batch.blocks.len(), Made::default);
        let sums = deal(&mut self.sums, self.capacity, count, 1);
        let products = deal(&mut self.products, self.capacity, count, 1);
        let value_sums = deal(&mut self.value_sums, self.capacity, count, 2);
        batch
            .blocks
            .par_iter()
            .zip(&mut self.made)
            .zip(sums)
            .zip(products)
            .zip(value_sums)
            .for_each(|((((block, made), sums), products), value_sums)| {
                lanes::run(Heads {
                    weights,
                    options,
                    block,
                    made,
                    sums,
                    products,
                    value_sums,
                });
            });
    }

    /// Updates all weights, given the gradients that the forward pass has computed.
    fn update(&mut self, batch: &Batch, step: &Step) {
        let value_tile = self.value_tile();
        let (blocks, made) = (&batch.blocks[..], &self.made[..]);
        let mut tasks: Vec<(Lesson<'_>, Part<'_>)> = Vec::new();
        let moves = self.moves.parts(ROWS).into_iter();
        tasks.extend(
            moves
                .zip(self.products.chunks(self.capacity))
                .map(|(part, products)| (Lesson::Moves { products }, part)),
        );
        for (tensor, tile, lists, slopes) in [
            (&mut self.inputs, INPUTS + 1, OF_POLICY, &self.sums),
            (
                &mut self.value_inputs,
                value_tile,
                OF_VALUE,
                &self.value_sums,
            ),
        ] {
            let chunks = slopes.chunks(lists.len() * self.capacity);
            let parts = tensor.parts(tile).into_iter();
            tasks.extend(
                parts
                    .zip(chunks)
                    .map(|(part, slopes)| (Lesson::Inputs { lists, slopes }, part)),
            );
        }
        tasks.push((Lesson::Biases, self.move_biases.whole()));
        tasks
            .into_par_iter()
            .for_each_init(Vec::new, |gradients, (lesson, part)| {
                lanes::run(Update {
                    lesson,
                    part,
                    blocks,
                    made,
                    step,
                    gradients,
                });
            });
        self.update_outputs(step);
    }

    /// Updates the few weights of the value's outputs, with the sums of all blocks in order.
    fn update_outputs(&mut self, step: &Step) {
        let mut outputs = vec![Strip::ZERO; self.outputs.values.len()];
        let mut biases = vec![Strip::ZERO; self.output_biases.values.len()];
        for made in &self.made {
            add(&mut outputs, bytemuck::cast_slice(&made.outputs));
            add(&mut biases, &made.output_biases);
        }
        for (tensor, mut gradients) in [
            (&mut self.outputs, outputs),
            (&mut self.output_biases, biases),
        ] {
            lanes::run(ApplyAll {
                step,
                part: tensor.whole(),
                gradients: &mut gradients,
            });
        }
    }

    /// Adds the expected and the actual results of the positions measured last, for the calibration
    /// error.
    pub(super) fn calibration(&self, batch: &Batch, bins: &mut Bins) {
        for (block, made) in batch.blocks.iter().zip(&self.made) {
            for (chances, result) in made.chances.iter().zip(&block.results) {
                let [win, draw, _] = chances.map(f64::from);
                bins.add(win + 0.5 * draw, *result);
            }
        }
    }

    /// The move probabilities of the positions measured last, and their win, draw and loss
    /// probabilities.
    pub(super) fn shares<'a>(
        &'a self,
        batch: &'a Batch,
    ) -> impl Iterator<Item = (&'a [f32], [f32; OUTCOMES])> {
        let blocks = batch.blocks.iter().zip(&self.made);
        blocks.flat_map(|(block, made): (&Block, &Made)| {
            (0..block.len()).map(|position| {
                let range = block.row_range(position);
                (&made.slopes[range], made.chances[position])
            })
        })
    }
}

fn fill(tensor: &mut Tensor, most: f32, random: &mut Random) {
    for number in tensor.values.iter_mut().flat_map(|strip| &mut strip.0) {
        *number = uniform(random) * most;
    }
}

fn add(sums: &mut [Strip], numbers: &[f32]) {
    let sums: &mut [f32] = bytemuck::cast_slice_mut(sums);
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

/// Splits strips by blocks: for each block its strips of all tiles; a position has `width` strips
/// in each tile.
fn deal(
    strips: &mut [Strip],
    capacity: usize,
    count: usize,
    width: usize,
) -> Vec<Vec<&mut [Strip]>> {
    let mut dealt: Vec<Vec<&mut [Strip]>> = Vec::new();
    dealt.resize_with(count.div_ceil(BLOCK), Vec::new);
    for tile in strips.chunks_mut(capacity * width) {
        let blocks = tile[..count * width].chunks_mut(BLOCK * width);
        for (block, strips) in dealt.iter_mut().zip(blocks) {
            block.push(strips);
        }
    }
    dealt
}

/// An optimiser step of a tensor whose gradients are computed.
struct ApplyAll<'a> {
    step: &'a Step,
    part: Part<'a>,
    gradients: &'a mut [Strip],
}

impl Job for ApplyAll<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        self.step.apply::<V>(self.part, self.gradients);
    }
}
