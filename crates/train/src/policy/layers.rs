//! The first layers of both halves, and the weights of moves, tile by tile of 16 columns: a tile's
//! weights stay in the cache while all positions are processed.
//!
//! A tile of a first layer has a strip for each input, and one more for its biases.

use super::batch::Block;
use super::heads::Made;
use crate::descent::{Part, Step};
use crate::lanes::{Job, Lanes, Strip};

/// Sums the active inputs of every position; if a position has several lists, their sums are
/// adjacent.
pub(super) struct Gather<'a> {
    pub(super) weights: &'a [Strip],
    pub(super) blocks: &'a [Block],
    pub(super) lists: &'static [usize],
    pub(super) sums: &'a mut [Strip],
}

impl Job for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let bias = V::load(&self.weights[self.weights.len() - 1]);
        let mut places = self.sums.iter_mut();
        for block in self.blocks {
            for position in 0..block.len() {
                for &list in self.lists {
                    let mut sum = bias;
                    for &input in block.list(list, position) {
                        sum = sum.add(V::load(&self.weights[usize::from(input)]));
                    }
                    if let Some(place) = places.next() {
                        sum.store(place);
                    }
                }
            }
        }
    }
}

/// What a tile is trained with.
pub(super) enum Lesson<'a> {
    /// For a first layer: the gradient of its sums.
    Inputs {
        lists: &'static [usize],
        slopes: &'a [Strip],
    },
    /// For the weights of moves: the products by which they are multiplied.
    Moves { products: &'a [Strip] },
    /// For the biases of all moves.
    Biases,
}

/// Computes the gradients of a tile, and updates its weights.
pub(super) struct Update<'a> {
    pub(super) lesson: Lesson<'a>,
    pub(super) part: Part<'a>,
    pub(super) blocks: &'a [Block],
    pub(super) made: &'a [Made],
    pub(super) step: &'a Step,
    /// A buffer for gradients; zero before and after.
    pub(super) gradients: &'a mut Vec<Strip>,
}

impl Job for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let count = self.part.values.len();
        if self.gradients.len() < count {
            self.gradients.resize(count, Strip::ZERO);
        }
        let gradients = &mut self.gradients[..count];
        match self.lesson {
            Lesson::Inputs { lists, slopes } => {
                scatter::<V>(self.blocks, lists, slopes, gradients);
            }
            Lesson::Moves { products } => {
                scatter_moves::<V>(self.blocks, self.made, products, gradients);
            }
            Lesson::Biases => scatter_biases(self.blocks, self.made, gradients),
        }
        self.step.apply::<V>(self.part, gradients);
    }
}

#[inline(always)]
fn scatter<V: Lanes>(blocks: &[Block], lists: &[usize], slopes: &[Strip], gradients: &mut [Strip]) {
    let mut bias = V::splat(0.0);
    let mut slopes = slopes.iter();
    for block in blocks {
        for position in 0..block.len() {
            for &list in lists {
                let Some(slope) = slopes.next().map(V::load) else {
                    continue;
                };
                bias = bias.add(slope);
                for &input in block.list(list, position) {
                    let gradient = &mut gradients[usize::from(input)];
                    V::load(gradient).add(slope).store(gradient);
                }
            }
        }
    }
    if let Some(last) = gradients.last_mut() {
        bias.store(last);
    }
}

#[inline(always)]
fn scatter_moves<V: Lanes>(
    blocks: &[Block],
    made: &[Made],
    products: &[Strip],
    gradients: &mut [Strip],
) {
    let mut products = products.iter();
    for (block, made) in blocks.iter().zip(made) {
        for position in 0..block.len() {
            let Some(product) = products.next().map(V::load) else {
                continue;
            };
            let slopes = &made.slopes[block.row_range(position)];
            for (&row, &slope) in block.rows(position).iter().zip(slopes) {
                let gradient = &mut gradients[usize::from(row)];
                let sum = product.mul_add(V::splat(slope), V::load(gradient));
                sum.store(gradient);
            }
        }
    }
}

#[inline(always)]
fn scatter_biases(blocks: &[Block], made: &[Made], gradients: &mut [Strip]) {
    let gradients: &mut [f32] = bytemuck::cast_slice_mut(gradients);
    for (block, made) in blocks.iter().zip(made) {
        for position in 0..block.len() {
            let slopes = &made.slopes[block.row_range(position)];
            for (&row, &slope) in block.rows(position).iter().zip(slopes) {
                gradients[usize::from(row)] += slope;
            }
        }
    }
}
