//! A reference implementation of the loss.

use super::*;
use nets::policy::resnet::NORM_EPSILON;
use std::ops::Range;

/// The loss of a batch straight from its definition, in f64, with the statistics of the batch.
pub(super) struct Reference<'a> {
    shape: &'a ResNetShape,
    batch: &'a Batch,
    goal: &'a Goal,
    pub(super) names: BTreeMap<String, usize>,
}

impl<'a> Reference<'a> {
    pub(super) fn new(shape: &'a ResNetShape, batch: &'a Batch, goal: &'a Goal) -> Reference<'a> {
        let names = shape.tensors().into_iter().enumerate();
        Reference {
            names: names.map(|(place, tensor)| (tensor.name, place)).collect(),
            shape,
            batch,
            goal,
        }
    }

    /// A convolution and its norm, on boards of `[channel][square]`.
    fn layer(&self, tensors: &[Vec<f64>], name: &str, boards: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let get = |part: &str| &tensors[self.names[&format!("{name}.{part}")]];
        let (kernel, gain, offset) = (
            get("convolution.weight"),
            get("norm.weight"),
            get("norm.bias"),
        );
        let outputs = gain.len();
        let inputs = boards[0].len() / 64;
        let taps = kernel.len() / (outputs * inputs);
        let size = if taps == 9 { 3 } else { 1 };
        let mut results: Vec<Vec<f64>> = boards
            .iter()
            .map(|board| {
                let mut result = vec![0.0; outputs * 64];
                for (at, value) in result.iter_mut().enumerate() {
                    let (output, rank, file) = (at / 64, at as i32 % 64 / 8, at as i32 % 8);
                    for tap in 0..taps {
                        let rank = rank + tap as i32 / size - size / 2;
                        let file = file + tap as i32 % size - size / 2;
                        if !(0..8).contains(&rank) || !(0..8).contains(&file) {
                            continue;
                        }
                        for input in 0..inputs {
                            *value += board[input * 64 + (rank * 8 + file) as usize]
                                * kernel[(output * inputs + input) * taps + tap];
                        }
                    }
                }
                result
            })
            .collect();
        let count = (64 * boards.len()) as f64;
        for output in 0..outputs {
            let span = output * 64..output * 64 + 64;
            let all = |results: &[Vec<f64>], function: &dyn Fn(f64) -> f64| -> f64 {
                let values = results.iter().flat_map(|board| &board[span.clone()]);
                values.map(|&value| function(value)).sum::<f64>() / count
            };
            let mean = all(&results, &|value| value);
            let variance = all(&results, &|value| (value - mean).powi(2));
            let scale = gain[output] / (variance + f64::from(NORM_EPSILON)).sqrt();
            for board in &mut results {
                for value in &mut board[span.clone()] {
                    *value = (*value - mean) * scale + offset[output];
                }
            }
        }
        results
    }

    fn linear(&self, tensors: &[Vec<f64>], name: &str, source: &[f64], row: usize) -> f64 {
        let weights = &tensors[self.names[&format!("{name}.weight")]];
        let weights = &weights[row * source.len()..][..source.len()];
        let sum: f64 = weights.iter().zip(source).map(|(a, b)| a * b).sum();
        sum + tensors[self.names[&format!("{name}.bias")]][row]
    }

    pub(super) fn loss(&self, tensors: &[Vec<f64>]) -> f64 {
        let relu = |boards: Vec<Vec<f64>>| -> Vec<Vec<f64>> {
            let cut = |board: Vec<f64>| board.into_iter().map(|value| value.max(0.0)).collect();
            boards.into_iter().map(cut).collect()
        };
        let planes = self.shape.planes.count();
        let mut boards: Vec<Vec<f64>> = self
            .batch
            .planes
            .chunks(64 * planes)
            .map(|board| {
                let at = |at: usize| board[at % 64 * planes + at / 64];
                (0..64 * planes).map(|place| f64::from(at(place))).collect()
            })
            .collect();
        boards = relu(self.layer(tensors, "stem", &boards));
        for block in 0..self.shape.blocks {
            let first = relu(self.layer(tensors, &format!("blocks.{block}.first"), &boards));
            let mut second = self.layer(tensors, &format!("blocks.{block}.second"), &first);
            for (board, input) in second.iter_mut().zip(&boards) {
                for (value, input) in board.iter_mut().zip(input) {
                    *value += input;
                }
            }
            boards = relu(second);
        }
        let policy = relu(self.layer(tensors, "policy", &boards));
        let value = relu(self.layer(tensors, "value", &boards));
        let [of_moves, of_values] = self.batch.totals();
        let mut loss = 0.0;
        for board in 0..self.batch.len() {
            let [weight, value_weight] = self.batch.weights[board].map(f64::from);
            loss += weight / of_moves * self.moves_loss(tensors, board, &policy[board]);
            loss += VALUE_WEIGHT * value_weight / of_values
                * self.value_loss(tensors, board, &value[board]);
        }
        loss
    }

    fn moves_loss(&self, tensors: &[Vec<f64>], board: usize, features: &[f64]) -> f64 {
        let span = self.batch.span(board);
        let logit = |at: usize| {
            let row = self.batch.rows[at] as usize;
            let mut logit = self.linear(tensors, "policy.moves", features, row);
            if self.shape.policy == PolicyKind::Factored {
                let origin = row / self.shape.moves.targets();
                logit += self.linear(tensors, "policy.origin", features, origin);
            }
            logit + f64::from(self.batch.offsets[at])
        };
        let logits: Vec<f64> = span.clone().map(logit).collect();
        let joint = cross_entropy(&logits, &self.batch.shares[span.clone()]);
        match self.goal.policy {
            PolicyLoss::Joint => joint,
            PolicyLoss::Factors => self.factors_loss(tensors, span, features),
        }
    }

    /// Two softmaxes, by the chain rule of their logarithms.
    fn factors_loss(&self, tensors: &[Vec<f64>], span: Range<usize>, features: &[f64]) -> f64 {
        let targets = self.shape.moves.targets();
        let origin = |at: usize| self.batch.rows[at] as usize / targets;
        let way = |at: usize| {
            let row = self.batch.rows[at] as usize;
            let logit = self.linear(tensors, "policy.moves", features, row);
            logit + f64::from(self.batch.offsets[at])
        };
        let of_origin = |row: usize| self.linear(tensors, "policy.origin", features, row);
        let origins: std::collections::BTreeSet<usize> = span.clone().map(origin).collect();
        let all: f64 = origins.iter().map(|&row| of_origin(row).exp()).sum();
        let each = span.clone().map(|at| {
            let own = origin(at);
            let ways = span.clone().filter(|&other| origin(other) == own);
            let sum: f64 = ways.map(|other| way(other).exp()).sum();
            let logarithm = of_origin(own) - all.ln() + way(at) - sum.ln();
            -f64::from(self.batch.shares[at]) * logarithm
        });
        each.sum()
    }

    fn value_loss(&self, tensors: &[Vec<f64>], board: usize, features: &[f64]) -> f64 {
        let hidden: Vec<f64> = (0..self.shape.value_hidden)
            .map(|row| self.linear(tensors, "value.hidden", features, row).max(0.0))
            .collect();
        let outputs: Vec<f64> = (0..self.shape.value.outputs())
            .map(|row| self.linear(tensors, "value.output", &hidden, row))
            .collect();
        let chances = self.batch.chances[board];
        match self.shape.value {
            ValueKind::Wdl => cross_entropy(&outputs, &chances),
            ValueKind::Tanh => {
                let error = outputs[0].tanh() - f64::from(chances[0] - chances[2]);
                let delta = f64::from(self.goal.huber_delta);
                match self.goal.scalar {
                    ScalarLoss::Mse => error * error,
                    ScalarLoss::Huber if error.abs() <= delta => 0.5 * error * error,
                    ScalarLoss::Huber => delta * (error.abs() - 0.5 * delta),
                }
            }
        }
    }
}

fn cross_entropy(logits: &[f64], target: &[f32]) -> f64 {
    let sum: f64 = logits.iter().map(|logit| logit.exp()).sum();
    let each = logits.iter().zip(target);
    each.map(|(logit, &share)| f64::from(share) * (sum.ln() - logit))
        .sum()
}
