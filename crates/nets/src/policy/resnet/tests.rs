//! A whole net is compared with plain arithmetic in f64, and results must not depend on the
//! rest of a batch.

use super::*;
use crate::Model;
use crate::kernels::Kernels;
use crate::nnue::Random;
use crate::policy::moves::MoveIndex;
use crate::policy::planes::{Planes, Scene};
use crate::policy::{PolicyValue, Wanted};
use chess::{Board, Line};
use std::collections::BTreeMap;
use std::sync::Arc;

fn shape(policy: PolicyKind, value: ValueKind, moves: MoveIndex) -> ResNetShape {
    ResNetShape {
        channels: 5,
        blocks: 2,
        head_channels: 3,
        value_hidden: 7,
        policy,
        value,
        moves,
        ..ResNetShape::default()
    }
}

/// Weights whose batch norms are not the identity.
fn lively(shape: ResNetShape) -> ResNetWeights {
    let mut weights = ResNetWeights::initialised(shape.clone(), 5);
    let mut random = Random::new(6);
    let mut unit = move || random.up_to(1_000) as f32 / 1_000.0;
    for (tensor, values) in shape.tensors().iter().zip(weights.tensors_mut()) {
        for value in values {
            match tensor.kind {
                TensorKind::Gain => *value = 1.0 + 0.3 * unit(),
                TensorKind::Variance => *value = 1.5 + unit(),
                TensorKind::Mean | TensorKind::Offset | TensorKind::Bias => *value = 0.3 * unit(),
                TensorKind::Convolution | TensorKind::Linear => {}
            }
        }
    }
    weights
}

/// The net computed by its definition, planes before squares.
struct Reference<'a> {
    shape: &'a ResNetShape,
    tensors: BTreeMap<String, Vec<f64>>,
}

impl<'a> Reference<'a> {
    fn new(weights: &'a ResNetWeights) -> Reference<'a> {
        let shapes = weights.shape().tensors();
        let values = |values: &Vec<f32>| values.iter().map(|&value| f64::from(value)).collect();
        Reference {
            shape: weights.shape(),
            tensors: shapes
                .into_iter()
                .zip(weights.tensors())
                .map(|(tensor, it)| (tensor.name, values(it)))
                .collect(),
        }
    }

    fn layer(&self, name: &str, source: &[f64], size: i32) -> Vec<f64> {
        let part = |part: &str| &self.tensors[&format!("{name}.{part}")];
        let weights = part("convolution.weight");
        let (inputs, outputs) = (source.len() / 64, part("norm.bias").len());
        let taps = (size * size) as usize;
        let mut target = vec![0.0; outputs * 64];
        for (at, value) in target.iter_mut().enumerate() {
            let (output, rank, file) = (at / 64, at as i32 % 64 / 8, at as i32 % 8);
            for tap in 0..taps {
                let offset = |place: i32| place - size / 2;
                let rank = rank + offset(tap as i32 / size);
                let file = file + offset(tap as i32 % size);
                if !(0..8).contains(&rank) || !(0..8).contains(&file) {
                    continue;
                }
                for input in 0..inputs {
                    *value += source[input * 64 + (rank * 8 + file) as usize]
                        * weights[(output * inputs + input) * taps + tap];
                }
            }
            let deviation = (part("norm.running_var")[output] + f64::from(NORM_EPSILON)).sqrt();
            *value = (*value - part("norm.running_mean")[output]) / deviation
                * part("norm.weight")[output]
                + part("norm.bias")[output];
        }
        target
    }

    fn linear(&self, name: &str, source: &[f64]) -> Vec<f64> {
        let weights = &self.tensors[&format!("{name}.weight")];
        let bias = &self.tensors[&format!("{name}.bias")];
        let rows = weights.chunks(source.len()).zip(bias);
        rows.map(|(row, bias)| row.iter().zip(source).map(|(a, b)| a * b).sum::<f64>() + bias)
            .collect()
    }

    /// The logits of all moves, and the outputs of the value head.
    fn run(&self, planes: &[f32]) -> (Vec<f64>, Vec<f64>) {
        let relu = |values: Vec<f64>| -> Vec<f64> {
            values.into_iter().map(|value| value.max(0.0)).collect()
        };
        let planes: Vec<f64> = planes.iter().map(|&value| f64::from(value)).collect();
        let mut values = relu(self.layer("stem", &planes, 3));
        for block in 0..self.shape.blocks {
            let first = relu(self.layer(&format!("blocks.{block}.first"), &values, 3));
            let second = self.layer(&format!("blocks.{block}.second"), &first, 3);
            let sums = second.iter().zip(&values).map(|(a, b)| a + b).collect();
            values = relu(sums);
        }
        let policy = relu(self.layer("policy", &values, 1));
        let mut logits = self.linear("policy.moves", &policy);
        if self.shape.policy == PolicyKind::Factored {
            let origins = self.linear("policy.origin", &policy);
            let targets = self.shape.moves.targets();
            for (index, logit) in logits.iter_mut().enumerate() {
                *logit += origins[index / targets];
            }
        }
        let value = relu(self.layer("value", &values, 1));
        let hidden = relu(self.linear("value.hidden", &value));
        (logits, self.linear("value.output", &hidden))
    }
}

fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    let mut random = Random::new(9);
    for _ in 0..40 {
        let mut line = Line::new(Board::start());
        for _ in 0..random.number() % 60 {
            let moves = line.board().legal_moves();
            if moves.is_empty() {
                break;
            }
            line.push(moves[random.number() as usize % moves.len()]);
        }
        if !line.board().legal_moves().is_empty() {
            lines.push(line);
        }
    }
    lines
}

