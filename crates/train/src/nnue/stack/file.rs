//! Conversion of the layers after the first from and to the integers of a file.

use super::{ROWS, SKIP, Stacks};
use crate::descent::{Unrounding, integer};
use crate::lanes::WIDTH;
use crate::nnue::transformer::Source;
use nets::nnue::SfnnShape;
use nets::nnue::sfnn::SfnnWeights;

impl Stacks {
    /// Converts the layers to integers.
    pub(crate) fn export(&self, source: Source, shape: SfnnShape, weights: &mut SfnnWeights) {
        let [first, second, third] = shape.stack();
        for (bucket, stack) in weights.stacks.iter_mut().enumerate() {
            let biases = source.of(&self.first_biases)[bucket].0;
            for (target, bias) in stack.layers[0].biases.iter_mut().zip(biases) {
                *target = integer(bias, first.bias_scale);
            }
            for output in 0..SfnnShape::SECOND {
                let (half, lane) = (output / WIDTH, output % WIDTH);
                let bias = source.of(&self.second_biases)[bucket * 2 + half].0[lane];
                stack.layers[1].biases[output] = integer(bias, second.bias_scale);
                for input in 0..second.inputs {
                    let row = input / SKIP * WIDTH + input % SKIP;
                    let strip = &source.of(&self.second)[(bucket * ROWS + row) * 2 + half];
                    stack.layers[1].weights[output * second.padded_inputs + input] =
                        integer(strip.0[lane], second.weight_scale) as i8;
                }
                let weight = source.of(&self.third)[bucket * 2 + half].0[lane];
                stack.layers[2].weights[output] = integer(weight, third.weight_scale) as i8;
            }
            let bias = source.of(&self.third_biases)[0].0[bucket];
            stack.layers[2].biases[0] = integer(bias, third.bias_scale);
        }
    }

    /// Takes the layers of a net.
    pub(crate) fn import(
        &mut self,
        shape: SfnnShape,
        weights: &SfnnWeights,
        unrounding: &mut Unrounding,
    ) {
        let [first, second, third] = shape.stack();
        for (bucket, stack) in weights.stacks.iter().enumerate() {
            let targets = &mut self.first_biases.values[bucket].0;
            for (target, &bias) in targets.iter_mut().zip(&stack.layers[0].biases) {
                *target = unrounding.float(bias, first.bias_scale);
            }
            for output in 0..SfnnShape::SECOND {
                let (half, lane) = (output / WIDTH, output % WIDTH);
                let place = bucket * 2 + half;
                let bias = stack.layers[1].biases[output];
                self.second_biases.values[place].0[lane] =
                    unrounding.float(bias, second.bias_scale);
                for input in 0..second.inputs {
                    let row = input / SKIP * WIDTH + input % SKIP;
                    let weight = stack.layers[1].weights[output * second.padded_inputs + input];
                    self.second.values[(bucket * ROWS + row) * 2 + half].0[lane] =
                        unrounding.float(i32::from(weight), second.weight_scale);
                }
                let weight = i32::from(stack.layers[2].weights[output]);
                self.third.values[place].0[lane] = unrounding.float(weight, third.weight_scale);
            }
            let bias = stack.layers[2].biases[0];
            self.third_biases.values[0].0[bucket] = unrounding.float(bias, third.bias_scale);
        }
    }
}
