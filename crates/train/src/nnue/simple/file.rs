//! Conversion of a simple net from and to the integers of a file.

use super::{SimpleTrainee, tiles_of};
use crate::descent::{Unrounding, integer};
use crate::lanes::WIDTH;
use crate::nnue::transformer::Source;
use nets::nnue::simple::SimpleWeights;
use std::io;

impl SimpleTrainee {
    /// The net in integers.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn export(&self, source: Source) -> io::Result<SimpleWeights> {
        let mut weights = SimpleWeights::zeros(self.shape.clone())?;
        let layer = self.shape.transformer();
        let (merged, hidden) = (self.transformer.merged(source), self.shape.hidden);
        for tile in 0..hidden / WIDTH {
            let column = self.column(tile);
            let biases = merged
                .biases(tile)
                .map(|bias| integer(bias, layer.bias_scale));
            for (lane, bias) in biases.into_iter().enumerate() {
                weights.transformer.biases[column + lane] = bias as i16;
            }
            for input in 0..self.shape.inputs.count() {
                let row = &mut weights.transformer.weights[input * hidden + column..][..WIDTH];
                for (target, weight) in row.iter_mut().zip(merged.row(input, tile)) {
                    *target = integer(weight, layer.weight_scale) as i16;
                }
            }
        }
        self.export_output(source, &mut weights);
        Ok(weights)
    }

    fn export_output(&self, source: Source, weights: &mut SimpleWeights) {
        let layer = self.shape.output();
        let buckets = self.shape.output_buckets;
        let strips = source.of(&self.output);
        for unit in 0..self.units() {
            for bucket in 0..buckets {
                for side in 0..2 {
                    let strip = &strips[(unit * buckets + bucket) * 2 + side];
                    let first = bucket * layer.inputs + side * layer.inputs / 2 + unit * WIDTH;
                    let row = &mut weights.output_weights[first..][..WIDTH];
                    for (target, &weight) in row.iter_mut().zip(&strip.0) {
                        *target = integer(weight, layer.weight_scale) as i16;
                    }
                }
            }
        }
        let biases = &source.of(&self.output_biases)[0].0;
        for (target, &bias) in weights.output_biases.iter_mut().zip(biases) {
            *target = integer(bias, layer.bias_scale);
        }
    }

    /// The first column of a tile: the second tile of a pair is in the second half of the layer.
    fn column(&self, tile: usize) -> usize {
        let tiles = tiles_of(self.shape.activation);
        tile / tiles * WIDTH + tile % tiles * self.shape.hidden / tiles
    }

    /// Takes the weights of a net of the same shape; none of them goes into the shared parts.
    pub(crate) fn import(&mut self, weights: &SimpleWeights, unrounding: &mut Unrounding) {
        let layer = weights.shape().transformer();
        for tile in 0..self.shape.hidden / WIDTH {
            let column = self.column(tile);
            self.transformer
                .import(tile, column, &weights.transformer, &layer, unrounding);
        }
        self.import_output(weights, unrounding);
        for (_, tensor) in self.tensors() {
            tensor.begin();
        }
    }

    /// The scale of the output may differ.
    fn import_output(&mut self, weights: &SimpleWeights, unrounding: &mut Unrounding) {
        let layer = weights.shape().output();
        let [theirs, ours] = [weights.shape(), &self.shape].map(|shape| shape.scales.value);
        let factor = f64::from(ours) / f64::from(theirs);
        let buckets = self.shape.output_buckets;
        for unit in 0..self.units() {
            for bucket in 0..buckets {
                for side in 0..2 {
                    let first = bucket * layer.inputs + side * layer.inputs / 2 + unit * WIDTH;
                    let row = &weights.output_weights[first..][..WIDTH];
                    let strip = &mut self.output.values[(unit * buckets + bucket) * 2 + side];
                    for (target, &weight) in strip.0.iter_mut().zip(row) {
                        *target = unrounding.float(i32::from(weight), layer.weight_scale * factor);
                    }
                }
            }
        }
        let targets = &mut self.output_biases.values[0].0;
        for (target, &bias) in targets.iter_mut().zip(&weights.output_biases) {
            *target = unrounding.float(bias, layer.bias_scale * factor);
        }
    }
}
