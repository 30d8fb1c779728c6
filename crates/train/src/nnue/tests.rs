//! Compares gradients with finite differences, and results between numbers of threads; checks that
//! nets learn simple targets.

mod shared;

use super::simple::Keeping;
use super::*;
use crate::Loss;
use crate::descent::Tensor;
use chess::Board;
use data::packed::PackedPosition;
use data::position::{Outcome, Position};
use nets::nnue::{Activation, Inputs, Random, SfnnShape, SimpleScales, SimpleShape};

/// Positions of random games, with scores that depend on the board in a simple way.
pub(super) fn random_positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut positions = Vec::new();
    let mut board = Board::start();
    while positions.len() < count {
        let moves = board.legal_moves();
        if moves.is_empty() || board.occupied().count() < 5 {
            board = Board::start();
            continue;
        }
        board.make(moves[(random.number() % moves.len() as u64) as usize]);
        let side = board.side_to_move();
        let surplus = board.color(side).count() as i16 - board.color(!side).count() as i16;
        positions.push(Position {
            board,
            mv: None,
            score: 150 * surplus,
            result: Outcome::ALL[(random.number() % 3) as usize],
            ply: 0,
        });
    }
    positions
}

/// A batch of such positions.
fn positions(inputs: &Inputs, count: usize, seed: u64) -> Batch {
    let positions = random_positions(count, seed);
    let packed: Vec<_> = positions.iter().map(PackedPosition::from).collect();
    let mut batch = Batch::new(inputs.clone());
    batch.set(&packed);
    batch
}

const KEEPING: Keeping = Keeping {
    factored: false,
    shared: false,
    slow: true,
    ema: false,
    quantisation_aware: false,
    batch: 2_500,
};

fn simple(activation: Activation, buckets: usize, factored: bool) -> SimpleTrainee {
    let keeping = Keeping {
        factored,
        ..KEEPING
    };
    simple_with(activation, buckets, keeping)
}

fn simple_with(activation: Activation, buckets: usize, keeping: Keeping) -> SimpleTrainee {
    let king_buckets = std::array::from_fn(|square| u8::from(square >= 32));
    let shape = SimpleShape {
        inputs: Inputs::piece_square(king_buckets, true).expect("two buckets"),
        hidden: 64,
        activation,
        output_buckets: buckets,
        scales: SimpleScales::default(),
    };
    let mut net = SimpleTrainee::new(shape, keeping).expect("memory");
    net.randomise(3);
    spread(net.tensors());
    net
}

fn sfnn(factored: bool) -> SfnnTrainee {
    sfnn_with(Keeping {
        factored,
        ..KEEPING
    })
}

fn sfnn_with(keeping: Keeping) -> SfnnTrainee {
    let mut net = SfnnTrainee::new(SfnnShape::new(128).expect("it exists"), keeping);
    let net_ref = net.as_mut().expect("memory");
    net_ref.randomise(4);
    spread(net_ref.tensors());
    net.expect("memory")
}

