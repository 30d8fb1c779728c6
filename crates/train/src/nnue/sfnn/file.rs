//! Conversion of a net of Stockfish's shape from and to the integers of a file.

use super::{BUCKETS, STRIPS, SfnnTrainee, TILES};
use crate::descent::{Unrounding, integer};
use crate::lanes::WIDTH;
use crate::nnue::transformer::Source;
use nets::nnue::sfnn::SfnnWeights;
use std::io;

impl SfnnTrainee {
    /// The net in integers.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn export(&self, source: Source) -> io::Result<SfnnWeights> {
        let mut weights = SfnnWeights::zeros(self.shape)?;
        self.export_transformer(source, &mut weights);
        let [layer, ..] = self.shape.stack();
        let half = self.shape.l1() / 2;
        for unit in 0..self.units() {
            for (bucket, stack) in weights.stacks.iter_mut().enumerate() {
                for place in 0..2 * WIDTH {
                    let strip = source.of(&self.first)[unit * STRIPS + bucket * 2 * WIDTH + place];
                    let input = place / WIDTH * half + unit * WIDTH + place % WIDTH;
                    for (output, weight) in strip.0.into_iter().enumerate() {
                        stack.layers[0].weights[output * layer.padded_inputs + input] =
                            integer(weight, layer.weight_scale) as i8;
                    }
                }
            }
        }
        self.stacks.export(source, self.shape, &mut weights);
        Ok(weights)
    }

    fn export_transformer(&self, source: Source, weights: &mut SfnnWeights) {
        let merged = self.transformer.merged(source);
        let (layer, psqt, l1) = (self.shape.transformer(), self.shape.psqt(), self.shape.l1());
        for tile in 0..self.units() * TILES {
            let column = tile / TILES * WIDTH + tile % TILES * l1 / TILES;
            for (lane, bias) in merged.biases(tile).into_iter().enumerate() {
                weights.transformer.biases[column + lane] = integer(bias, layer.bias_scale) as i16;
            }
            for input in 0..layer.inputs {
                let row = &mut weights.transformer.weights[input * l1 + column..][..WIDTH];
                for (target, weight) in row.iter_mut().zip(merged.row(input, tile)) {
                    *target = integer(weight, layer.weight_scale) as i16;
                }
            }
        }
        for input in 0..layer.inputs {
            let row = merged.row(input, self.units() * TILES);
            let targets = &mut weights.transformer.psqt[input * BUCKETS..][..BUCKETS];
            for (target, weight) in targets.iter_mut().zip(row) {
                *target = integer(weight, psqt.weight_scale);
            }
        }
    }

    /// Takes the weights of a net of the same shape; none of them goes into the shared parts.
    pub(crate) fn import(&mut self, weights: &SfnnWeights, unrounding: &mut Unrounding) {
        self.import_transformer(weights, unrounding);
        let [layer, ..] = self.shape.stack();
        let half = self.shape.l1() / 2;
        for unit in 0..self.units() {
            for (bucket, stack) in weights.stacks.iter().enumerate() {
                for place in 0..2 * WIDTH {
                    let input = place / WIDTH * half + unit * WIDTH + place % WIDTH;
                    let strip = &mut self.first.values[unit * STRIPS + bucket * 2 * WIDTH + place];
                    for (output, target) in strip.0.iter_mut().enumerate() {
                        let weight = stack.layers[0].weights[output * layer.padded_inputs + input];
                        *target = unrounding.float(i32::from(weight), layer.weight_scale);
                    }
                }
            }
        }
        self.stacks.import(self.shape, weights, unrounding);
        for (_, tensor) in self.tensors() {
            tensor.begin();
        }
    }

    fn import_transformer(&mut self, weights: &SfnnWeights, unrounding: &mut Unrounding) {
        let (layer, psqt, l1) = (self.shape.transformer(), self.shape.psqt(), self.shape.l1());
        let tiles = self.units() * TILES;
        for tile in 0..tiles {
            let column = tile / TILES * WIDTH + tile % TILES * l1 / TILES;
            self.transformer
                .import(tile, column, &weights.transformer, &layer, unrounding);
        }
        for input in 0..layer.inputs {
            let strip = &mut self.transformer.weights.values[tiles * layer.inputs + input];
            let row = weights.transformer.psqt_row(input);
            for (target, &weight) in strip.0[..BUCKETS].iter_mut().zip(row) {
                *target = unrounding.float(weight, psqt.weight_scale);
            }
        }
    }
}
