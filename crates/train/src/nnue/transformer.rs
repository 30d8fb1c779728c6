//! The first layer in training: tiles of weights, with a part that all king buckets share.

use super::batch::Batch;
use super::sparse;
use crate::descent::{Extras, Part, Step, Tensor, Unrounding, limit_of, uniform};
use crate::lanes::{Lanes, Strip, WIDTH};
use nets::nnue::{Inputs, Layer, Random};
use std::io;

/// The first layer.
#[derive(Debug)]
pub(crate) struct Transformer {
    inputs: usize,
    /// The number of inputs of one king bucket.
    bucket_size: usize,
    /// The row of the shared part for each input; empty if nothing is shared.
    factors: Vec<u16>,
    factor_count: usize,
    /// In each tile a row for each input.
    pub(crate) weights: Tensor,
    /// In each tile a row for each factor.
    pub(crate) shared: Tensor,
    /// A strip for each tile.
    pub(crate) biases: Tensor,
    /// For quantisation-aware training: effective weights are rounded to multiples of one over
    /// this; 0 for no rounding.
    pub(crate) grid: f32,
}

/// The weights of one tile, which are updated together.
pub(crate) struct TilePart<'a> {
    weights: Part<'a>,
    shared: Option<Part<'a>>,
    biases: Part<'a>,
}

/// The working memory of a thread for one tile: rows of one king bucket.
#[derive(Debug)]
pub(crate) struct Scratch {
    effective: Vec<Strip>,
    gradients: Vec<Strip>,
    shared_gradients: Vec<Strip>,
}

/// The source of the gradients of a tile's sums.
pub(crate) trait Gradients {
    /// The gradient of a view, by its `place` in the batch; called once for each. Must be
    /// `#[inline(always)]`, like jobs.
    fn of<V: Lanes>(&mut self, place: usize) -> V;
    /// Prefetches the gradient of a view that will be needed soon.
    fn fetch<V: Lanes>(&self, place: usize);
}

impl Transformer {
    /// The layer with all weights 0.
    pub(crate) fn zeros(
        inputs: &Inputs,
        layer: &Layer,
        tiles: usize,
        is_factored: bool,
        extras: Extras,
    ) -> io::Result<Transformer> {
        let factor_count = if is_factored {
            inputs.factor_count()
        } else {
            0
        };
        let limit = limit_of(layer);
        let factors = (0..inputs.count()).map(|input| inputs.factor(input) as u16);
        Ok(Transformer {
            inputs: inputs.count(),
            bucket_size: inputs.bucket_size(),
            factors: if is_factored {
                factors.collect()
            } else {
                Vec::new()
            },
            factor_count,
            weights: Tensor::zeros(tiles * inputs.count(), limit, extras)?,
            shared: Tensor::zeros(tiles * factor_count, limit, extras)?,
            biases: Tensor::zeros(tiles, limit, extras)?,
            grid: 0.0,
        })
    }

    /// Sets random weights in the first `tiles`, scaled by the number of inputs.
    pub(crate) fn randomise(&mut self, tiles: usize, random: &mut Random) {
        let bound = (1.0 / self.inputs as f32).sqrt();
        let strips = tiles * self.inputs;
        for strip in self.weights.values[..strips].iter_mut() {
            for number in &mut strip.0 {
                *number = uniform(random) * bound;
            }
        }
        for strip in self.biases.values[..tiles].iter_mut() {
            for number in &mut strip.0 {
                *number = uniform(random) * bound;
            }
        }
    }

