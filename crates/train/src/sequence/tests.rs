//! Compares gradients with finite differences in f64; checks that results do not depend on threads,
//! on the rest of the batch or on the future.

mod reference;

use super::batch::Batch;
use super::heads::Goal;
use super::initial::initial;
use super::net::{Net, Trainer};
use super::settings::{Settings, Weighting};
use chess::Board;
use data::random;
use data::sequences::{Outcome, SequenceGame};
use nets::kernels::Precision;
use nets::sequence::{
    BoardInput, Encoder, Event, Memory, SequenceNet, SequenceShape, SequenceWeights, View,
};
use reference::Reference;

/// Games of random moves.
fn games(count: u64, plies: usize) -> Vec<SequenceGame> {
    let outcomes = [
        Some(Outcome::WhiteWins),
        Some(Outcome::Draw),
        Some(Outcome::BlackWins),
        None,
    ];
    (0..count)
        .map(|number| {
            let mut generator = random::generator(9, number);
            let mut board = Board::start();
            let mut game = SequenceGame {
                outcome: outcomes[number as usize % 4],
                ratings: [Some(1_500 + 100 * number as u16), Some(2_600)],
                ..SequenceGame::default()
            };
            for _ in 0..plies + number as usize {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random::below(&mut generator, moves.len() as u64) as usize];
                board.make(mv);
                game.moves.push(mv);
                let ply = game.moves.len() as u16;
                game.clocks.push(600 - ply * (3 + ply % 4));
            }
            game
        })
        .collect()
}

fn tiny(board: BoardInput) -> SequenceShape {
    SequenceShape {
        width: 16,
        layers: 2,
        heads: 2,
        board,
        view: View::Mover,
        ..SequenceShape::named("tiny").expect("a name")
    }
}

/// Weights none of which is 0.
fn weights(shape: SequenceShape) -> SequenceWeights {
    let mut weights = initial(shape, 3).expect("a shape");
    let mut generator = random::generator(4, 0);
    for tensor in weights.tensors_mut() {
        for weight in tensor {
            *weight += (random::below(&mut generator, 2_001) as f32 - 1_000.0) * 2e-4;
        }
    }
    weights
}

fn settings() -> Settings {
    let weighting = |strength: f32| Weighting {
        strength,
        ..Weighting::default()
    };
    Settings {
        smoothing: 0.1,
        policy_ratings: weighting(1.0),
        value_ratings: weighting(0.5),
        progress: 0.7,
        ..Settings::default()
    }
}

fn batch(shape: &SequenceShape, games: &[SequenceGame], settings: &Settings) -> Batch {
    let encoder = Encoder::new(shape);
    let mut batch = Batch::default();
    for game in games {
        assert!(batch.add(game, true, &encoder, settings));
    }
    batch
}

fn goal(batch: &Batch) -> Goal {
    let [moves, outcomes] = batch.totals();
    Goal {
        smoothing: 0.1,
        of_moves: (1.0 / moves) as f32,
        of_outcomes: (0.25 / outcomes) as f32,
        of_plies: 0.05 / batch.predictions() as f32,
        of_seconds: 0.1 / batch.known()[0].max(1) as f32,
        of_resignations: 0.2 / batch.known()[1].max(1) as f32,
    }
}

/// The gradient of every tensor for a batch.
fn gradients(
    weights: &SequenceWeights,
    batch: &Batch,
    precision: Precision,
) -> (f64, Vec<Vec<f32>>) {
    let mut net = Net::new(weights.clone(), precision, false);
    let goal = goal(batch);
    let losses = net.measure(&mut Trainer::default(), batch, &goal, false);
    let loss = losses.moves * f64::from(goal.of_moves) + losses.beside_moves(&goal);
    let gradients = net
        .parameters()
        .iter()
        .map(|parameter| parameter.gradient().to_vec())
        .collect();
    (loss, gradients)
}

#[test]
fn gradients_of_all_tensors_agree_with_differences() {
    for board in [
        BoardInput::Additive,
        BoardInput::JointAttacks,
        BoardInput::SquareAttention,
    ] {
        // Squares are slow in f64.
        let (count, plies) = match board {
            BoardInput::SquareAttention => (1, 2),
            _ => (3, 7),
        };
        let more_heads = board == BoardInput::JointAttacks;
        let shape = SequenceShape {
            think_head: more_heads,
            resign_head: more_heads,
            ..tiny(board)
        };
        let weights = weights(shape.clone());
        let batch = batch(&shape, &games(count, plies), &settings());
        let (loss, gradients) = gradients(&weights, &batch, Precision::F32);
        let wide = |values: &Vec<f32>| values.iter().map(|&it| f64::from(it)).collect();
        let mut reference = Reference {
            shape: &shape,
            tensors: weights.tensors().iter().map(wide).collect(),
        };
        let goal = goal(&batch);
        let expected = reference.loss(&batch, &goal);
        assert!(
            (loss - expected).abs() < 1e-5 * expected,
            "{loss} {expected}"
        );
        for (tensor, name) in shape.tensors().iter().enumerate() {
            // Where the gradient is largest, and at indices in between.
            let gradient = &gradients[tensor];
            let mut places: Vec<usize> = (0..gradient.len()).collect();
            places.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
            let step = (places.len() / 12).max(1);
            let looked_at = places
                .iter()
                .take(12)
                .chain(places.iter().step_by(step).take(12));
            let largest = f64::from(gradient[places[0]].abs());
            assert!(largest > 0.0, "{} is not learned", name.name);
            for &place in looked_at {
                let mut moved = |by: f64| {
                    let before = reference.tensors[tensor][place];
                    reference.tensors[tensor][place] = before + by;
                    let loss = reference.loss(&batch, &goal);
                    reference.tensors[tensor][place] = before;
                    loss
                };
                let measured = (moved(1e-4) - moved(-1e-4)) / 2e-4;
                let error = (f64::from(gradient[place]) - measured).abs();
                assert!(
                    error < 1e-3 * measured.abs() + 1e-4 * largest,
                    "{} {place}: {} and {measured}",
                    name.name,
                    gradient[place]
                );
            }
        }
    }
}

