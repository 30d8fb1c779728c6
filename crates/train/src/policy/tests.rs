//! Compares gradients with finite differences of an independent forward pass in 64 bits, and
//! results between numbers of threads; checks what rounding loses, and that a net can learn.

use super::batch::{Aim, Batch};
use super::trainee::PolicyTrainee;
use super::wdl::Wdl;
use crate::descent::{Optimiser, Step};
use crate::lanes::WIDTH;
use chess::{Board, Color};
use data::policy::PolicyRecord;
use data::position::{Outcome, Position};
use nets::nnue::{Activation, Inputs, OUTCOMES, Random, SimpleScales, SimpleShape};
use nets::policy::sparse::{INPUTS, PolicyShape, ROWS, Seen};
use nets::policy::{PolicyEvaluator, PolicyNet};
use std::sync::Arc;

const WDL: Wdl = Wdl {
    offset: 120.0,
    scaling: 90.0,
};
const AIM: Aim = Aim::new(WDL, 0.6, 0.1);
const BUCKETS: usize = 2;

fn shape() -> PolicyShape {
    PolicyShape {
        hidden: 128,
        value: SimpleShape {
            inputs: Inputs::piece_square([0; 64], true).expect("one bucket"),
            hidden: 32,
            activation: Activation::Screlu,
            output_buckets: OUTCOMES * BUCKETS,
            scales: SimpleScales::default(),
        },
    }
}

/// Positions of random games with arbitrary labels; some have no policy target.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut board = match random.number() % 4 {
            0 => Board::chess960((random.number() % 960) as u16).expect("a number below 960"),
            _ => Board::start(),
        };
        for ply in 0..90 {
            let moves = board.legal_moves();
            if moves.is_empty() || positions.len() == count {
                break;
            }
            let mv = moves[(random.number() % moves.len() as u64) as usize];
            positions.push(Position {
                board,
                mv: (!random.number().is_multiple_of(8)).then_some(mv),
                score: random.up_to(400) as i16,
                result: Outcome::ALL[(random.number() % 3) as usize],
                ply,
            });
            board.make(mv);
        }
    }
    positions
}

fn trainee(batch: usize) -> PolicyTrainee {
    PolicyTrainee::new(shape(), batch, [false, false], 7).expect("memory")
}

fn batch_of(positions: &[Position], aim: &Aim) -> Batch {
    let mut batch = Batch::new(shape().value.inputs, BUCKETS);
    batch.set(positions, aim);
    batch
}

/// All weights of a net by tensors, in the net's order.
fn numbers(net: &mut PolicyTrainee) -> Vec<Vec<f64>> {
    let numbers = |strips: &[crate::lanes::Strip]| -> Vec<f64> {
        let all = strips.iter().flat_map(|strip| strip.0);
        all.map(f64::from).collect()
    };
    let tensors = net.tensors().into_iter();
    tensors.map(|(_, tensor)| numbers(&tensor.values)).collect()
}

/// The loss of positions straight from the definition, without blocks, tiles or strips except for
/// the layout of weights.
struct Reference {
    shape: PolicyShape,
    weights: Vec<Vec<f64>>,
}

impl Reference {
    fn loss(&self, positions: &[Position], aim: &Aim) -> f64 {
        let policies = positions.iter().filter_map(|it| self.policy(it, aim));
        let policies: Vec<f64> = policies.collect();
        let values = positions.iter().map(|it| self.value(it, aim));
        policies.iter().sum::<f64>() / policies.len() as f64
            + values.sum::<f64>() / positions.len() as f64
    }

    /// The sums of a first layer.
    fn sums(&self, tensor: usize, tile: usize, hidden: usize, active: &[usize]) -> Vec<f64> {
        let at = |input: usize, column: usize| {
            self.weights[tensor][(column / WIDTH * tile + input) * WIDTH + column % WIDTH]
        };
        let sum = |column: usize| {
            let shares = active.iter().map(|&input| at(input, column));
            at(tile - 1, column) + shares.sum::<f64>()
        };
        (0..hidden).map(sum).collect()
    }

    fn policy(&self, position: &Position, aim: &Aim) -> Option<f64> {
        let board = &position.board;
        let moves = board.legal_moves();
        let played = moves.iter().position(|&mv| Some(mv) == position.mv)?;
        if moves.len() < 2 {
            return None;
        }
        let seen = Seen::of(board);
        let mut active = Vec::new();
        seen.inputs(board, |input| active.push(input));
        let (hidden, half) = (self.shape.hidden, self.shape.hidden / 2);
        let sums = self.sums(0, INPUTS + 1, hidden, &active);
        let product =
            |column: usize| sums[column].clamp(0.0, 1.0) * sums[half + column].clamp(0.0, 1.0);
        let logit = |row: usize| {
            let share = |column: usize| {
                let place = (column / WIDTH * ROWS + row) * WIDTH + column % WIDTH;
                product(column) * self.weights[1][place]
            };
            self.weights[2][row] + (0..half).map(share).sum::<f64>()
        };
        let logits = moves.iter().map(|&mv| logit(seen.row(board, mv).into()));
        let logits: Vec<f64> = logits.collect();
        let total = logits.iter().map(|logit| logit.exp()).sum::<f64>().ln();
        let (smoothing, count) = (f64::from(aim.record.smoothing), moves.len() as f64);
        let loss = |(index, logit): (usize, &f64)| {
            let certain = if index == played {
                1.0 - smoothing
            } else {
                0.0
            };
            (certain + smoothing / count) * (total - logit)
        };
        Some(logits.iter().enumerate().map(loss).sum())
    }

