//! Speed of the training of fast nets.
//!
//! `cargo bench -p tabia-train --bench policy` trains on positions of random games, read
//! from a file as always, with one thread and with two, and prints positions a second; in
//! turns with plain loops over one position after the other on one thread, which learn the
//! policy alone and have its inputs and rows ready in memory.

use chess::Board;
use data::position::{Outcome, Position};
use data::shard::{Format, ShardEncoder, ShardWriter};
use nets::nnue::Random;
use nets::policy::sparse::{INPUTS, ROWS, Seen};
use rayon::ThreadPoolBuilder;
use std::path::Path;
use std::time::Instant;
use train::Training;
use train::policy::Session;

const POSITIONS: usize = 200_000;
const BATCH: usize = 8_192;
const STEPS: usize = 12;
const ROUNDS: usize = 5;
const HIDDEN: usize = 256;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.binpack");
    let positions = positions();
    write(&path, &positions);
    let mut sessions = [1, 2].map(|threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads);
        let text = format!("data = [{path:?}]\nbatch = {BATCH}\nepochs = 1000\n");
        let settings = train::settings::read(&text).expect("settings");
        let session = Session::begin(settings, 1).expect("a session");
        (threads, pool.build().expect("threads"), session)
    });
    let mut plain = Plain::new(&positions[..BATCH]);
    let mut rates = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        for (index, (_, pool, session)) in sessions.iter_mut().enumerate() {
            let start = Instant::now();
            for _ in 0..STEPS {
                pool.install(|| session.step()).expect("a step");
            }
            let time = start.elapsed().as_secs_f64();
            rates[index].push((STEPS * BATCH) as f64 / time);
        }
        let start = Instant::now();
        plain.step();
        rates[2].push(BATCH as f64 / start.elapsed().as_secs_f64());
    }
    let [one, two, rival] = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    });
    println!("policy 256 and value 2 x 256, batches of {BATCH}, medians of {ROUNDS} rounds");
    println!(
        "one thread   {one:9.0} positions/s, {:.2} x plain loops",
        one / rival
    );
    println!("two threads  {two:9.0} positions/s, {:.2} x one", two / one);
    println!("plain loops  {rival:9.0} positions/s, the policy alone");
}

fn positions() -> Vec<Position> {
    let mut random = Random::new(1);
    let mut positions = Vec::with_capacity(POSITIONS);
    while positions.len() < POSITIONS {
        let mut board = Board::start();
        for ply in 0..100 {
            let moves = board.legal_moves();
            if moves.is_empty() || positions.len() == POSITIONS {
                break;
            }
            let mv = moves[(random.number() % moves.len() as u64) as usize];
            positions.push(Position {
                board,
                mv: Some(mv),
                score: random.up_to(300) as i16,
                result: Outcome::Draw,
                ply,
            });
            board.make(mv);
        }
    }
    positions
}

fn write(path: &Path, positions: &[Position]) {
    let mut encoder = ShardEncoder::new(Format::Binpack);
    for position in positions {
        encoder.push(position).expect("a position");
    }
    let mut writer = ShardWriter::begin(path, Format::Binpack).expect("a file");
    writer.add(&encoder.finish()).expect("written");
    writer.finish().expect("written");
}

/// The policy as one would write it down: weights row by row, a position at a time.
struct Plain {
    samples: Vec<(Vec<usize>, Vec<usize>, usize)>,
    inputs: Vec<f32>,
    moves: Vec<f32>,
    gradients: [Vec<f32>; 2],
    means: [Vec<f32>; 2],
    squares: [Vec<f32>; 2],
}

impl Plain {
    fn new(positions: &[Position]) -> Plain {
        let sample = |position: &Position| {
            let seen = Seen::of(&position.board);
            let mut inputs = Vec::new();
            seen.inputs(&position.board, |input| inputs.push(input));
            let moves = position.board.legal_moves();
            let rows = moves.iter().map(|&mv| seen.row(&position.board, mv).into());
            let played = moves.iter().position(|&mv| Some(mv) == position.mv);
            (inputs, rows.collect(), played.expect("a legal move"))
        };
        let mut random = Random::new(2);
        let mut weights = |count: usize, most: f32| -> Vec<f32> {
            let number = |_| random.up_to(1_000) as f32 / 1_000.0 * most;
            (0..count).map(number).collect()
        };
        let zeros = || [vec![0.0; INPUTS * HIDDEN], vec![0.0; ROWS * HIDDEN / 2]];
        Plain {
            samples: positions.iter().map(sample).collect(),
            inputs: weights(INPUTS * HIDDEN, 0.1),
            moves: weights(ROWS * HIDDEN / 2, 0.1),
            gradients: zeros(),
            means: zeros(),
            squares: zeros(),
        }
    }

    fn step(&mut self) {
        let samples = std::mem::take(&mut self.samples);
        for (inputs, rows, played) in &samples {
            self.learn(inputs, rows, *played);
        }
        self.samples = samples;
        let weights = [&mut self.inputs, &mut self.moves];
        let memories = self.means.iter_mut().zip(&mut self.squares);
        for ((weights, gradients), (means, squares)) in
            weights.into_iter().zip(&mut self.gradients).zip(memories)
        {
            for index in 0..weights.len() {
                let gradient = std::mem::take(&mut gradients[index]) / BATCH as f32;
                means[index] = 0.9 * means[index] + 0.1 * gradient;
                squares[index] = 0.999 * squares[index] + 0.001 * gradient * gradient;
                weights[index] -= 1e-3 * means[index] / (squares[index].sqrt() + 1e-8);
            }
        }
    }

    fn learn(&mut self, inputs: &[usize], rows: &[usize], played: usize) {
        const HALF: usize = HIDDEN / 2;
        let mut sums = [0.3f32; HIDDEN];
        for &input in inputs {
            for (sum, weight) in sums.iter_mut().zip(&self.inputs[input * HIDDEN..]) {
                *sum += weight;
            }
        }
        let products: [f32; HALF] =
            std::array::from_fn(|it| sums[it].clamp(0.0, 1.0) * sums[HALF + it].clamp(0.0, 1.0));
        let logit = |&row: &usize| -> f32 {
            let weights = &self.moves[row * HALF..][..HALF];
            products.iter().zip(weights).map(|(a, b)| a * b).sum()
        };
        let mut shares: Vec<f32> = rows.iter().map(|row| logit(row).exp()).collect();
        let sum: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        shares[played] -= 1.0;
        let mut slopes = [0.0f32; HALF];
        for (&row, &slope) in rows.iter().zip(&shares) {
            let weights = &self.moves[row * HALF..][..HALF];
            let gradients = &mut self.gradients[1][row * HALF..][..HALF];
            for index in 0..HALF {
                slopes[index] += slope * weights[index];
                gradients[index] += slope * products[index];
            }
        }
        let mut of_sums = [0.0f32; HIDDEN];
        for index in 0..HALF {
            let (a, b) = (sums[index], sums[HALF + index]);
            if a > 0.0 && a < 1.0 {
                of_sums[index] = slopes[index] * b.clamp(0.0, 1.0);
            }
            if b > 0.0 && b < 1.0 {
                of_sums[HALF + index] = slopes[index] * a.clamp(0.0, 1.0);
            }
        }
        for &input in inputs {
            let gradients = &mut self.gradients[0][input * HIDDEN..][..HIDDEN];
            for (gradient, slope) in gradients.iter_mut().zip(&of_sums) {
                *gradient += slope;
            }
        }
    }
}