#[test]
fn half_the_digits_point_the_same_way() {
    let shape = tiny(BoardInput::JointAttacks);
    let weights = weights(shape.clone());
    let batch = batch(&shape, &games(4, 20), &settings());
    let (_, exact) = gradients(&weights, &batch, Precision::F32);
    let (_, rounded) = gradients(&weights, &batch, Precision::Bf16);
    for ((exact, rounded), tensor) in exact.iter().zip(&rounded).zip(shape.tensors()) {
        let product = |left: &[f32], right: &[f32]| -> f64 {
            left.iter()
                .zip(right)
                .map(|(&a, &b)| f64::from(a) * f64::from(b))
                .sum()
        };
        let cosine =
            product(exact, rounded) / (product(exact, exact) * product(rounded, rounded)).sqrt();
        assert!(cosine > 0.999, "{}: {cosine}", tensor.name);
    }
}

#[test]
fn a_game_alone_is_the_same_as_in_company() {
    let shape = tiny(BoardInput::Joint);
    let weights = weights(shape.clone());
    let games = games(3, 9);
    let loss = |games: &[SequenceGame]| {
        let batch = batch(&shape, games, &settings());
        let even = Goal {
            smoothing: 0.0,
            of_moves: 1.0,
            of_outcomes: 1.0,
            of_plies: 1.0,
            ..Goal::default()
        };
        let mut net = Net::new(weights.clone(), Precision::F32, false);
        net.measure(&mut Trainer::default(), &batch, &even, false)
    };
    let alone: f64 = games
        .iter()
        .map(|game| loss(std::slice::from_ref(game)).moves)
        .sum();
    let together = loss(&games).moves;
    assert!(
        (alone - together).abs() < 1e-9 * together,
        "{alone} {together}"
    );
}

#[test]
fn threads_do_not_matter() {
    for board in [BoardInput::JointAttacks, BoardInput::SquareAttention] {
        let shape = tiny(board);
        let weights = weights(shape.clone());
        let batch = batch(&shape, &games(9, 10), &settings());
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("threads");
            pool.install(|| gradients(&weights, &batch, Precision::Bf16))
        };
        assert_eq!(with(1), with(3));
    }
}

#[test]
fn training_and_play_predict_the_same() {
    for board in [
        BoardInput::Additive,
        BoardInput::Joint,
        BoardInput::JointAttacks,
        BoardInput::SquareAttention,
    ] {
        let shape = tiny(board);
        let weights = weights(shape.clone());
        let game = &games(1, 9)[0];
        let batch = batch(&shape, std::slice::from_ref(game), &settings());
        let net = Net::new(weights.clone(), Precision::F32, false);
        let learned = net.logits(&mut Trainer::default(), &batch);
        let player = SequenceNet::new(&weights, Precision::F32);
        let mut memory = Memory::new(&shape);
        let (mut parent, mut played, mut logits) = (None, Vec::new(), Vec::new());
        for number in 0..batch.events() {
            let node = memory.add(parent);
            parent = Some(node);
            let event = Event {
                board: batch.board.of(number).to_vec(),
                others: batch.others.of(number).to_vec(),
            };
            player.compute(&mut memory, &[(node, &event)]);
            player.logits(memory.state(node), batch.moves.of(number), &mut logits);
            played.extend_from_slice(&logits);
        }
        assert_eq!(learned.len(), played.len());
        for (learned, played) in learned.iter().zip(&played) {
            let error = (learned - played).abs();
            assert!(error < 1e-5 * learned.abs().max(1.0), "{learned} {played}");
        }
    }
}

#[test]
fn a_few_games_are_learned_by_heart() {
    let shape = tiny(BoardInput::JointAttacks);
    let batch = batch(&shape, &games(2, 12), &Settings::default());
    let mut net = Net::new(initial(shape, 1).expect("a shape"), Precision::Bf16, false);
    let mut trainer = Trainer::default();
    let goal = Goal {
        smoothing: 0.0,
        of_moves: 1.0 / batch.predictions() as f32,
        of_outcomes: 0.0,
        of_plies: 0.0,
        ..Goal::default()
    };
    let mut loss = Vec::new();
    for number in 1..=200 {
        let losses = net.measure(&mut trainer, &batch, &goal, false);
        loss.push(losses.moves * f64::from(goal.of_moves));
        let change = crate::float::Change {
            optimiser: Settings::default().optimiser,
            number,
            learning_rate: 1e-2,
            ema_share: 0.0,
        };
        net.change(&change, false);
    }
    assert!(
        loss[0] > 2.5 && loss[199] < 0.1,
        "{} {}",
        loss[0],
        loss[199]
    );
}

#[test]
fn broken_games_are_left_out_as_a_whole() {
    let shape = tiny(BoardInput::Joint);
    let encoder = Encoder::new(&shape);
    let mut batch = Batch::default();
    let good = games(1, 5).remove(0);
    assert!(batch.add(&good, true, &encoder, &settings()));
    let events = batch.events();
    let mut broken = good.clone();
    broken.moves[3] = broken.moves[0];
    assert!(!batch.add(&broken, true, &encoder, &settings()));
    assert_eq!((batch.events(), batch.games()), (events, 1));
    assert!(batch.add(&good, true, &encoder, &settings()));
    assert_eq!((batch.events(), batch.games()), (2 * events, 2));
}