    /// All weights, with names that never change.
    pub(crate) fn tensors(&mut self) -> [(&'static str, &mut Tensor); 3] {
        [
            ("transformer", &mut self.weights),
            ("transformer shared", &mut self.shared),
            ("transformer biases", &mut self.biases),
        ]
    }

    /// Working memory for one tile.
    pub(crate) fn scratch(&self) -> Scratch {
        Scratch {
            effective: vec![Strip::ZERO; self.bucket_size],
            gradients: vec![Strip::ZERO; self.bucket_size],
            shared_gradients: vec![Strip::ZERO; self.factor_count],
        }
    }

    /// The effective rows of a king bucket in a tile: with the shared part added, and rounded if
    /// required.
    #[inline(always)]
    fn effective<'a, V: Lanes>(
        &'a self,
        tile: usize,
        bucket: usize,
        scratch: &'a mut Scratch,
    ) -> &'a [Strip] {
        let first = bucket * self.bucket_size;
        let weights = &self.weights.values[tile * self.inputs + first..][..self.bucket_size];
        if self.factor_count == 0 && self.grid == 0.0 {
            return weights;
        }
        let shared = &self.shared.values[tile * self.factor_count..][..self.factor_count];
        let (grid, step) = (V::splat(self.grid), V::splat(1.0 / self.grid.max(1.0)));
        for (input, (weight, effective)) in weights.iter().zip(&mut scratch.effective).enumerate() {
            let mut sum = V::load(weight);
            if let Some(&factor) = self.factors.get(first + input) {
                sum = sum.add(V::load(&shared[usize::from(factor)]));
            }
            if self.grid != 0.0 {
                sum = sum.mul(grid).round().mul(step);
            }
            sum.store(effective);
        }
        &scratch.effective
    }

    /// The sums of all views in a tile, at their places in the batch.
    #[inline(always)]
    pub(crate) fn forward<V: Lanes>(
        &self,
        tile: usize,
        batch: &Batch,
        scratch: &mut Scratch,
        sums: &mut [Strip],
    ) {
        let bias = V::load(&self.biases.values[tile]);
        for bucket in 0..batch.inputs().bucket_count() {
            let rows = self.effective::<V>(tile, bucket, scratch);
            sparse::check(rows, batch);
            for view in batch.views(bucket) {
                V::fetch(&sums[view.soon]);
                sparse::gather(rows, bias, view.inputs).store(&mut sums[view.place]);
            }
        }
    }

    /// All weights with the shared part added, row by row: the weights of an equivalent net without
    /// factors.
    pub(crate) fn merged(&self, source: Source) -> Merged<'_> {
        Merged {
            transformer: self,
            source,
        }
    }

    /// Takes the integers of a tile's columns, beginning with `column`.
    pub(crate) fn import(
        &mut self,
        tile: usize,
        column: usize,
        from: &nets::nnue::Transformer,
        layer: &Layer,
        unrounding: &mut Unrounding,
    ) {
        let biases = &mut self.biases.values[tile].0;
        for (target, &bias) in biases.iter_mut().zip(&from.biases[column..]) {
            *target = unrounding.float(i32::from(bias), layer.bias_scale);
        }
        let rows = &mut self.weights.values[tile * self.inputs..][..self.inputs];
        for (input, strip) in rows.iter_mut().enumerate() {
            for (target, &weight) in strip.0.iter_mut().zip(&from.row(input)[column..]) {
                *target = unrounding.float(i32::from(weight), layer.weight_scale);
            }
        }
    }

    /// The layer split into tiles.
    pub(crate) fn parts(&mut self) -> Vec<TilePart<'_>> {
        let weights = self.weights.parts(self.inputs);
        let mut shared = self.shared.parts(self.factor_count).into_iter();
        let biases = self.biases.parts(1);
        weights
            .into_iter()
            .zip(biases)
            .map(|(weights, biases)| TilePart {
                weights,
                shared: shared.next(),
                biases,
            })
            .collect()
    }

    pub(crate) fn factors(&self) -> &[u16] {
        &self.factors
    }
}

impl TilePart<'_> {
    /// Updates the tile, given the gradients of its sums.
    #[inline(always)]
    pub(crate) fn step<V: Lanes>(
        self,
        step: &Step,
        factors: &[u16],
        batch: &Batch,
        scratch: &mut Scratch,
        gradients: &mut impl Gradients,
    ) {
        let rows = &mut scratch.gradients;
        sparse::check(rows, batch);
        let mut bias = V::splat(0.0);
        let mut factors = factors.chunks_exact(rows.len());
        for (bucket, weights) in self.weights.split(rows.len()).enumerate() {
            for view in batch.views(bucket) {
                gradients.fetch::<V>(view.soon);
                let gradient = gradients.of::<V>(view.place);
                bias = bias.add(gradient);
                sparse::scatter(rows, gradient, view.inputs);
            }
            for (&factor, gradient) in factors.next().unwrap_or_default().iter().zip(&*rows) {
                let sum = &mut scratch.shared_gradients[usize::from(factor)];
                V::load(sum).add(V::load(gradient)).store(sum);
            }
            step.apply::<V>(weights, rows);
        }
        if let Some(shared) = self.shared {
            step.apply::<V>(shared, &mut scratch.shared_gradients);
        }
        let mut gradient = [Strip::ZERO];
        bias.store(&mut gradient[0]);
        step.apply::<V>(self.biases, &mut gradient);
    }
}

/// Which weights to use: those of the last step, or their moving averages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    Last,
    Average,
}

impl Source {
    pub(crate) fn of(self, tensor: &Tensor) -> &[Strip] {
        match self {
            Source::Last => &tensor.values,
            Source::Average => &tensor.averages,
        }
    }
}

/// Effective weights of the layer, by input and tile.
pub(crate) struct Merged<'a> {
    transformer: &'a Transformer,
    source: Source,
}

impl Merged<'_> {
    /// The weights of an input in a tile.
    pub(crate) fn row(&self, input: usize, tile: usize) -> [f32; WIDTH] {
        let layer = self.transformer;
        let mut row = self.source.of(&layer.weights)[tile * layer.inputs + input].0;
        if let Some(&factor) = layer.factors.get(input) {
            let place = tile * layer.factor_count + usize::from(factor);
            let shared = self.source.of(&layer.shared)[place].0;
            for (number, shared) in row.iter_mut().zip(shared) {
                *number += shared;
            }
        }
        row
    }

    /// The biases of a tile.
    pub(crate) fn biases(&self, tile: usize) -> [f32; WIDTH] {
        self.source.of(&self.transformer.biases)[tile].0
    }
}
