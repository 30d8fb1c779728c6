//! Speed of the hand-written evaluation.
//!
//! `cargo bench -p tabia-nets --bench classical` prints evaluations a second
//! over positions of random games, in the order of the games, so that the
//! memory of pawns meets about what a search shows it; then the time that
//! each group takes, as the difference of runs with and without it.

use chess::Board;
use nets::classical::{Group, Groups};
use nets::{Classical, Evaluator};
use std::hint::black_box;
use std::time::Instant;

const GAMES: u64 = 400;
const PLIES: usize = 100;
const ROUNDS: usize = 15;

fn main() {
    let boards = positions();
    println!("{} positions", boards.len());
    let whole = nanoseconds(&boards, Groups::ALL);
    println!(
        "all groups {whole:.0} ns, {:.2} million evaluations a second",
        1000.0 / whole
    );
    for group in Group::ALL {
        let without = nanoseconds(&boards, Groups::ALL.without(group));
        println!("{group:14} {:4.0} ns", whole - without);
    }
    println!(
        "{:14} {:4.0} ns",
        "no group",
        nanoseconds(&boards, Groups::NONE)
    );
}

/// The best of the rounds: whatever else runs on the machine only adds time.
fn nanoseconds(boards: &[Board], groups: Groups) -> f64 {
    let mut classical = Classical::default().with_groups(groups);
    (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            for board in boards {
                black_box(classical.evaluate(black_box(board)));
            }
            start.elapsed().as_nanos() as f64 / boards.len() as f64
        })
        .fold(f64::INFINITY, f64::min)
}

/// The positions of random games and of all moves at every fourth of them, as
/// a search would meet them side by side.
fn positions() -> Vec<Board> {
    let mut state = 1u64;
    let mut boards = Vec::new();
    for _ in 0..GAMES {
        let mut board = Board::start();
        for ply in 0..PLIES {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            if ply % 4 == 0 {
                let children = moves.iter().map(|&mv| board.after(mv));
                boards.extend(children.filter(|child| !child.in_check()));
            }
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            board.make(moves[(state >> 33) as usize % moves.len()]);
        }
    }
    boards
}
