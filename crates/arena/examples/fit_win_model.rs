//! Fits the chances of win, draw and loss to the scores and results of games.
//!
//! `cargo run --release -p tabia-arena --example fit_win_model -- JOURNAL...` reads
//! the journals of matches, takes every score of a side to move with the result of
//! its game, and prints the model under which they are likeliest.

use engines::score::WinModel;
use serde_json::Value;
use std::error::Error;

/// Larger values are wins in any model, and say nothing of its shape.
const LARGEST: i64 = 2_000;
/// More positions of the same games would only be slower.
const MOST: usize = 50_000;

/// A value for the side to move, and its result: 0 won, 1 drawn, 2 lost.
type Sample = (f64, usize);

fn main() -> Result<(), Box<dyn Error>> {
    let mut samples = Vec::new();
    for path in std::env::args().skip(1) {
        for line in std::fs::read_to_string(&path)?.lines() {
            add_game(&serde_json::from_str(line)?, &mut samples);
        }
    }
    if samples.is_empty() {
        return Err("no scores: give the journals of matches".into());
    }
    let count = samples.len();
    let step = count.div_ceil(MOST);
    let samples: Vec<Sample> = samples.into_iter().step_by(step).collect();
    let model = fit(&samples);
    println!("{count} positions, every {step}. of them used");
    println!("even_win {:.0}, spread {:.0}", model.even_win, model.spread);
    println!("surprise {:.4}", surprise(&samples, model));
    println!(
        "surprise {:.4} with the model in use",
        surprise(&samples, WinModel::FITTED)
    );
    Ok(())
}

fn add_game(line: &Value, samples: &mut Vec<Sample>) {
    let result = match line["result"].as_str() {
        Some("1-0") => 0,
        Some("1/2-1/2") => 1,
        Some("0-1") => 2,
        _ => return,
    };
    let start = line["start"].as_str().unwrap_or(" w ");
    let mut is_white = start.contains(" w ");
    for score in line["scores"].as_array().into_iter().flatten() {
        if let Some(value) = score.as_i64().filter(|value| value.abs() < LARGEST) {
            let own = if is_white { result } else { 2 - result };
            samples.push((value as f64, own));
        }
        is_white = !is_white;
    }
}

/// How improbable the results are, for each position.
fn surprise(samples: &[Sample], model: WinModel) -> f64 {
    let sum: f64 = samples
        .iter()
        .map(|&(value, result)| -model.chances(value)[result].max(1e-9).ln())
        .sum();
    sum / samples.len() as f64
}

/// Walks downhill in ever smaller steps; the surface has one valley.
fn fit(samples: &[Sample]) -> WinModel {
    let mut best = WinModel {
        even_win: 150.0,
        spread: 100.0,
    };
    let mut least = surprise(samples, best);
    let mut step = 32.0;
    while step >= 1.0 {
        let tries = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)];
        let better = tries
            .map(|(even, spread)| WinModel {
                even_win: best.even_win + even,
                spread: (best.spread + spread).max(5.0),
            })
            .map(|model| (surprise(samples, model), model))
            .into_iter()
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(value, _)| *value < least);
        match better {
            Some((value, model)) => (least, best) = (value, model),
            None => step /= 2.0,
        }
    }
    best
}
