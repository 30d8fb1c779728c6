//! Layers of which each input uses only some outputs: the logits of legal moves.

use super::parameter::{Decay, Parameter};
use nets::kernels::Kernels;
use rayon::prelude::*;

/// A row of weights and a bias for each output.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) weights: Parameter,
    pub(crate) bias: Parameter,
    width: usize,
}

/// Which inputs use each row, in the order of the inputs, with the gradients of their outputs.
#[derive(Debug, Default)]
pub(crate) struct RowUses {
    starts: Vec<u32>,
    uses: Vec<(u32, f32)>,
}

impl RowUses {
    /// Set from all uses in the order of inputs: input, row, gradient of the output.
    pub(crate) fn set(
        &mut self,
        rows: usize,
        uses: impl Iterator<Item = (usize, u32, f32)> + Clone,
    ) {
        self.starts.clear();
        self.starts.resize(rows + 1, 0);
        let mut count = 0;
        for (_, row, _) in uses.clone() {
            self.starts[row as usize + 1] += 1;
            count += 1;
        }
        for row in 0..rows {
            self.starts[row + 1] += self.starts[row];
        }
        let mut next = self.starts.clone();
        self.uses.clear();
        self.uses.resize(count, (0, 0.0));
        for (input, row, slope) in uses {
            let place = &mut next[row as usize];
            self.uses[*place as usize] = (input as u32, slope);
            *place += 1;
        }
    }

    /// The gradient of rows of this width; each row is summed by one thread in the order of inputs.
    pub(crate) fn gather<'a>(
        &self,
        width: usize,
        gradient: &mut [f32],
        input: impl Fn(usize) -> &'a [f32] + Sync,
    ) {
        gradient
            .par_chunks_exact_mut(width)
            .enumerate()
            .for_each(|(row, gradient)| {
                gradient.fill(0.0);
                for &(number, slope) in self.of(row) {
                    for (sum, value) in gradient.iter_mut().zip(input(number as usize)) {
                        *sum += slope * value;
                    }
                }
            });
    }

    fn of(&self, row: usize) -> &[(u32, f32)] {
        &self.uses[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

impl Rows {
    /// A layer with weights `[row][value]`.
    pub(crate) fn new(weights: &[f32], bias: &[f32], keeps_average: bool) -> Rows {
        Rows {
            weights: Parameter::new(weights, Decay::Yes, keeps_average),
            bias: Parameter::new(bias, Decay::No, keeps_average),
            width: weights.len() / bias.len(),
        }
    }

    /// How many rows there are.
    pub(crate) fn count(&self) -> usize {
        self.bias.values().len()
    }

    /// The outputs of the listed rows.
    pub(crate) fn forward(
        &self,
        kernels: &Kernels,
        source: &[f32],
        rows: &[u32],
        target: &mut [f32],
    ) {
        kernels.listed_rows(self.weights.values(), source, rows, target);
        for (value, &row) in target.iter_mut().zip(rows) {
            *value += self.bias.values()[row as usize];
        }
    }

    /// Adds the gradient of the inputs from that of the outputs of the listed rows.
    pub(crate) fn backward(&self, rows: &[u32], slopes: &[f32], target: &mut [f32]) {
        let weights = self.weights.values();
        for (&row, &slope) in rows.iter().zip(slopes) {
            let row = &weights[row as usize * self.width..][..self.width];
            for (value, weight) in target.iter_mut().zip(row) {
                *value += slope * weight;
            }
        }
    }

    /// The gradient of weights and biases over all inputs.
    pub(crate) fn settle<'a>(&mut self, uses: &RowUses, input: impl Fn(usize) -> &'a [f32] + Sync) {
        uses.gather(self.width, self.weights.gradient_mut(), input);
        for (row, gradient) in self.bias.gradient_mut().iter_mut().enumerate() {
            *gradient = uses.of(row).iter().map(|(_, slope)| slope).sum();
        }
    }
}
