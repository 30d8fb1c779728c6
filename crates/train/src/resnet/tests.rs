//! Gradients against finite differences in f64 and against PyTorch; bits for any
//! number of threads.

mod script;

use super::batch::Batch;
use super::net::{Goal, Net, Trainer};
use super::settings::PolicyLoss;
use crate::float::{AdamW, Change, ScalarLoss};
use nets::kernels::Kernels;
use nets::policy::resnet::{
    NORM_EPSILON, PolicyKind, ResNetShape, ResNetWeights, TensorKind, ValueKind,
};
use nets::policy::{MoveIndex, Planes};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// Numbers from -1 to 1 that other languages can make, too.
fn made(tensor: usize, at: usize) -> f32 {
    let mixed = (at as u32)
        .wrapping_mul(2_654_435_761)
        .wrapping_add((tensor as u32).wrapping_mul(0x9E37_79B9));
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x85EB_CA6B);
    let mixed = mixed ^ mixed >> 13;
    (f64::from(mixed) / f64::from(u32::MAX) * 2.0 - 1.0) as f32
}

/// Weights of a shape, as the script of the golden values makes them.
fn weights(shape: &ResNetShape) -> ResNetWeights {
    let mut weights = ResNetWeights::new(shape.clone());
    let shapes = shape.tensors();
    for (number, (tensor, values)) in shapes.iter().zip(weights.tensors_mut()).enumerate() {
        for (at, value) in values.iter_mut().enumerate() {
            let number = made(number, at);
            *value = match tensor.kind {
                TensorKind::Convolution | TensorKind::Linear => {
                    number * (3.0 / tensor.fan_in() as f32).sqrt()
                }
                TensorKind::Gain => 1.0 + 0.3 * number,
                TensorKind::Bias | TensorKind::Offset => 0.2 * number,
                TensorKind::Mean => 0.0,
                TensorKind::Variance => 1.0,
            };
        }
    }
    weights
}

/// A batch out of nowhere: planes that are no position, rows that are no moves.
fn batch(shape: &ResNetShape, boards: usize) -> Batch {
    let mut batch = Batch::default();
    let planes = shape.planes.count();
    for board in 0..boards {
        for square in 0..64 {
            for plane in 0..planes {
                let at = (board * planes + plane) * 64 + square;
                batch.planes.push(made(1_000, at));
            }
        }
        let moves = 5 + board % 7;
        let mut shares: Vec<f32> = (0..moves)
            .map(|at| made(1_001, board * 64 + at).abs() + 0.01)
            .collect();
        let sum: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        for (at, share) in shares.into_iter().enumerate() {
            batch
                .rows
                .push(((37 * board + 113 * at) % shape.moves.count()) as u32);
            batch.offsets.push(0.1 * at as f32);
            batch.shares.push(share);
        }
        batch.ends.push(batch.rows.len());
        let mut chances: [f32; 3] =
            std::array::from_fn(|at| made(1_002, board * 3 + at).abs() + 0.01);
        let sum: f32 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= sum);
        batch.chances.push(chances);
        batch.weights.push([1.0 + (board % 3) as f32, 1.0]);
    }
    batch
}

fn goal(batch: &Batch, value: ValueKind, scalar: ScalarLoss) -> Goal {
    let [of_moves, of_values] = batch.totals();
    Goal {
        value,
        policy: PolicyLoss::Joint,
        scalar,
        of_moves: (1.0 / of_moves) as f32,
        of_values: (VALUE_WEIGHT / of_values) as f32,
    }
}

const VALUE_WEIGHT: f64 = 0.7;

fn small(policy: PolicyKind, value: ValueKind, moves: MoveIndex) -> ResNetShape {
    ResNetShape {
        planes: Planes {
            counters: false,
            ..Planes::default()
        },
        channels: 4,
        blocks: 2,
        head_channels: 2,
        value_hidden: 6,
        policy,
        value,
        moves,
    }
}

/// The loss of a batch by its definition, in f64, with the statistics of the batch.
struct Reference<'a> {
    shape: &'a ResNetShape,
    batch: &'a Batch,
    scalar: ScalarLoss,
    policy: PolicyLoss,
    names: BTreeMap<String, usize>,
}

