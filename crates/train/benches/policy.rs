//! Speed of the training of fast nets.
//!
//! `cargo bench -p tabia-train --bench policy` trains on positions of random games, read
//! from a file as always, with one thread and with two, and prints positions a second of
//! CPU time, so that what else runs on the machine does not matter; in turns with plain
//! loops over one position after the other on one thread, which learn the same but have
//! inputs and rows ready in memory.

use chess::Board;
use data::position::{Outcome, Position};
use data::shard::{Format, ShardEncoder, ShardWriter};
use nets::nnue::{Inputs, Random};
use nets::policy::sparse::{INPUTS, ROWS, Seen};
use rayon::ThreadPoolBuilder;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Instant;
use train::Training;
use train::policy::Session;

const POSITIONS: usize = 200_000;
const BATCH: usize = 8_192;
const STEPS: usize = 4;
const ROUNDS: usize = 8;
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
    let mut times = [0.0; 3];
    for _ in 0..ROUNDS {
        for (index, (_, pool, session)) in sessions.iter_mut().enumerate() {
            let start = cpu_seconds();
            for _ in 0..STEPS {
                pool.install(|| session.step()).expect("a step");
            }
            times[index] += cpu_seconds() - start;
        }
        let start = cpu_seconds();
        for _ in 0..STEPS {
            plain.step();
        }
        times[2] += cpu_seconds() - start;
    }
    let [one, two, rival] = times.map(|time| (ROUNDS * STEPS * BATCH) as f64 / time);
    println!("policy 256 and value 2 x 256, batches of {BATCH}; positions a second of CPU time");
    println!("one thread   {one:9.0}, {:.2} x plain loops", one / rival);
    println!("two threads  {two:9.0}, {:.2} x one", two / one);
    println!("plain loops  {rival:9.0}, without reading and encoding");
}

/// The CPU time of all threads so far, where the system tells it; else time itself.
fn cpu_seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    /// How the kernel counts, whatever its own clock.
    const TICKS: f64 = 100.0;
    let ticks = || -> Option<f64> {
        let text = std::fs::read_to_string("/proc/self/stat").ok()?;
        // The name of the program may have spaces in it.
        let fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
        let numbers: Vec<f64> = fields.take(2).filter_map(|it| it.parse().ok()).collect();
        (numbers.len() == 2).then(|| numbers.iter().sum())
    };
    match ticks() {
        Some(ticks) => ticks / TICKS,
        None => START.elapsed().as_secs_f64(),
    }
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

/// Both halves as one would write them down: weights row by row, a position at a time.
struct Plain {
    samples: Vec<Sample>,
    weights: [Vec<f32>; TENSORS],
    gradients: [Vec<f32>; TENSORS],
    means: [Vec<f32>; TENSORS],
    squares: [Vec<f32>; TENSORS],
}

/// What is known of a position before it is learned.
struct Sample {
    inputs: Vec<usize>,
    rows: Vec<usize>,
    played: usize,
    sides: [Vec<usize>; 2],
}

/// The policy's inputs, moves, the value's inputs, outcomes.
const TENSORS: usize = 4;
const SIZES: [usize; TENSORS] = [INPUTS * HIDDEN, ROWS * HIDDEN / 2, 768 * HIDDEN, 6 * HIDDEN];

impl Plain {
    fn new(positions: &[Position]) -> Plain {
        let view = Inputs::piece_square([0; 64], true).expect("one bucket");
        let sample = |position: &Position| {
            let board = &position.board;
            let seen = Seen::of(board);
            let mut inputs = Vec::new();
            seen.inputs(board, |input| inputs.push(input));
            let moves = board.legal_moves();
            let us = board.side_to_move();
            Sample {
                inputs,
                rows: moves.iter().map(|&mv| seen.row(board, mv).into()).collect(),
                played: moves
                    .iter()
                    .position(|&mv| Some(mv) == position.mv)
                    .expect("a legal move"),
                sides: [us, !us].map(|color| view.active(board, color).collect()),
            }
        };
        let mut random = Random::new(2);
        let mut number = || random.up_to(1_000) as f32 / 10_000.0;
        Plain {
            samples: positions.iter().map(sample).collect(),
            weights: SIZES.map(|size| (0..size).map(|_| number()).collect()),
            gradients: SIZES.map(|size| vec![0.0; size]),
            means: SIZES.map(|size| vec![0.0; size]),
            squares: SIZES.map(|size| vec![0.0; size]),
        }
    }

