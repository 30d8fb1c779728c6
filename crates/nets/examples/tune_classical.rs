//! Tunes the weights of the hand-written evaluation to results of games.
//!
//! `cargo run --release -p tabia-nets --example tune_classical -- POSITIONS OUTPUT [EPOCHS]`
//! reads lines of a FEN, a tab or semicolon, and the result for White (1.0, 0.5
//! or 0.0; 1-0, 1/2-1/2 and 0-1 are read too), and writes the new `values.rs`.
//! Positions should be quiet: the tuner sees no moves.
//!
//! The loss is the squared error of the result against a sigmoid of the value
//! (Texel's method), lowered by Adam over all features in both stages. What is
//! not a feature stays constant for each position. A tenth of the lines is kept
//! apart to measure the loss, and the weights that do best there are written.

use chess::Board;
use nets::classical::{FEATURES, Feature, Weights, trace};
use std::error::Error;
use std::{env, fs, thread};

const DEFAULT_EPOCHS: usize = 30;
/// Of ten blocks of lines one is for validation: blocks, because neighbouring
/// lines often come from one game.
const BLOCK: usize = 1_000;
const VALIDATION_STRIDE: usize = 10;
/// Samples of one step, over all threads.
const BATCH: usize = 16_384;
/// Centipawns that a weight moves in a step, at most about; less every epoch.
const RATE: f64 = 0.7;
const RATE_DECAY: f64 = 0.93;
/// Adam's memories of the gradient and of its square.
const MOMENTUM: f64 = 0.9;
const SQUARE_MEMORY: f64 = 0.999;
/// Pull of each weight to its start, so that rare features do not run away.
const ANCHOR: f64 = 2e-9;

/// Opening weights of all features, then endgame weights.
type Vector = Vec<f64>;

/// One position; its features lie in a range of its shard's list.
#[derive(Clone, Copy)]
struct Sample {
    start: u32,
    end: u32,
    /// What an opening and an endgame centipawn count here.
    opening: f32,
    endgame: f32,
    /// The part of the value that is not made of features.
    constant: f32,
    result: f32,
}

/// The samples of one thread.
#[derive(Default)]
struct Shard {
    features: Vec<Feature>,
    training: Vec<Sample>,
    validation: Vec<Sample>,
}

impl Shard {
    fn read(lines: &[&str], weights: &Weights, start: &Vector) -> Result<Shard, String> {
        let mut shard = Shard::default();
        for (number, line) in lines.iter().enumerate() {
            let (fen, result) = split(line).ok_or_else(|| format!("not FEN;result: {line}"))?;
            let board = Board::from_fen(fen).map_err(|error| format!("{error}: {line}"))?;
            let Some(trace) = trace(&board, weights).filter(|_| !board.in_check()) else {
                continue;
            };
            let first = shard.features.len() as u32;
            shard.features.extend(&trace.features);
            let mut sample = Sample {
                start: first,
                end: shard.features.len() as u32,
                opening: trace.stage,
                endgame: (1.0 - trace.stage) * trace.scale,
                constant: 0.0,
                result,
            };
            sample.constant = trace.value as f32 - shard.value(&sample, start) as f32;
            if (number / BLOCK).is_multiple_of(VALIDATION_STRIDE) {
                shard.validation.push(sample);
            } else {
                shard.training.push(sample);
            }
        }
        Ok(shard)
    }

    fn features(&self, sample: &Sample) -> &[Feature] {
        &self.features[sample.start as usize..sample.end as usize]
    }

    fn value(&self, sample: &Sample, vector: &Vector) -> f64 {
        let (opening, endgame) = vector.split_at(FEATURES);
        let mut sums = [0.0, 0.0];
        for feature in self.features(sample) {
            let count = f64::from(feature.coefficient);
            sums[0] += count * opening[feature.index as usize];
            sums[1] += count * endgame[feature.index as usize];
        }
        f64::from(sample.constant)
            + sums[0] * f64::from(sample.opening)
            + sums[1] * f64::from(sample.endgame)
    }

    fn loss(&self, samples: &[Sample], vector: &Vector, slope: f64) -> f64 {
        let expected = |sample: &Sample| sigmoid(slope * self.value(sample, vector));
        let error = |sample: &Sample| f64::from(sample.result) - expected(sample);
        samples.iter().map(|sample| error(sample).powi(2)).sum()
    }

    /// The gradient of the loss, summed over the samples.
    fn gradient(&self, samples: &[Sample], vector: &Vector, slope: f64) -> Vector {
        let mut gradient = vec![0.0; 2 * FEATURES];
        for sample in samples {
            let expected = sigmoid(slope * self.value(sample, vector));
            let error = expected - f64::from(sample.result);
            let common = 2.0 * error * expected * (1.0 - expected) * slope;
            let opening = common * f64::from(sample.opening);
            let endgame = common * f64::from(sample.endgame);
            for feature in self.features(sample) {
                let count = f64::from(feature.coefficient);
                gradient[feature.index as usize] += count * opening;
                gradient[FEATURES + feature.index as usize] += count * endgame;
            }
        }
        gradient
    }
}

fn split(line: &str) -> Option<(&str, f32)> {
    let (fen, result) = line.rsplit_once(['\t', ';'])?;
    let result = match result.trim() {
        "1-0" => 1.0,
        "1/2-1/2" => 0.5,
        "0-1" => 0.0,
        number => number.parse().ok()?,
    };
    Some((fen, result))
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Runs `work` on every item at once and returns what each gave.
fn on_all<I: Sync, T: Send>(items: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let work = &work;
        let spawn = |item| scope.spawn(move || work(item));
        let handles: Vec<_> = items.iter().map(spawn).collect();
        let joined = handles.into_iter().map(|handle| handle.join());
        joined.flatten().collect()
    })
}

