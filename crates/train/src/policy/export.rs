//! Conversion between the floats of a training and the integers of a file.

use super::trainee::PolicyTrainee;
use crate::descent::{Tensor, Unrounding, integer};
use crate::lanes::WIDTH;
use nets::nnue::Layer;
use nets::nnue::simple::SimpleWeights;
use nets::policy::PolicyNet;
use nets::policy::sparse::{INPUTS, PolicyLayers, PolicyWeights, ROWS};
use std::io;

impl PolicyTrainee {
    /// The net in integers, from the present weights.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn export(&self) -> io::Result<PolicyWeights> {
        let mut weights = PolicyWeights::zeros(self.shape.clone())?;
        self.export_policy(&mut weights.policy);
        self.export_value(&mut weights.value);
        Ok(weights)
    }

    fn export_policy(&self, policy: &mut PolicyLayers) {
        let (hidden, first) = (self.shape.hidden, self.shape.first());
        for input in 0..INPUTS {
            let row = &mut policy.inputs[input * hidden..][..hidden];
            export_row(&self.inputs, INPUTS + 1, input, &first, row);
        }
        export_row(&self.inputs, INPUTS + 1, INPUTS, &first, &mut policy.biases);
        let layer = self.shape.moves();
        for row in 0..ROWS {
            let bias = self.move_biases.values[row / WIDTH].0[row % WIDTH];
            policy.move_biases[row] = integer(bias, layer.bias_scale);
            let weights = &mut policy.moves[row * layer.inputs..][..layer.inputs];
            for (column, weight) in weights.iter_mut().enumerate() {
                let strip = &self.moves.values[column / WIDTH * ROWS + row];
                *weight = integer(strip.0[column % WIDTH], layer.weight_scale) as i8;
            }
        }
    }

    fn export_value(&self, value: &mut SimpleWeights) {
        let (hidden, layer) = (self.shape.value.hidden, self.shape.value.transformer());
        let tile = self.value_tile();
        for input in 0..tile - 1 {
            let row = &mut value.transformer.weights[input * hidden..][..hidden];
            export_row(&self.value_inputs, tile, input, &layer, row);
        }
        let biases = &mut value.transformer.biases;
        export_row(&self.value_inputs, tile, tile - 1, &layer, biases);
        let layer = self.shape.value.output();
        for output in 0..layer.outputs {
            let bias = self.output_biases.values[output / WIDTH].0[output % WIDTH];
            value.output_biases[output] = integer(bias, layer.bias_scale);
            let weights = &mut value.output_weights[output * layer.inputs..][..layer.inputs];
            let strips = &self.outputs.values[output * layer.inputs / WIDTH..];
            let floats = strips.iter().flat_map(|strip| strip.0);
            for (weight, float) in weights.iter_mut().zip(floats) {
                *weight = integer(float, layer.weight_scale) as i16;
            }
        }
    }

    /// Takes the weights of a net of the same shape. The seed determines the fractions that the
    /// integers have lost.
    pub(super) fn import(&mut self, net: &PolicyNet, seed: u64) {
        let unrounding = &mut Unrounding::new(seed);
        let policy = net.policy();
        let (hidden, first) = (self.shape.hidden, self.shape.first());
        for input in 0..INPUTS {
            let row = &policy.inputs[input * hidden..][..hidden];
            import_row(&mut self.inputs, INPUTS + 1, input, &first, row, unrounding);
        }
        let biases = &policy.biases;
        import_row(
            &mut self.inputs,
            INPUTS + 1,
            INPUTS,
            &first,
            biases,
            unrounding,
        );
        let layer = self.shape.moves();
        for row in 0..ROWS {
            let bias = unrounding.float(policy.move_biases[row], layer.bias_scale);
            self.move_biases.values[row / WIDTH].0[row % WIDTH] = bias;
            let weights = &policy.moves[row * layer.inputs..][..layer.inputs];
            for (column, &weight) in weights.iter().enumerate() {
                let strip = &mut self.moves.values[column / WIDTH * ROWS + row];
                strip.0[column % WIDTH] = unrounding.float(weight.into(), layer.weight_scale);
            }
        }
        self.import_value(net.value().weights(), unrounding);
        for (_, tensor) in self.tensors() {
            tensor.begin();
        }
    }

    fn import_value(&mut self, value: &SimpleWeights, unrounding: &mut Unrounding) {
        let layer = value.shape().transformer();
        let tile = self.value_tile();
        for input in 0..tile - 1 {
            let row = value.transformer.row(input);
            debug_assert_eq!(row.len(), self.shape.value.hidden);
            import_row(&mut self.value_inputs, tile, input, &layer, row, unrounding);
        }
        let biases = &value.transformer.biases;
        import_row(
            &mut self.value_inputs,
            tile,
            tile - 1,
            &layer,
            biases,
            unrounding,
        );
        let layer = value.shape().output();
        for output in 0..layer.outputs {
            let bias = unrounding.float(value.output_biases[output], layer.bias_scale);
            self.output_biases.values[output / WIDTH].0[output % WIDTH] = bias;
            let weights = &value.output_weights[output * layer.inputs..][..layer.inputs];
            let strips = &mut self.outputs.values[output * layer.inputs / WIDTH..];
            let floats = strips.iter_mut().flat_map(|strip| &mut strip.0);
            for (float, &weight) in floats.zip(weights) {
                *float = unrounding.float(weight.into(), layer.weight_scale);
            }
        }
    }
}

/// The integers of one input, from a tensor with this many strips per tile.
fn export_row(tensor: &Tensor, tile: usize, input: usize, layer: &Layer, row: &mut [i16]) {
    let largest = layer.largest_weight;
    for (column, weight) in row.iter_mut().enumerate() {
        let strip = &tensor.values[column / WIDTH * tile + input];
        let number = integer(strip.0[column % WIDTH], layer.weight_scale);
        *weight = number.clamp(-largest, largest) as i16;
    }
}

fn import_row(
    tensor: &mut Tensor,
    tile: usize,
    input: usize,
    layer: &Layer,
    row: &[i16],
    unrounding: &mut Unrounding,
) {
    for (column, &weight) in row.iter().enumerate() {
        let strip = &mut tensor.values[column / WIDTH * tile + input];
        strip.0[column % WIDTH] = unrounding.float(weight.into(), layer.weight_scale);
    }
}
