//! The tree keeps within its memory, is used again, and a search ends when it is told to.

use crate::support::{game, heuristic, search, small, uniform};
use engines::mcts::Options;
use engines::{Limits, Player, StopSignal};
use std::time::{Duration, Instant};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_full_tree_is_used_again() {
    let mut player = uniform(Options { hash: 1, ..small() });
    let mut fills = Vec::new();
    let limits = Limits::nodes(200_000);
    let answer = player.think(&game(START), &limits, &StopSignal::new(), &mut |report| {
        fills.push(report.table_fill);
    });
    // 200,000 simulations need some 60 mebibytes.
    assert_eq!(answer.nodes, 200_000);
    assert_eq!(player.size(), 1);
    assert!(fills.iter().all(|&fill| fill <= 1000), "{fills:?}");
    let visits: u32 = answer.moves.iter().map(|found| found.visits).sum();
    assert_eq!(visits, 199_999, "no visit is lost with a node");
}

#[test]
fn the_tree_of_the_last_move_is_used_again() {
    let mut player = heuristic(small());
    player.new_game(1).expect("it is ready");
    let mut position = game(START);
    let first = search(&mut player, &position, 2_000);
    let reply = first.ponder.expect("a reply");
    position.play(first.best.expect("a move")).expect("legal");
    position.play(reply).expect("legal");
    let second = search(&mut player, &position, 100);
    let visits: u32 = second.moves.iter().map(|found| found.visits).sum();
    assert!(visits > 110, "{visits} visits");
    // The same position again: all visits are there.
    let third = search(&mut player, &position, 100);
    let again: u32 = third.moves.iter().map(|found| found.visits).sum();
    assert_eq!(again, visits + 100);
    // Another game: none.
    let other = search(&mut player, &game("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), 50);
    let visits: u32 = other.moves.iter().map(|found| found.visits).sum();
    assert_eq!(visits, 49);
    player.new_game(2).expect("it is ready");
    let fresh = search(&mut player, &position, 100);
    let visits: u32 = fresh.moves.iter().map(|found| found.visits).sum();
    assert_eq!(visits, 99);
}

#[test]
fn noise_begins_with_an_empty_root() {
    let mut player = heuristic(Options {
        noise_epsilon: 0.25,
        ..small()
    });
    for _ in 0..2 {
        let answer = search(&mut player, &game(START), 100);
        let visits: u32 = answer.moves.iter().map(|found| found.visits).sum();
        assert_eq!(visits, 99);
    }
}

#[test]
fn threads_spend_exactly_the_limit() {
    for threads in [2, 3] {
        let mut player = heuristic(Options {
            threads,
            hash: 1,
            ..small()
        });
        let answer = search(&mut player, &game(START), 20_000);
        assert_eq!(answer.nodes, 20_000);
        let visits: u32 = answer.moves.iter().map(|found| found.visits).sum();
        assert_eq!(visits, 19_999);
        assert!(answer.best.is_some());
    }
}

#[test]
fn a_small_tree_is_enough_for_many_walks_at_once() {
    let crowded = Options {
        threads: 60,
        hash: 1,
        ..small()
    };
    let answer = search(&mut heuristic(crowded), &game(START), 5_000);
    assert_eq!(answer.nodes, 5_000);
}

#[test]
fn a_stopped_search_answers() {
    for threads in [1, 2] {
        let mut player = heuristic(Options { threads, ..small() });
        let stop = StopSignal::new();
        let signal = stop.clone();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            signal.stop();
        });
        let answer = player.think(&game(START), &Limits::default(), &stop, &mut |_| {});
        stopper.join().expect("it stops");
        assert!(answer.best.is_some() && answer.nodes > 0);
    }
    // Stopped before it began: still a legal move.
    let stop = StopSignal::new();
    stop.stop();
    let answer = heuristic(small()).think(&game(START), &Limits::default(), &stop, &mut |_| {});
    assert!(answer.best.is_some());
}

#[test]
fn a_time_is_kept_and_a_single_move_needs_none() {
    let mut player = heuristic(small());
    let begin = Instant::now();
    let limits = Limits::move_time(Duration::from_millis(50));
    let answer = player.think(&game(START), &limits, &StopSignal::new(), &mut |_| {});
    assert!(answer.nodes > 1);
    assert!(begin.elapsed() >= Duration::from_millis(35));
    let forced = game("7k/8/8/8/8/8/1q6/K7 w - - 0 1");
    let limits = Limits::move_time(Duration::from_secs(600));
    let answer = player.think(&forced, &limits, &StopSignal::new(), &mut |_| {});
    assert_eq!(format!("{:?}", answer.best.expect("a move")), "a1b2");
}