    fn step(&mut self) {
        let samples = std::mem::take(&mut self.samples);
        for sample in &samples {
            self.learn_policy(sample);
            self.learn_value(sample);
        }
        self.samples = samples;
        for tensor in 0..TENSORS {
            let (weights, gradients) = (&mut self.weights[tensor], &mut self.gradients[tensor]);
            let (means, squares) = (&mut self.means[tensor], &mut self.squares[tensor]);
            for index in 0..weights.len() {
                let gradient = std::mem::take(&mut gradients[index]) / BATCH as f32;
                means[index] = 0.9 * means[index] + 0.1 * gradient;
                squares[index] = 0.999 * squares[index] + 0.001 * gradient * gradient;
                weights[index] -= 1e-3 * means[index] / (squares[index].sqrt() + 1e-8);
            }
        }
    }

    fn learn_policy(&mut self, sample: &Sample) {
        const HALF: usize = HIDDEN / 2;
        let sums = summed(&self.weights[0], &sample.inputs);
        let products: [f32; HALF] =
            std::array::from_fn(|it| sums[it].clamp(0.0, 1.0) * sums[HALF + it].clamp(0.0, 1.0));
        let mut slopes = [0.0; HALF];
        let logits = sample.rows.iter().map(|&row| {
            let weights = &self.weights[1][row * HALF..][..HALF];
            dot(&products, weights)
        });
        let mut shares = soft_max(logits.collect());
        shares[sample.played] -= 1.0;
        for (&row, &slope) in sample.rows.iter().zip(&shares) {
            let weights = &self.weights[1][row * HALF..][..HALF];
            let gradients = &mut self.gradients[1][row * HALF..][..HALF];
            for index in 0..HALF {
                slopes[index] += slope * weights[index];
                gradients[index] += slope * products[index];
            }
        }
        let mut of_sums = [0.0; HIDDEN];
        for index in 0..HALF {
            let (a, b) = (sums[index], sums[HALF + index]);
            of_sums[index] = is_open(a) * slopes[index] * b.clamp(0.0, 1.0);
            of_sums[HALF + index] = is_open(b) * slopes[index] * a.clamp(0.0, 1.0);
        }
        spread(&mut self.gradients[0], &sample.inputs, &of_sums);
    }

    fn learn_value(&mut self, sample: &Sample) {
        let sums = [0, 1].map(|side: usize| summed(&self.weights[2], &sample.sides[side]));
        let squares = sums.map(|sums| sums.map(|sum| sum.clamp(0.0, 1.0).powi(2)));
        let at = |outcome: usize, side: usize| (2 * outcome + side) * HIDDEN;
        let logit = |outcome: usize| -> f32 {
            let shares = [0, 1].map(|side: usize| {
                let weights = &self.weights[3][at(outcome, side)..][..HIDDEN];
                dot(&squares[side], weights)
            });
            shares.iter().sum()
        };
        let mut chances = soft_max((0..3).map(logit).collect());
        chances[1] -= 1.0;
        for side in 0..2 {
            let mut of_sums = [0.0; HIDDEN];
            for (outcome, &slope) in chances.iter().enumerate() {
                let place = at(outcome, side);
                let weights = &self.weights[3][place..][..HIDDEN];
                let gradients = &mut self.gradients[3][place..][..HIDDEN];
                for index in 0..HIDDEN {
                    let sum = sums[side][index];
                    of_sums[index] += slope * weights[index] * 2.0 * sum * is_open(sum);
                    gradients[index] += slope * squares[side][index];
                }
            }
            spread(&mut self.gradients[2], &sample.sides[side], &of_sums);
        }
    }
}

fn summed(weights: &[f32], inputs: &[usize]) -> [f32; HIDDEN] {
    let mut sums = [0.3; HIDDEN];
    for &input in inputs {
        for (sum, weight) in sums.iter_mut().zip(&weights[input * HIDDEN..][..HIDDEN]) {
            *sum += weight;
        }
    }
    sums
}

fn spread(gradients: &mut [f32], inputs: &[usize], slopes: &[f32; HIDDEN]) {
    for &input in inputs {
        let gradients = &mut gradients[input * HIDDEN..][..HIDDEN];
        for (gradient, slope) in gradients.iter_mut().zip(slopes) {
            *gradient += slope;
        }
    }
}

/// In sixteen sums, which a compiler can keep in registers.
fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0; 16];
    for (left, right) in left
        .as_chunks::<16>()
        .0
        .iter()
        .zip(right.as_chunks::<16>().0)
    {
        for lane in 0..16 {
            sums[lane] += left[lane] * right[lane];
        }
    }
    sums.iter().sum()
}

fn soft_max(logits: Vec<f32>) -> Vec<f32> {
    let powers: Vec<f32> = logits.into_iter().map(f32::exp).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

fn is_open(sum: f32) -> f32 {
    f32::from(u8::from(sum > 0.0 && sum < 1.0))
}
