//! Gradients against differences in f64, and what must not depend on threads, company or
//! the future.

use super::batch::Batch;
use super::heads::Goal;
use super::initial::initial;
use super::net::{Net, Trainer};
use super::settings::{Settings, Weighting};
use chess::Board;
use data::random;
use data::sequences::{Outcome, SequenceGame};
use nets::kernels::Precision;
use nets::sequence::{BoardInput, Encoder, FARTHEST, SequenceShape, SequenceWeights, View};

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

/// Weights of which none is 0.
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

/// The loss of a batch in f64, written as the formulas are.
struct Reference<'a> {
    shape: &'a SequenceShape,
    tensors: Vec<Vec<f64>>,
}

impl Reference<'_> {
    fn loss(&self, batch: &Batch, goal: &Goal) -> f64 {
        let states = self.states(batch);
        let heads = &self.tensors[1 + 4 * self.shape.layers..];
        let width = self.shape.width;
        let mut loss = 0.0;
        for (event, state) in states.iter().enumerate() {
            let target = &batch.targets[event];
            let row = |weights: &[f64], bias: &[f64], row: usize| {
                dot(&weights[row * width..(row + 1) * width], state) + bias[row]
            };
            let moves = batch.moves.of(event);
            let logits: Vec<f64> = moves
                .iter()
                .map(|&number| row(&heads[0], &heads[1], number as usize))
                .collect();
            if !logits.is_empty() {
                let even = f64::from(goal.smoothing) / logits.len() as f64;
                let wanted = |place: usize| match place == target.place {
                    true => 1.0 - f64::from(goal.smoothing) + even,
                    false => even,
                };
                let sum = log_sum(&logits);
                let entropy: f64 = logits
                    .iter()
                    .enumerate()
                    .map(|(place, logit)| wanted(place) * (sum - logit))
                    .sum();
                loss += entropy * f64::from(target.of_move) * f64::from(goal.of_moves);
            }
            let outcomes: Vec<f64> = (0..3).map(|at| row(&heads[2], &heads[3], at)).collect();
            let entropy = log_sum(&outcomes) - outcomes[target.outcome];
            loss += entropy * f64::from(target.of_outcome) * f64::from(goal.of_outcomes);
            if target.plies_left > 0.0 {
                let error = row(&heads[4], &heads[5], 0) - f64::from(target.plies_left).ln_1p();
                let huber = match error.abs() <= 1.0 {
                    true => 0.5 * error * error,
                    false => error.abs() - 0.5,
                };
                loss += huber * f64::from(goal.of_plies);
            }
            if let (true, Some(seconds)) = (self.shape.think_head, target.seconds) {
                let error = row(&heads[6], &heads[7], 0) - f64::from(seconds).ln_1p();
                let huber = match error.abs() <= 1.0 {
                    true => 0.5 * error * error,
                    false => error.abs() - 0.5,
                };
                loss += huber * f64::from(goal.of_seconds);
            }
            if let (true, Some(resigned)) = (self.shape.resign_head, target.resigned) {
                let logit = row(&heads[8], &heads[9], 0);
                let sign = if resigned { -1.0 } else { 1.0 };
                loss += (sign * logit).exp().ln_1p() * f64::from(goal.of_resignations);
            }
        }
        loss
    }

    fn states(&self, batch: &Batch) -> Vec<Vec<f64>> {
        let width = self.shape.width;
        let share = f64::from(Encoder::new(self.shape).board_share());
        let mut states: Vec<Vec<f64>> = (0..batch.events())
            .map(|event| {
                let mut state = vec![0.0; width];
                let board = batch.board.of(event).iter().map(|&row| (row, share));
                let others = batch.others.of(event).iter().map(|&row| (row, 1.0));
                for (row, share) in board.chain(others) {
                    for (sum, value) in state
                        .iter_mut()
                        .zip(&self.tensors[0][row as usize * width..])
                    {
                        *sum += share * value;
                    }
                }
                state
            })
            .collect();
        for layer in 0..self.shape.layers {
            let tensors = &self.tensors[1 + 4 * layer..];
            for game in 0..batch.games() {
                let events = batch.game(game);
                let new = self.block(tensors, &states[events.clone()]);
                states[events].clone_from_slice(&new);
            }
        }
        states.iter().map(|state| normal(state)).collect()
    }

    fn block(&self, tensors: &[Vec<f64>], states: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let (width, size) = (self.shape.width, self.shape.head_width());
        let mixed: Vec<Vec<f64>> = states
            .iter()
            .map(|state| {
                let state = normal(state);
                let rows = tensors[0].chunks_exact(width);
                rows.map(|row| dot(row, &state))
                    .map(|it| it / (1.0 + (-it).exp()))
                    .collect()
            })
            .collect();
        (0..states.len())
            .map(|event| {
                let mut attended = vec![0.0; width];
                for head in 0..self.shape.heads {
                    let part = |event: usize, part: usize| {
                        &mixed[event][part * width + head * size..][..size]
                    };
                    let scores: Vec<f64> = (0..=event)
                        .map(|place| {
                            let distance = (event - place).min(FARTHEST);
                            dot(part(event, 2), part(place, 3)) / (size as f64).sqrt()
                                + tensors[1][head * (FARTHEST + 1) + distance]
                        })
                        .collect();
                    let sum = log_sum(&scores);
                    for (place, score) in scores.iter().enumerate() {
                        for (column, value) in part(place, 1).iter().enumerate() {
                            attended[head * size + column] += (score - sum).exp() * value;
                        }
                    }
                }
                let gated: Vec<f64> = normal(&attended)
                    .iter()
                    .zip(&mixed[event])
                    .map(|(a, b)| a * b)
                    .collect();
                let rows = tensors[2].chunks_exact(width).zip(&tensors[3]);
                let out = rows.map(|(row, bias)| dot(row, &gated) + bias);
                out.zip(&states[event])
                    .map(|(out, state)| out + state)
                    .collect()
            })
            .collect()
    }
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter()
        .zip(right)
        .map(|(left, right)| left * right)
        .sum()
}

fn log_sum(values: &[f64]) -> f64 {
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    most + values
        .iter()
        .map(|value| (value - most).exp())
        .sum::<f64>()
        .ln()
}

fn normal(row: &[f64]) -> Vec<f64> {
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    let variance = row.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / row.len() as f64;
    row.iter()
        .map(|it| (it - mean) / (variance + 1e-5).sqrt())
        .collect()
}

/// The gradient of every tensor that a batch gives.
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
    for board in [BoardInput::Additive, BoardInput::JointAttacks] {
        let more_heads = board == BoardInput::JointAttacks;
        let shape = SequenceShape {
            think_head: more_heads,
            resign_head: more_heads,
            ..tiny(board)
        };
        let weights = weights(shape.clone());
        let batch = batch(&shape, &games(3, 7), &settings());
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
            // Where the gradient is largest, and at places in between.
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
    let shape = tiny(BoardInput::JointAttacks);
    let weights = weights(shape.clone());
    let batch = batch(&shape, &games(9, 30), &settings());
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("threads");
        pool.install(|| gradients(&weights, &batch, Precision::Bf16))
    };
    assert_eq!(with(1), with(3));
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