/// Mean loss on the validation samples.
fn validation_loss(shards: &[Shard], vector: &Vector, slope: f64) -> f64 {
    let sums = on_all(shards, |shard| shard.loss(&shard.validation, vector, slope));
    let count: usize = shards.iter().map(|shard| shard.validation.len()).sum();
    sums.iter().sum::<f64>() / count.max(1) as f64
}

/// The slope of the sigmoid that fits the start best, so that tuning does not
/// only change the scale.
fn fit_slope(shards: &[Shard], vector: &Vector) -> f64 {
    let (mut low, mut high) = (0.0005_f64, 0.02_f64);
    for _ in 0..25 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if validation_loss(shards, vector, left) < validation_loss(shards, vector, right) {
            high = right;
        } else {
            low = left;
        }
    }
    (low + high) / 2.0
}

/// Adam's state.
struct Adam {
    start: Vector,
    momentum: Vector,
    square: Vector,
    steps: i32,
}

impl Adam {
    fn step(&mut self, vector: &mut Vector, gradient: &Vector, rate: f64) {
        self.steps += 1;
        let bias = 1.0 - MOMENTUM.powi(self.steps);
        let square_bias = 1.0 - SQUARE_MEMORY.powi(self.steps);
        for index in 0..vector.len() {
            let slope = gradient[index] + ANCHOR * (vector[index] - self.start[index]);
            let momentum = &mut self.momentum[index];
            *momentum = MOMENTUM * *momentum + (1.0 - MOMENTUM) * slope;
            let square = &mut self.square[index];
            *square = SQUARE_MEMORY * *square + (1.0 - SQUARE_MEMORY) * slope * slope;
            let change = *momentum / bias / ((*square / square_bias).sqrt() + 1e-12);
            vector[index] -= rate * change;
        }
    }
}

/// One pass over the training samples, a batch from all shards at a time.
fn run_epoch(shards: &[Shard], vector: &mut Vector, adam: &mut Adam, task: &Task) {
    let longest = shards.iter().map(|shard| shard.training.len()).max();
    let share = BATCH / shards.len().max(1);
    for first in (0..longest.unwrap_or(0)).step_by(share) {
        let slice = |shard: &Shard| {
            let end = shard.training.len().min(first + share);
            first.min(end)..end
        };
        let parts = on_all(shards, |shard| {
            shard.gradient(&shard.training[slice(shard)], vector, task.slope)
        });
        let count: usize = shards.iter().map(|shard| slice(shard).len()).sum();
        let mut gradient = vec![0.0; 2 * FEATURES];
        for part in &parts {
            for (sum, value) in gradient.iter_mut().zip(part) {
                *sum += value / count as f64;
            }
        }
        adam.step(vector, &gradient, task.rate);
    }
}

/// What stays the same during an epoch.
struct Task {
    slope: f64,
    rate: f64,
}

/// Spreads the lines of a game, which are much alike, over all batches.
fn shuffle<T>(items: &mut [T]) {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for index in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(index, (state % (index as u64 + 1)) as usize);
    }
}

fn to_vector(weights: &Weights) -> Vector {
    let openings = (0..FEATURES).map(|index| f64::from(weights.get(index).0));
    let endgames = (0..FEATURES).map(|index| f64::from(weights.get(index).1));
    openings.chain(endgames).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [input, output, rest @ ..] = &arguments[..] else {
        return Err("expected POSITIONS OUTPUT [EPOCHS]".into());
    };
    let epochs = rest
        .first()
        .map_or(Ok(DEFAULT_EPOCHS), |text| text.parse())?;
    let mut weights = Weights::default();
    let start = to_vector(&weights);

    let text = fs::read_to_string(input)?;
    let lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).collect();
    let threads = thread::available_parallelism()?.get();
    let pieces: Vec<_> = lines.chunks(lines.len().div_ceil(threads).max(1)).collect();
    let shards = on_all(&pieces, |piece| Shard::read(piece, &weights, &start));
    let shards: Result<Vec<_>, _> = shards.into_iter().collect();
    let mut shards = shards?;
    shards
        .iter_mut()
        .for_each(|shard| shuffle(&mut shard.training));

    let slope = fit_slope(&shards, &start);
    let mut best = (validation_loss(&shards, &start, slope), start.clone());
    println!(
        "{} lines, slope {slope:.5}, loss {:.6}",
        lines.len(),
        best.0
    );
    let mut vector = start.clone();
    let mut adam = Adam {
        start,
        momentum: vec![0.0; vector.len()],
        square: vec![0.0; vector.len()],
        steps: 0,
    };
    for epoch in 1..=epochs {
        let rate = RATE * RATE_DECAY.powi(epoch as i32 - 1);
        run_epoch(&shards, &mut vector, &mut adam, &Task { slope, rate });
        let loss = validation_loss(&shards, &vector, slope);
        println!("epoch {epoch:3}  loss {loss:.6}");
        if loss < best.0 {
            best = (loss, vector.clone());
        }
    }
    for index in 0..FEATURES {
        let rounded = |offset: usize| best.1[offset + index].round() as i32;
        weights.set(index, rounded(0), rounded(FEATURES));
    }
    fs::write(output, weights.render())?;
    Ok(())
}
