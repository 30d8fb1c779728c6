//! How often a policy's likeliest move is the one that was played: of any model with a
//! policy, on games or positions of any format.
//!
//! `cargo run --release -p tabia-train --example policy_accuracy -- MODEL FILE...`

use chess::{Line, Move};
use data::position::Labels;
use data::shard::{Shard, read};
use nets::Model;
use nets::policy::{PolicyValue, Wanted};
use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

#[derive(Default)]
struct Sums {
    positions: u64,
    hits: u64,
    cross_entropy: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let model = arguments.next().ok_or("name a model and files of games")?;
    let model = Model::open(Path::new(&model))?;
    let mut policy = model.policy_value();
    println!("{}: {}", model.name(), model.description());
    for path in arguments {
        let shard = Shard::open(Path::new(&path))?;
        // One piece of the file after the other, each position with its game before it.
        let mut pieces: Vec<Vec<(Option<Line>, Option<Move>)>> = Vec::new();
        read(
            shard,
            Labels::SideToMove,
            1,
            |reading| {
                let mut list = Vec::new();
                reading.try_for_each(|position, begins| {
                    let start = begins.then(|| Line::new(position.board));
                    list.push((start, position.mv));
                    ControlFlow::Continue(())
                });
                list
            },
            |piece| {
                pieces.push(piece.made);
                ControlFlow::Continue(())
            },
        )?;
        let mut sums = Sums::default();
        let mut line = None;
        for (start, mv) in pieces.into_iter().flatten() {
            line = start.or(line);
            if let (Some(line), Some(mv)) = (&mut line, mv) {
                judge(policy.as_mut(), line, mv, &mut sums);
                line.push(mv);
            }
        }
        let positions = sums.positions.max(1) as f64;
        println!(
            "{}: top-1 {:.2} %, cross-entropy {:.4}, {} positions",
            Path::new(&path).display(),
            100.0 * sums.hits as f64 / positions,
            sums.cross_entropy / positions,
            sums.positions,
        );
    }
    Ok(())
}

fn judge(policy: &mut dyn PolicyValue, line: &Line, played: Move, sums: &mut Sums) {
    let moves = line.board().legal_moves();
    let Some(place) = moves.iter().position(|&mv| mv == played) else {
        return;
    };
    policy.put(line, Wanted::Both(&moves));
    policy.run();
    let logits = policy.logits(0);
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let sum: f64 = logits.iter().map(|it| f64::from(it - most).exp()).sum();
    sums.positions += 1;
    sums.hits += u64::from(logits[place] == most);
    sums.cross_entropy += sum.ln() - f64::from(logits[place] - most);
}
