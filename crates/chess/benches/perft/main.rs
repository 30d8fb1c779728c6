//! Speed of legal moves beside the other Rust libraries, in one interleaved run.
//!
//! `cargo bench -p tabia-chess --bench perft -- [ROUNDS]` prints millions of
//! leaves a second for each position and the ratio to cozy-chess. Every count
//! is checked. The speed of the machine varies from second to second, so all
//! libraries take turns on each position, and medians over the rounds are shown.

mod rivals;

use chess::{Board, Line, perft};
use std::hint::black_box;
use std::time::Instant;

/// Name, position, depth and the known count of leaves.
const POSITIONS: [(&str, &str, u32, u64); 5] = [
    (
        "startpos",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        6,
        119_060_324,
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    (
        "pos3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        7,
        178_633_661,
    ),
    (
        "pos4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    (
        "pos6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
    ),
];

/// One ply less than the full depth keeps the run without bulk counting short.
const SHALLOWER: u32 = 1;

type Count = fn(&str, u32) -> u64;

const LIBRARIES: [(&str, Count); 4] = [
    ("tabia", count_ours),
    ("cozy-chess", rivals::count_cozy),
    ("chess", rivals::count_other),
    ("shakmaty", rivals::count_shakmaty),
];

fn count_ours(fen: &str, depth: u32) -> u64 {
    perft::perft(&read(fen), depth)
}

fn read(fen: &str) -> Board {
    Board::from_fen(fen).expect("the positions of the bench are sound")
}

fn main() {
    // Cargo passes `--bench`; a plain number is the count of rounds.
    let rounds = std::env::args().skip(1).find_map(|word| word.parse().ok());
    let rounds = rounds.unwrap_or(5);
    bulk_table(rounds);
    print_rate(
        "perft without bulk counting",
        "M leaves/s",
        rounds,
        without_bulk,
    );
    print_rate("push and pop, all keys", "M moves/s", rounds, push_and_pop);
}

/// Seconds of every library on every position, then the table.
fn bulk_table(rounds: usize) {
    let mut seconds = vec![[[0.0; POSITIONS.len()]; LIBRARIES.len()]; rounds];
    for round in &mut seconds {
        for (place, &(name, fen, depth, expected)) in POSITIONS.iter().enumerate() {
            for (library, &(rival, count)) in LIBRARIES.iter().enumerate() {
                let start = Instant::now();
                let leaves = count(black_box(fen), depth);
                round[library][place] = start.elapsed().as_secs_f64();
                assert_eq!(leaves, expected, "{rival} on {name}");
            }
        }
    }
    println!("perft with bulk counting, M leaves/s, median of {rounds} rounds");
    print!("{:<12}", "");
    for (name, ..) in POSITIONS {
        print!("{name:>10}");
    }
    println!("{:>10}{:>12}", "all", "x cozy");
    let all_leaves: u64 = POSITIONS.iter().map(|position| position.3).sum();
    for (library, (rival, _)) in LIBRARIES.iter().enumerate() {
        print!("{rival:<12}");
        for (place, position) in POSITIONS.iter().enumerate() {
            let time = median(seconds.iter().map(|round| round[library][place]));
            print!("{:>10.0}", position.3 as f64 / time / 1e6);
        }
        let total = |round: &[[f64; POSITIONS.len()]; LIBRARIES.len()], which: usize| -> f64 {
            round[which].iter().sum()
        };
        let time = median(seconds.iter().map(|round| total(round, library)));
        // Ratios within a round, because both ran at about the same time.
        let ratio = median(
            seconds
                .iter()
                .map(|round| total(round, 1) / total(round, library)),
        );
        println!("{:>10.0}{ratio:>12.2}", all_leaves as f64 / time / 1e6);
    }
}

fn without_bulk() -> (u64, f64) {
    let start = Instant::now();
    let leaves = POSITIONS
        .iter()
        .map(|&(_, fen, depth, _)| perft::perft_without_bulk(&read(fen), depth - SHALLOWER))
        .sum();
    (leaves, start.elapsed().as_secs_f64())
}

/// Makes and takes back every legal move of every position, over and over.
fn push_and_pop() -> (u64, f64) {
    const REPEATS: u64 = 100_000;
    let mut made = 0;
    let start = Instant::now();
    for (_, fen, ..) in POSITIONS {
        let mut line = Line::new(read(fen));
        let moves = line.board().legal_moves();
        for _ in 0..REPEATS {
            for &mv in &moves {
                line.push(mv);
                black_box(line.board().keys());
                line.pop();
            }
        }
        made += REPEATS * moves.len() as u64;
    }
    (made, start.elapsed().as_secs_f64())
}

fn print_rate(what: &str, unit: &str, rounds: usize, run: fn() -> (u64, f64)) {
    let rate = median((0..rounds).map(|_| {
        let (count, seconds) = run();
        count as f64 / seconds / 1e6
    }));
    println!("{what}: {rate:.1} {unit}");
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