impl<'a> Reference<'a> {
    fn new(shape: &'a ResNetShape, batch: &'a Batch, scalar: ScalarLoss) -> Reference<'a> {
        let names = shape.tensors().into_iter().enumerate();
        Reference {
            names: names.map(|(place, tensor)| (tensor.name, place)).collect(),
            shape,
            batch,
            scalar,
            policy: PolicyLoss::Joint,
        }
    }

    /// Boards of `[channel][square]` through a convolution and its norm.
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

    fn loss(&self, tensors: &[Vec<f64>]) -> f64 {
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
        match self.policy {
            PolicyLoss::Joint => joint,
            PolicyLoss::Factors => self.factors_loss(tensors, span, features),
        }
    }

    /// Two soft-maxes, by the chain rule of their logarithms.
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
                match self.scalar {
                    ScalarLoss::Mse => error * error,
                    ScalarLoss::Huber if error.abs() <= 1.0 => 0.5 * error * error,
                    ScalarLoss::Huber => error.abs() - 0.5,
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

/// The gradients of a net's parameters by the names of its tensors.
fn gradients(net: &mut Net) -> BTreeMap<String, Vec<f32>> {
    let shapes = net.shape().tensors();
    let learned = |kind| !matches!(kind, TensorKind::Mean | TensorKind::Variance);
    let names = shapes.into_iter().filter(|tensor| learned(tensor.kind));
    let parameters = net.parameters();
    names
        .zip(parameters)
        .map(|(tensor, parameter)| (tensor.name, parameter.gradient().to_vec()))
        .collect()
}

#[test]
fn gradients_equal_finite_differences() {
    use PolicyLoss::{Factors, Joint};
    for (policy, value, moves, scalar, loss) in [
        (
            PolicyKind::Flat,
            ValueKind::Tanh,
            MoveIndex::FromTo,
            ScalarLoss::Mse,
            Joint,
        ),
        (
            PolicyKind::Factored,
            ValueKind::Wdl,
            MoveIndex::FromPlane,
            ScalarLoss::Mse,
            Joint,
        ),
        (
            PolicyKind::Factored,
            ValueKind::Wdl,
            MoveIndex::FromTo,
            ScalarLoss::Mse,
            Factors,
        ),
        (
            PolicyKind::Flat,
            ValueKind::Tanh,
            MoveIndex::FromTo,
            ScalarLoss::Huber,
            Joint,
        ),
    ] {
        let shape = small(policy, value, moves);
        let (weights, mut batch) = (weights(&shape), batch(&shape, 5));
        if loss == Factors {
            // Several moves from each of two origins.
            let rows = 2 * moves.targets() as u32;
            batch.rows.iter_mut().for_each(|row| *row %= rows);
        }
        let batch = batch;
        let mut net = Net::new(&weights, false);
        let goal = Goal {
            policy: loss,
            ..goal(&batch, value, scalar)
        };
        let losses = net.measure(&mut Trainer::default(), &batch, &goal);
        let mut reference = Reference::new(&shape, &batch, scalar);
        reference.policy = loss;
        let wide = |values: &Vec<f32>| values.iter().map(|&it| f64::from(it)).collect();
        let mut tensors: Vec<Vec<f64>> = weights.tensors().iter().map(wide).collect();
        let loss = reference.loss(&tensors);
        let found = losses.moves + VALUE_WEIGHT * losses.values;
        assert!((found - loss).abs() < 1e-5 * loss, "{found} {loss}");
        for (name, gradient) in gradients(&mut net) {
            let place = reference.names[&name];
            let largest = gradient.iter().fold(0.0_f32, |most, it| most.max(it.abs()));
            // The largest, and some others that are not much smaller.
            let mut places: Vec<usize> = (0..gradient.len())
                .filter(|&at| gradient[at].abs() >= 0.05 * largest)
                .collect();
            let step = places.len().div_ceil(6);
            places = places.into_iter().step_by(step.max(1)).collect();
            for at in places {
                let mut moved = |by: f64| {
                    tensors[place][at] += by;
                    let loss = reference.loss(&tensors);
                    tensors[place][at] -= by;
                    loss
                };
                let measured = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                let off = (f64::from(gradient[at]) - measured).abs();
                let size = measured.abs().max(0.05 * f64::from(largest));
                assert!(
                    off < 1e-3 * size,
                    "{name} {at}: {} {measured}",
                    gradient[at]
                );
            }
        }
    }
}

/// What PyTorch says of the same net and batch; `scripts/golden-resnet` makes it anew.
#[derive(Deserialize)]
struct Golden {
    torch: String,
    nets: Vec<GoldenNet>,
}

#[derive(Deserialize)]
struct GoldenNet {
    policy: PolicyKind,
    value: ValueKind,
    moves: MoveIndex,
    scalar: ScalarLoss,
    boards: usize,
    policy_loss: f64,
    value_loss: f64,
    /// For each tensor the length of its gradient, and some of its values.
    gradients: BTreeMap<String, GoldenGradient>,
    /// The same of the weights after so many steps of AdamW.
    steps: u64,
    after: BTreeMap<String, GoldenGradient>,
}

#[derive(Deserialize)]
struct GoldenGradient {
    length: f64,
    values: Vec<f64>,
}

impl GoldenGradient {
    fn check(&self, name: &str, values: &[f32], tolerance: f64) {
        let squares = values.iter().map(|&value| f64::from(value).powi(2));
        let length = squares.sum::<f64>().sqrt();
        assert!(
            (length - self.length).abs() <= tolerance * self.length,
            "{name}: {length} {}",
            self.length
        );
        let step = values.len().div_ceil(self.values.len());
        let mean = self.length / (values.len() as f64).sqrt();
        for (at, expected) in self.values.iter().enumerate() {
            let found = f64::from(values[at * step]);
            let off = (found - expected).abs();
            assert!(
                off <= tolerance * expected.abs().max(mean),
                "{name} {at}: {found} {expected}"
            );
        }
    }
}

#[test]
fn losses_gradients_and_steps_equal_those_of_pytorch() {
    let text = include_str!("golden.json");
    let golden: Golden = serde_json::from_str(text).expect("golden values");
    assert!(!golden.torch.is_empty() && golden.nets.len() >= 2);
    for golden in &golden.nets {
        let shape = small(golden.policy, golden.value, golden.moves);
        let (weights, batch) = (weights(&shape), batch(&shape, golden.boards));
        for kernels in Kernels::available() {
            let mut net = Net::new(&weights, false);
            let mut trainer = Trainer::with_kernels(kernels);
            let goal = goal(&batch, golden.value, golden.scalar);
            let losses = net.measure(&mut trainer, &batch, &goal);
            for (found, expected) in [
                (losses.moves, golden.policy_loss),
                (losses.values, golden.value_loss),
            ] {
                assert!(
                    (found - expected).abs() < 1e-4 * expected,
                    "{found} {expected}"
                );
            }
            for (name, gradient) in gradients(&mut net) {
                golden.gradients[&name].check(&name, &gradient, 1e-3);
            }
            for number in 1..=golden.steps {
                net.measure(&mut trainer, &batch, &goal);
                net.change(&Change {
                    optimiser: AdamW {
                        gradient_norm: 0.5,
                        ..AdamW::default()
                    },
                    number,
                    learning_rate: 1e-3,
                    ema_share: 0.0,
                });
            }
            let shapes = shape.tensors();
            for (tensor, values) in shapes.iter().zip(net.weights(false).tensors()) {
                let name = &tensor.name;
                golden.after[name].check(name, values, 2e-3);
            }
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let shape = small(PolicyKind::Factored, ValueKind::Wdl, MoveIndex::FromTo);
    let (weights, batch) = (weights(&shape), batch(&shape, 150));
    let learned = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let mut net = Net::new(&weights, true);
            let mut trainer = Trainer::default();
            let goal = goal(&batch, ValueKind::Wdl, ScalarLoss::Mse);
            let mut losses = Vec::new();
            for number in 1..=3 {
                losses.push(net.measure(&mut trainer, &batch, &goal));
                net.change(&Change {
                    optimiser: AdamW::default(),
                    number,
                    learning_rate: 1e-2,
                    ema_share: 0.1,
                });
            }
            (losses, net.weights(false), net.weights(true))
        })
    };
    let alone = learned(1);
    assert!(alone.0[2].moves < alone.0[0].moves);
    assert_ne!(alone.1, alone.2);
    assert_eq!(alone, learned(2));
    assert_eq!(alone, learned(5));
}