/// Sets biases that activate most of the net, and shared weights that are not 0: the gradients of
/// fresh nets are too small to be measured.
fn spread(tensors: Vec<(&'static str, &mut Tensor)>) {
    let mut random = Random::new(9);
    for (name, tensor) in tensors {
        let (middle, reach) = match name {
            "transformer biases" => (0.4, 0.3),
            "transformer" | "transformer shared" => (0.0, 0.05),
            "output" => (0.0, 0.3),
            "first" => (0.0, 0.15),
            "first biases" | "second biases" => (0.3, 0.2),
            _ => (0.0, 0.2),
        };
        for strip in tensor.values.iter_mut() {
            for number in &mut strip.0 {
                *number = middle + reach * crate::descent::uniform(&mut random);
            }
        }
        tensor.begin();
    }
}

/// The first step of RAdam does not divide by squares: with a learning rate of 1 and no decay it
/// changes each weight by its gradient.
const BARE: StepSettings = StepSettings {
    optimiser: Optimiser {
        rule: Rule::Ranger,
        beta1: 0.9,
        beta2: 0.999,
        epsilon: 1e-8,
        decay: 0.0,
        gradient_limit: 0.0,
        weight_limit: 0.0,
    },
    number: 1,
    learning_rate: 1.0,
    ema_share: 0.0,
};

type Tensors<N> = fn(&mut N) -> Vec<(&'static str, &mut Tensor)>;

/// Compares the gradients of some weights of each layer with finite differences of the loss.
fn check_gradients<N: Trainee>(mut net: N, tensors: Tensors<N>, inputs: &Inputs, loss: Loss) {
    let batch = positions(inputs, 300, 17);
    let mut targets = Targets::default();
    targets.set(&batch, &loss, 0.7);
    let mut trainer = Trainer::default();
    let before: Vec<Vec<f32>> = numbers(&mut net, tensors);
    trainer.learn(&mut net, &batch, &targets, &loss, &BARE);
    let after = numbers(&mut net, tensors);
    for (layer, before) in before.iter().enumerate() {
        set(&mut net, tensors, layer, before);
    }
    for (layer, (before, after)) in before.iter().zip(&after).enumerate() {
        let gradients: Vec<f32> = before.iter().zip(after).map(|(b, a)| b - a).collect();
        let mut order: Vec<usize> = (0..gradients.len()).collect();
        order.sort_by(|&a, &b| gradients[b].abs().total_cmp(&gradients[a].abs()));
        // The largest, and some from the middle of those that are not 0.
        let live = order
            .iter()
            .filter(|&&index| gradients[index] != 0.0)
            .count();
        if live == 0 {
            continue;
        }
        let chosen = [0, 1, 2, live / 50, live / 10].map(|place| order[place.min(live - 1)]);
        for index in chosen {
            let mut measure = |way: f32| {
                let mut moved = before.clone();
                moved[index] += way;
                set(&mut net, tensors, layer, &moved);
                trainer.measure(&mut net, &batch, &targets, &loss)
            };
            let way = 2e-3;
            let measured = (measure(way) - measure(-way)) / f64::from(2.0 * way);
            let found = f64::from(gradients[index]);
            let scale = f64::from(gradients[order[0]].abs());
            assert!(
                (found - measured).abs() < 0.03 * found.abs() + 0.01 * scale + 2e-6,
                "layer {layer}, weight {index}: {found} {measured}"
            );
            set(&mut net, tensors, layer, before);
        }
    }
}

fn numbers<N>(net: &mut N, tensors: Tensors<N>) -> Vec<Vec<f32>> {
    tensors(net)
        .into_iter()
        .map(|(_, tensor)| bytemuck::cast_slice(&tensor.values).to_vec())
        .collect()
}

fn set<N>(net: &mut N, tensors: Tensors<N>, layer: usize, numbers: &[f32]) {
    let tensor = tensors(net).swap_remove(layer).1;
    bytemuck::cast_slice_mut(&mut tensor.values).copy_from_slice(numbers);
}

#[test]
fn gradients_of_simple_nets_are_slopes_of_the_loss() {
    for activation in [Activation::Crelu, Activation::Screlu, Activation::Pairwise] {
        for (buckets, factored, loss) in [(1, false, Loss::PLAIN), (4, true, Loss::WIDE)] {
            let net = simple(activation, buckets, factored);
            let inputs = net.shape().inputs.clone();
            check_gradients(net, SimpleTrainee::tensors, &inputs, loss);
        }
    }
}

#[test]
fn gradients_of_stockfish_shapes_are_slopes_of_the_loss() {
    for factored in [false, true] {
        let boosted = Loss {
            boost: 0.2,
            asymmetry: 0.1,
            ..Loss::WIDE
        };
        let net = sfnn(factored);
        check_gradients(net, SfnnTrainee::tensors, &Inputs::half_ka(), boosted);
    }
}

/// Trains for some steps with this number of threads.
fn train<N: Trainee>(
    net: &mut N,
    batch: &Batch,
    threads: usize,
    steps: u64,
    learning_rate: f32,
) -> f64 {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads");
    let loss = Loss::PLAIN;
    pool.install(|| {
        let mut targets = Targets::default();
        targets.set(batch, &loss, 1.0);
        let mut trainer = Trainer::default();
        let mut last = f64::INFINITY;
        for number in 1..=steps {
            let step = StepSettings {
                optimiser: Optimiser::default(),
                number,
                learning_rate,
                ema_share: 0.0,
            };
            last = trainer.learn(net, batch, &targets, &loss, &step);
        }
        last
    })
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let bits = |numbers: Vec<Vec<f32>>| -> Vec<u32> {
        numbers.into_iter().flatten().map(f32::to_bits).collect()
    };
    let mut results = [1, 2, 4].map(|threads| {
        let sharing = Keeping {
            factored: true,
            shared: true,
            ..KEEPING
        };
        let mut net = simple_with(Activation::Screlu, 4, sharing);
        let batch = positions(&net.shape().inputs.clone(), 2_500, 21);
        train(&mut net, &batch, threads, 4, 1e-3);
        let mut large = sfnn_with(sharing);
        let batch = positions(&Inputs::half_ka(), 2_500, 22);
        train(&mut large, &batch, threads, 3, 1e-3);
        let mut all = bits(numbers(&mut net, SimpleTrainee::tensors));
        all.extend(bits(numbers(&mut large, SfnnTrainee::tensors)));
        all
    });
    let first = results[0].clone();
    assert!(results.iter_mut().all(|result| *result == first));
}

#[test]
fn one_batch_is_learned_by_heart() {
    let mut net = simple(Activation::Screlu, 1, false);
    net.randomise(5);
    let batch = positions(&net.shape().inputs.clone(), 256, 23);
    let first = train(&mut net, &batch, 2, 1, 1e-3);
    let last = train(&mut net, &batch, 2, 150, 1e-2);
    assert!(last < first / 200.0, "{first} {last}");
    let mut net = sfnn(false);
    net.randomise(6);
    let batch = positions(&Inputs::half_ka(), 256, 24);
    let first = train(&mut net, &batch, 2, 1, 1e-3);
    let last = train(&mut net, &batch, 2, 150, 5e-3);
    assert!(last < first / 200.0, "{first} {last}");
}

#[test]
fn a_number_that_is_not_finite_is_found_in_every_tensor() {
    let keeping = Keeping {
        factored: true,
        shared: true,
        ema: true,
        ..KEEPING
    };
    let mut net = Learner::Simple(Box::new(simple_with(Activation::Crelu, 2, keeping)));
    assert!(net.is_finite());
    for tensor in 0..net.tensors().len() {
        for field in 0..net.tensors()[tensor].1.fields().len() {
            for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let mut tensors = net.tensors();
                let mut fields = tensors[tensor].1.fields();
                let Some(strip) = fields[field].1.last_mut() else {
                    continue;
                };
                let before = std::mem::replace(&mut strip.0[0], wrong);
                assert!(!net.is_finite(), "tensor {tensor}, field {field}: {wrong}");
                net.tensors()[tensor].1.fields()[field]
                    .1
                    .last_mut()
                    .expect("it")
                    .0[0] = before;
                assert!(net.is_finite());
            }
        }
    }
}
