//! Compares gradients with finite differences in f64 and with PyTorch; checks that any number of
//! threads gives the same bits.

mod reference;
mod script;

use super::batch::Batch;
use super::net::{Goal, Net, Trainer};
use super::settings::PolicyLoss;
use crate::float::{AdamW, Change, ScalarLoss, mean_factor};
use nets::kernels::Kernels;
use nets::policy::resnet::{PolicyKind, ResNetShape, ResNetWeights, TensorKind, ValueKind};
use nets::policy::{MoveIndex, Planes};
use reference::Reference;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Pseudo-random numbers from -1 to 1 that other languages can reproduce.
fn made(tensor: usize, at: usize) -> f32 {
    let mixed = (at as u32)
        .wrapping_mul(2_654_435_761)
        .wrapping_add((tensor as u32).wrapping_mul(0x9E37_79B9));
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x85EB_CA6B);
    let mixed = mixed ^ mixed >> 13;
    (f64::from(mixed) / f64::from(u32::MAX) * 2.0 - 1.0) as f32
}

/// The weights of a shape, as the script that makes the golden values computes them.
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

/// An artificial batch: its planes are not positions, its rows are not moves.
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
    let [of_moves, of_values] = batch.totals().map(mean_factor);
    Goal {
        value,
        policy: PolicyLoss::Joint,
        scalar,
        huber_delta: 1.0,
        of_moves: of_moves as f32,
        of_values: (VALUE_WEIGHT * of_values) as f32,
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

/// The gradients of a net's parameters, by the names of its tensors.
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
            huber_delta: 0.4,
            ..goal(&batch, value, scalar)
        };
        let losses = net.measure(&mut Trainer::default(), &batch, &goal);
        let reference = Reference::new(&shape, &batch, &goal);
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

/// PyTorch's results for the same net and batch; `scripts/golden-resnet` recomputes them.
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
    /// For each tensor the norm of its gradient, and some of its values.
    gradients: BTreeMap<String, GoldenGradient>,
    /// The same for the weights after this many steps of AdamW.
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

/// In a small batch of self-play every search may have been a cheap one.
#[test]
fn a_batch_without_moves_to_learn_teaches_values_only() {
    let shape = small(PolicyKind::Flat, ValueKind::Wdl, MoveIndex::FromTo);
    let mut batch = batch(&shape, 8);
    batch.weights.fill([0.0, 1.0]);
    let mut net = Net::new(&weights(&shape), false);
    let goal = goal(&batch, ValueKind::Wdl, ScalarLoss::Mse);
    let losses = net.measure(&mut Trainer::default(), &batch, &goal);
    assert_eq!(losses.moves, 0.0);
    assert!(losses.values > 0.0);
    for (name, gradient) in gradients(&mut net) {
        assert!(gradient.iter().all(|slope| slope.is_finite()), "{name}");
        let is_of_policy = name.starts_with("policy");
        assert_eq!(
            is_of_policy,
            gradient.iter().all(|&slope| slope == 0.0),
            "{name}"
        );
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
