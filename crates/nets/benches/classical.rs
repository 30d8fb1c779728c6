//! Speed of the hand-written evaluation.
//!
//! `cargo bench -p tabia-nets --bench classical` prints evaluations per second
//! over positions of random games, in the order of the games, so that the pawn
//! cache has about the hit rate of a search; then the time that each group takes,
//! as the difference of runs with and without it.

use chess::Board;
use nets::classical::{Group, Groups};
use nets::{Classical, Evaluator};
use std::hint::black_box;
use std::time::Instant;

const GAMES: u64 = 40;
const PLIES: usize = 100;
const ROUNDS: usize = 60;

fn main() {
    let boards = positions();
    println!("{} positions", boards.len());
    let mut sets = vec![Groups::ALL, Groups::NONE];
    sets.extend(Group::ALL.map(|group| Groups::ALL.without(group)));
    let times = nanoseconds(&boards, &sets);
    let whole = times[0];
    println!(
        "all groups {whole:.0} ns, {:.2} million evaluations a second",
        1000.0 / whole
    );
    println!("no group   {:.0} ns: attack maps and memory", times[1]);
    for (group, without) in Group::ALL.iter().zip(&times[2..]) {
        println!("{group:14} {:4.0} ns", whole - without);
    }
}

/// For each set of groups, the shortest time over the rounds: whatever else runs on the
/// machine only adds time. The sets take turns, so that variations of speed affect all.
fn nanoseconds(boards: &[Board], sets: &[Groups]) -> Vec<f64> {
    let mut evaluators: Vec<_> = sets
        .iter()
        .map(|&groups| Classical::default().with_groups(groups))
        .collect();
    let mut best = vec![f64::INFINITY; sets.len()];
    for _ in 0..ROUNDS {
        for (classical, best) in evaluators.iter_mut().zip(&mut best) {
            let start = Instant::now();
            for board in boards {
                black_box(classical.evaluate(black_box(board)));
            }
            let time = start.elapsed().as_nanos() as f64 / boards.len() as f64;
            *best = best.min(time);
        }
    }
    best
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
