//! Measures how well a net, as it would play, does on held-out positions.

use super::example::Example;
use super::net::Goal;
use crate::Judged;
use crate::calibration::Bins;
use crate::float::{cross_entropy, softmax};
use crate::functions::ln;
use nets::policy::PolicyValue;
use nets::policy::resnet::{ResNetBatch, ResNetWeights, ValueKind};
use rayon::prelude::*;

/// The batch size of each thread.
const AT_ONCE: usize = 64;

/// Sums over positions.
#[derive(Clone, Copy, Default)]
struct Sums {
    moves: f64,
    with_move: f64,
    hits: f64,
    values: f64,
    with_value: f64,
    bins: Bins,
}

impl Sums {
    fn add(mut self, other: Sums) -> Sums {
        self.moves += other.moves;
        self.with_move += other.with_move;
        self.hits += other.hits;
        self.values += other.values;
        self.with_value += other.with_value;
        self.bins.add_all(&other.bins);
        self
    }
}

/// Judges weights on examples.
pub(super) fn judge(
    weights: &ResNetWeights,
    examples: &[Example],
    goal: &Goal,
    value_weight: f64,
) -> Judged {
    let first = ResNetBatch::of(weights);
    let parts: Vec<Sums> = examples
        .par_chunks(AT_ONCE)
        .map_init(
            || first.sibling(),
            |batch, examples| judge_some(batch, examples, goal),
        )
        .collect();
    let sums = parts.into_iter().fold(Sums::default(), Sums::add);
    let mean = |sum: f64, count: f64| sum / count.max(1.0);
    let moves = mean(sums.moves, sums.with_move);
    let values = mean(sums.values, sums.with_value);
    Judged {
        loss: moves + value_weight * values,
        positions: examples.len(),
        numbers: vec![
            ("policy_loss", moves),
            ("value_loss", values),
            ("top_1", mean(sums.hits, sums.with_move)),
            ("calibration", sums.bins.error()),
        ],
    }
}

fn judge_some(batch: &mut ResNetBatch, examples: &[Example], goal: &Goal) -> Sums {
    for example in examples {
        let moves: Vec<_> = example.moves.iter().map(|&(mv, _)| mv).collect();
        batch.put_scene(&example.scene(), &moves);
    }
    batch.run();
    let mut sums = Sums::default();
    for (number, example) in examples.iter().enumerate() {
        sums = sums.add(judge_one(batch, number, example, goal));
    }
    sums
}

fn judge_one(batch: &ResNetBatch, number: usize, example: &Example, goal: &Goal) -> Sums {
    let mut sums = Sums::default();
    let [of_moves, of_value] = example.weights.map(f64::from);
    let mut logits = batch.logits(number).to_vec();
    let shares: Vec<f32> = example.moves.iter().map(|&(_, share)| share).collect();
    let best = |values: &[f32]| (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
    let is_hit = best(&logits) == best(&shares);
    softmax(&mut logits);
    let probabilities = logits.iter().zip(&shares);
    let loss: f64 = probabilities
        .map(|(&it, &share)| -f64::from(share) * f64::from(ln(it)))
        .sum();
    sums.moves = of_moves * loss;
    sums.with_move = of_moves;
    sums.hits = of_moves * f64::from(u8::from(is_hit));
    let found = batch.chances(number);
    let [win, draw, loss] = example.chances;
    let value = win - loss;
    sums.values = of_value
        * match goal.value {
            ValueKind::Wdl => {
                let mut logs = [found.win, found.draw, found.loss].map(ln);
                cross_entropy(&mut logs, &[win, draw, loss])
            }
            ValueKind::Tanh => goal.error(found.value() - value).0,
        };
    sums.with_value = of_value;
    let expected = f64::from(0.5 * (1.0 + found.value()));
    sums.bins.add(expected, example.result);
    sums
}