    fn value(&self, position: &Position, aim: &Aim) -> f64 {
        let (board, value) = (&position.board, &self.shape.value);
        let us = board.side_to_move();
        let sums = [us, !us].map(|color: Color| {
            let active: Vec<usize> = value.inputs.active(board, color).collect();
            self.sums(3, value.inputs.count() + 1, value.hidden, &active)
        });
        let first = value.first_outcome(board.occupied().count());
        let logit = |outcome: usize| {
            let mut logit = self.weights[5][first + outcome];
            for (side, sums) in sums.iter().enumerate() {
                for (column, sum) in sums.iter().enumerate() {
                    let place = ((first + outcome) * 2 + side) * value.hidden + column;
                    logit += sum.clamp(0.0, 1.0).powi(2) * self.weights[4][place];
                }
            }
            logit
        };
        let logits: [f64; OUTCOMES] = std::array::from_fn(logit);
        let total = logits.iter().map(|logit| logit.exp()).sum::<f64>().ln();
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let (score, wdl) = (f64::from(position.score), aim.wdl);
        let chance = |score: f64| sigmoid((score - f64::from(wdl.offset)) / f64::from(wdl.scaling));
        let (win, loss) = (chance(score), chance(-score));
        let happened = |outcome| f64::from(u8::from(position.result == outcome));
        let lambda = f64::from(aim.record.lambda);
        [
            (win, Outcome::Win),
            (1.0 - win - loss, Outcome::Draw),
            (loss, Outcome::Loss),
        ]
        .into_iter()
        .zip(logits)
        .map(|((share, outcome), logit)| {
            (lambda * share + (1.0 - lambda) * happened(outcome)) * (total - logit)
        })
        .sum()
    }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    // More than a block, so that sums over blocks are tested.
    let positions = positions(1_100, 3);
    let batch = batch_of(&positions, &AIM);
    let mut net = trainee(1_200);
    let mut reference = Reference {
        shape: shape(),
        weights: numbers(&mut net),
    };
    let optimiser = Optimiser {
        decay: 0.0,
        ..Optimiser::default()
    };
    let measure = net.learn(&batch, &Step::new(optimiser, 1, 0.0, 0.0));
    let expected = reference.loss(&positions, &AIM);
    let loss = measure.policy + measure.value;
    assert!(
        (loss - expected).abs() < 1e-5 * expected,
        "{loss} {expected}"
    );
    // After the first step, the means are the gradients times 1 - beta1.
    let kept = f64::from(1.0 - optimiser.beta1);
    let gradients: Vec<Vec<f64>> = net
        .tensors()
        .into_iter()
        .map(|(_, tensor)| {
            let numbers = tensor.means.iter().flat_map(|strip| strip.0);
            numbers.map(|mean| f64::from(mean) / kept).collect()
        })
        .collect();
    let mut random = Random::new(5);
    for (tensor, gradients) in gradients.iter().enumerate() {
        let largest = gradients
            .iter()
            .fold(0.0, |most: f64, it| most.max(it.abs()));
        assert!(largest > 0.0, "tensor {tensor} learns nothing");
        // Small gradients are lost in the rounding of 32-bit sums.
        let mut tried = 0;
        while tried < 6 {
            let place = random.number() as usize % gradients.len();
            if gradients[place].abs() < 0.05 * largest {
                continue;
            }
            tried += 1;
            let step = 1e-5;
            let weight = reference.weights[tensor][place];
            let mut loss = |weight: f64| {
                reference.weights[tensor][place] = weight;
                reference.loss(&positions, &AIM)
            };
            let measured = (loss(weight + step) - loss(weight - step)) / (2.0 * step);
            loss(weight);
            let error = (measured - gradients[place]).abs() / measured.abs();
            assert!(
                error < 1e-3,
                "tensor {tensor} place {place}: {measured} {}",
                gradients[place]
            );
        }
    }
}

/// The weights after some steps with this number of threads.
fn learned(threads: usize) -> Vec<Vec<f64>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().expect("threads").install(|| {
        let mut net = trainee(2_500);
        for number in 1..=3 {
            let batch = batch_of(&positions(2_500, number), &AIM);
            net.learn(&batch, &Step::new(Optimiser::default(), number, 0.01, 0.0));
        }
        numbers(&mut net)
    })
}

#[test]
fn threads_do_not_matter() {
    let alone = learned(1);
    assert!(alone == learned(2) && alone == learned(5));
}

