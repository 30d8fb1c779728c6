//! Nodes a second beside another engine, on the same positions, in turns; and
//! what a second thread adds.
//!
//! `cargo bench -p tabia-engines --bench nodes -- [ROUNDS] [ENGINE]` asks the UCI
//! engine, Debian's ethereal-chess unless another is named, and this project's to
//! search each position of the bench for the same time. Each tells how many nodes
//! it had seen at what time with its last line, and only that counts. Run it on an
//! idle machine.

mod rival;

use engines::alphabeta::{AlphaBeta, Options, StabilityOptions};
use engines::{STACK_BYTES, bench};
use nets::Classical;
use rival::{HASH, Rival, Work, median, search};
use std::env;

const RIVAL: &str = "/usr/games/ethereal-chess";

fn player(threads: usize) -> AlphaBeta<Classical> {
    let options = Options {
        hash: HASH,
        threads,
        stability: StabilityOptions::OFF,
        ..Options::default()
    };
    AlphaBeta::new(Classical::default(), options)
}

fn run() {
    let words = || env::args().skip(1).filter(|word| !word.starts_with("--"));
    let rounds: usize = words().find_map(|word| word.parse().ok()).unwrap_or(5);
    let program = words()
        .find(|word| word.parse::<usize>().is_err())
        .unwrap_or_else(|| RIVAL.to_owned());
    let mut rival = Rival::start(&program);
    if rival.is_none() {
        println!("{program} does not run: no rival (Debian package ethereal-chess)");
    }
    let mut one = player(1);
    let mut two = player(2);
    let [mut ours, mut theirs, mut ratios, mut gains] = [const { Vec::new() }; 4];
    for _ in 0..rounds {
        let [mut own, mut other, mut doubled] = [Work::default(); 3];
        for fen in bench::positions() {
            if let Some(work) = rival.as_mut().and_then(|rival| rival.search(fen)) {
                other.add(work);
            }
            own.add(search(&mut one, fen));
            doubled.add(search(&mut two, fen));
        }
        ours.push(own.speed());
        gains.push(doubled.speed() / own.speed());
        if rival.is_some() {
            theirs.push(other.speed());
            ratios.push(own.speed() / other.speed());
        }
    }
    let count = bench::POSITION_COUNT;
    println!("nodes/s on {count} positions, median of {rounds} rounds");
    println!("{:9.0}  tabia, one thread", median(ours));
    println!("   x {:.2}  two threads", median(gains));
    if rival.is_some() {
        println!("{:9.0}  {program}", median(theirs));
        println!("   x {:.2}  tabia beside it", median(ratios));
    }
}

fn main() {
    let thread = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(run);
    thread.expect("a thread").join().expect("the bench ends");
}