#[test]
fn nets_compute_what_their_definition_says() {
    for (policy, value, moves) in [
        (PolicyKind::Flat, ValueKind::Tanh, MoveIndex::FromTo),
        (PolicyKind::Factored, ValueKind::Wdl, MoveIndex::FromPlane),
        (PolicyKind::Factored, ValueKind::Wdl, MoveIndex::FromTo),
    ] {
        let weights = lively(shape(policy, value, moves));
        let planes: Planes = weights.shape().planes;
        let reference = Reference::new(&weights);
        let network = Arc::new(network::Network::of(&weights));
        for kernels in Kernels::available() {
            let mut batch = ResNetBatch::with_kernels(network.clone(), kernels);
            for line in lines().iter().take(5) {
                let legal = line.board().legal_moves();
                batch.put(line, Wanted::Both(&legal));
                batch.run();
                let mut seen = vec![0.0; 64 * planes.count()];
                planes.write_planes(&Scene::of(line), &mut seen);
                let (logits, outputs) = reference.run(&seen);
                for (&mv, &found) in legal.iter().zip(batch.logits(0)) {
                    let turned = planes.turns(line.board().side_to_move());
                    let (index, offset) = moves.of(mv, turned);
                    let expected = logits[index] + f64::from(offset);
                    assert!(
                        (f64::from(found) - expected).abs() < 1e-4,
                        "{found} {expected}"
                    );
                }
                let expected = match value {
                    ValueKind::Tanh => outputs[0].tanh(),
                    ValueKind::Wdl => {
                        let powers: Vec<f64> = outputs.iter().map(|it| it.exp()).collect();
                        (powers[0] - powers[2]) / powers.iter().sum::<f64>()
                    }
                };
                let found = f64::from(batch.chances(0).value());
                assert!((found - expected).abs() < 1e-4, "{found} {expected}");
            }
        }
    }
}

#[test]
fn company_in_a_batch_changes_no_bit() {
    let shape = ResNetShape {
        channels: 20,
        blocks: 1,
        ..ResNetShape::default()
    };
    let bytes = lively(shape).to_bytes().expect("a file");
    let Ok(Model::ResNet(file)) = Model::from_bytes(&bytes) else {
        panic!("a ResNet")
    };
    let lines = lines();
    let (mut together, mut alone) = (file.batch(), file.batch());
    for line in &lines {
        together.put(line, Wanted::Both(&line.board().legal_moves()));
    }
    together.run();
    for (number, line) in lines.iter().enumerate() {
        let legal = line.board().legal_moves();
        alone.put(line, Wanted::Both(&legal));
        alone.run();
        assert_eq!(alone.logits(0), together.logits(number));
        assert_eq!(alone.chances(0), together.chances(number));
        alone.put(line, Wanted::Value);
        alone.run();
        assert!(alone.logits(0).is_empty());
        assert_eq!(alone.chances(0), together.chances(number));
    }
}

#[test]
fn models_of_this_kind_have_names_and_explanations() {
    let mut weights = lively(shape(PolicyKind::Flat, ValueKind::Wdl, MoveIndex::FromTo));
    weights.provenance.seed = Some(5);
    let bytes = weights.to_bytes().expect("a file");
    let model = Model::from_bytes(&bytes).expect("a model");
    assert_eq!(model.kind().to_string(), "resnet");
    assert!(model.name().starts_with("rn-") && model.name().ends_with(".tabianet"));
    assert_eq!(model.provenance().and_then(|it| it.seed), Some(5));
    assert!(model.policy_value().is_joint());
    assert!(
        model
            .explain(&Board::start())
            .contains("value for the side to move")
    );
    let Model::ResNet(file) = &model else {
        panic!("a ResNet")
    };
    let explained = file.explain(&Board::start());
    assert_eq!(explained.priors.len(), 20);
    let sum: f32 = explained.priors.iter().map(|(_, prior)| prior).sum();
    assert!((sum - 1.0).abs() < 1e-5);
}

#[test]
fn alpha_beta_gets_the_same_value() {
    use crate::Evaluator;
    let weights = lively(shape(PolicyKind::Flat, ValueKind::Wdl, MoveIndex::FromTo));
    let bytes = weights.to_bytes().expect("a file");
    let file = ResNetFile::from_bytes(&bytes).expect("a net");
    let mut evaluator = crate::policy::Expected::new(file.batch());
    let board = Board::start();
    evaluator.reset(&board);
    let value = evaluator.evaluate(&board);
    let expected = f64::from(file.explain(&board).chances.value());
    let expected = 400.0 * ((1.0 + expected) / (1.0 - expected)).ln();
    assert!(
        (f64::from(value) - expected).abs() < 0.51,
        "{value} {expected}"
    );
    let mv = board.legal_moves()[3];
    let child = board.after(mv);
    evaluator.push(&board, mv, &child);
    let _ = evaluator.evaluate(&child);
    evaluator.pop();
    assert_eq!(evaluator.evaluate(&board), value);
}

/// Every weight is finite, but the outputs are not.
#[test]
fn weights_that_are_too_large_are_refused() {
    let mut weights = lively(shape(PolicyKind::Flat, ValueKind::Wdl, MoveIndex::FromTo));
    for tensor in weights.tensors_mut() {
        tensor.iter_mut().for_each(|weight| *weight *= 1e30);
    }
    let bytes = weights.to_bytes().expect("finite weights");
    let refused = ResNetFile::from_bytes(&bytes).expect_err("no values");
    assert!(refused.to_string().contains("is not finite"), "{refused}");
}