/// A net trained on these positions until it knows them by heart, as far as it can.
fn taught(positions: &[Position], aim: &Aim) -> PolicyTrainee {
    let batch = batch_of(positions, aim);
    let mut net = trainee(positions.len());
    for number in 1..=150 {
        net.learn(&batch, &Step::new(Optimiser::default(), number, 0.01, 0.0));
    }
    net
}

#[test]
fn a_few_positions_are_learned_by_heart() {
    let aim = Aim::new(WDL, 0.0, 0.0);
    let positions = positions(200, 9);
    let batch = batch_of(&positions, &aim);
    let before = trainee(200).measure(&batch);
    let after = taught(&positions, &aim).measure(&batch);
    assert!(before.policy > 2.0 && before.top_1 < 0.2, "{before:?}");
    assert!(after.policy < 0.3 && after.top_1 > 0.9, "{after:?}");
    assert!(after.value < 0.3 * before.value, "{before:?} {after:?}");
    assert!(after.learned < 200 && after.positions == 200);
}

#[test]
fn integers_say_what_floats_do() {
    let positions = positions(200, 9);
    let mut net = taught(&positions, &AIM);
    let batch = batch_of(&positions, &AIM);
    net.measure(&batch);
    let weights = net.export().expect("memory");
    let bytes = weights.to_bytes().expect("within bounds");
    let exported = Arc::new(PolicyNet::new(weights).expect("within bounds"));
    let mut evaluator = PolicyEvaluator::new(exported.clone());
    let (mut largest, mut sum, mut count) = (0.0_f32, 0.0, 0);
    for (position, (shares, [win, ..])) in positions.iter().zip(net.shares(&batch)) {
        let chances = evaluator.value(&position.board);
        assert!((chances.win - win).abs() < 0.05, "{chances:?} {win}");
        if shares.is_empty() {
            continue;
        }
        let moves = position.board.legal_moves();
        let mut integers = evaluator.policy(&position.board, &moves).to_vec();
        nets::kernels::Kernels::best().softmax(&mut integers);
        for (integer, share) in integers.iter().zip(shares) {
            largest = largest.max((integer - share).abs());
            sum += (integer - share).abs();
            count += 1;
        }
    }
    assert!(
        largest < 0.15 && sum / (count as f32) < 0.005,
        "{largest} {sum} {count}"
    );
    // Converting back to floats loses nothing that the integers had.
    let mut again = trainee(1);
    again.import(&exported, 3);
    let again = again.export().expect("memory");
    assert!(again.to_bytes().expect("within bounds") == bytes);
}

/// The positions as if they had been searched, with the played move as the result.
fn as_records(positions: &[Position], aim: &Aim) -> Vec<PolicyRecord> {
    positions
        .iter()
        .map(|position| PolicyRecord {
            chances: aim.wdl.of_score(f32::from(position.score)),
            ..PolicyRecord::of_position(position, None, 100.0)
        })
        .collect()
}

#[test]
fn a_search_that_found_one_move_teaches_what_the_move_does() {
    let positions = positions(300, 4);
    let mut searched = Batch::new(shape().value.inputs, BUCKETS);
    searched.set_records(&as_records(&positions, &AIM), &AIM);
    let played = batch_of(&positions, &AIM);
    let mut nets = [trainee(300), trainee(300)];
    for (net, batch) in nets.iter_mut().zip([&searched, &played]) {
        for number in 1..=3 {
            net.learn(batch, &Step::new(Optimiser::default(), number, 0.01, 0.0));
        }
    }
    let [one, other] = nets.map(|mut net| net.measure(&played));
    assert!(
        (one.policy - other.policy).abs() < 1e-4,
        "{one:?} {other:?}"
    );
    assert!((one.value - other.value).abs() < 1e-4, "{one:?} {other:?}");
    assert_eq!(one.learned, other.learned);
}

#[test]
fn a_weight_of_two_is_a_position_twice() {
    let mut records = as_records(&positions(40, 5), &AIM);
    let mut twice = records.clone();
    twice.extend_from_slice(&records[..20]);
    for record in &mut records[..20] {
        (record.weight, record.policy_weight) = (2.0, 2.0 * record.policy_weight);
    }
    let [weighted, repeated] = [&records, &twice].map(|records| {
        let mut batch = Batch::new(shape().value.inputs, BUCKETS);
        batch.set_records(records, &AIM);
        trainee(60).measure(&batch)
    });
    assert!((weighted.policy - repeated.policy).abs() < 1e-5);
    assert!((weighted.value - repeated.value).abs() < 1e-5);
}

#[test]
fn positions_without_a_full_search_teach_the_value_alone() {
    let mut records = as_records(&positions(30, 6), &AIM);
    records
        .iter_mut()
        .for_each(|record| record.policy_weight = 0.0);
    let mut batch = Batch::new(shape().value.inputs, BUCKETS);
    batch.set_records(&records, &AIM);
    let measure = trainee(30).measure(&batch);
    assert_eq!((measure.learned, measure.positions), (0, 30));
    assert!(measure.policy == 0.0 && measure.value > 0.0);
}
