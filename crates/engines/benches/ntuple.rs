//! What the tables of an n-tuple network cost: nodes a second of the search with the
//! published set of tuples, beside the same evaluation without them.
//!
//! `cargo bench -p tabia-engines --bench ntuple -- [ROUNDS]` searches the positions of
//! the bench with one and the other in turns. The weights are random and small; with
//! tables of zeros both would search the same nodes, which is measured too.

#[path = "rival/measure.rs"]
mod measure;

use engines::alphabeta::{AlphaBetaEngine, Options, StabilityOptions};
use engines::{STACK_BYTES, bench};
use measure::{HASH, Work, median, search};
use nets::Model;
use nets::ntuple::{NTupleWeights, Tuple};
use std::env;

/// As large as weights that correct a sound evaluation.
const LARGEST: i16 = 4;

fn engine(model: Model) -> AlphaBetaEngine {
    let options = Options {
        hash: HASH,
        stability: StabilityOptions::OFF,
        ..Options::default()
    };
    AlphaBetaEngine::new(model, options)
}

/// The published set with random weights up to `most`.
fn network(most: i16) -> Model {
    let mut weights = NTupleWeights::zeros(Tuple::published()).expect("different tuples");
    weights.fill_randomly(1, most);
    let bytes = weights.to_bytes().expect("within bounds");
    Model::from_bytes(&bytes).expect("a network")
}

fn run() {
    let words = env::args().skip(1).filter(|word| !word.starts_with("--"));
    let rounds: usize = words
        .filter_map(|word| word.parse().ok())
        .next()
        .unwrap_or(5);
    let mut players = [
        ("without tuples", engine(Model::classical())),
        ("tables of zeros", engine(network(0))),
        ("random tables", engine(network(LARGEST))),
    ];
    let mut speeds = vec![Vec::new(); players.len()];
    let mut ratios = vec![Vec::new(); players.len()];
    for _ in 0..rounds {
        let mut works = vec![Work::default(); players.len()];
        for fen in bench::positions() {
            for ((_, player), work) in players.iter_mut().zip(&mut works) {
                work.add(search(player, fen));
            }
        }
        for (index, work) in works.iter().enumerate() {
            speeds[index].push(work.speed());
            ratios[index].push(work.speed() / works[0].speed());
        }
    }
    println!(
        "nodes/s on {} positions, median of {rounds} rounds",
        bench::POSITION_COUNT
    );
    for (((name, _), speed), ratio) in players.iter().zip(speeds).zip(ratios) {
        println!("{:9.0}  x {:.2}  {name}", median(speed), median(ratio));
    }
}

fn main() {
    let thread = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(run);
    thread.expect("a thread").join().expect("the bench ends");
}
