//! Trees whose visits can be counted by hand, and signs.

use crate::support::{Scripted, best, game, search, small, sure};
use chess::{Color, Line};
use engines::mcts::{Mcts, Options};

/// A king with a few moves.
const CORNER: &str = "7k/8/8/8/8/8/5Q2/K7 b - - 0 1";

fn plain() -> Options {
    Options {
        cpuct: 1.5,
        cpuct_factor: 0.0,
        fpu: 0.0,
        policy_temperature: 1.0,
        ..small()
    }
}

#[test]
fn visits_follow_the_formula() {
    // White has the king's three moves, each of which is worth the same for ever: PUCT can
    // be replayed by hand from priors and values.
    let fen = "8/p7/8/8/8/7k/p7/K7 w - - 0 1";
    let game = game(fen);
    let moves = game.board().legal_moves();
    assert_eq!(moves.len(), 2, "the pawn's square and the step beside it");
    let depth_value = [0.4f32, -0.2];
    let priors = [0.3f32, 0.7];
    let firsts: Vec<_> = moves.iter().copied().collect();
    let root = *game.board();
    let script = move |line: &Line, moves: &[chess::Move]| {
        let boards = line.boards();
        let logits = match boards.len() {
            1 => moves
                .iter()
                .map(|mv| priors[firsts.iter().position(|first| first == mv).expect("a move")])
                .map(f32::ln)
                .collect(),
            _ => vec![0.0; moves.len()],
        };
        let value = match boards.get(1) {
            None => 0.0,
            Some(child) => {
                let number = firsts
                    .iter()
                    .position(|&mv| root.after(mv) == *child)
                    .expect("a first move");
                let sign = if boards.len().is_multiple_of(2) {
                    -1.0
                } else {
                    1.0
                };
                sign * depth_value[number]
            }
        };
        (sure(value), logits)
    };
    for simulations in [2u64, 3, 5, 9, 20, 60] {
        let script = script.clone();
        let mut player = Mcts::new(
            Box::new(move || Box::new(Scripted::new(1, false, script.clone()))),
            plain(),
        );
        let answer = search(&mut player, &game, simulations);
        let mut counts = [0u32; 2];
        let mut sum = 0.0;
        for done in 1..simulations {
            let all = done as f32;
            let mean = sum / all;
            // The larger prior is opened first, and alone until it has a visit.
            let score = |number: usize| {
                let value = if counts[number] == 0 {
                    mean
                } else {
                    depth_value[number]
                };
                value + 1.5 * priors[number] * all.sqrt() / (1 + counts[number]) as f32
            };
            let number = match (counts, score(0) > score(1)) {
                ([_, 0], _) => 1,
                (_, true) => 0,
                (_, false) => 1,
            };
            counts[number] += 1;
            sum += depth_value[number];
        }
        for statistics in &answer.moves {
            let number = moves
                .iter()
                .position(|mv| *mv == statistics.mv)
                .expect("legal");
            let distance = statistics.visits.abs_diff(counts[number]);
            assert!(
                distance <= 1,
                "{simulations}: {statistics:?}, not {counts:?}"
            );
            assert!((statistics.prior - priors[number]).abs() < 1e-3);
            if statistics.visits > 0 {
                assert!((statistics.value - depth_value[number]).abs() < 1e-5);
            }
        }
        let visits: u32 = answer.moves.iter().map(|found| found.visits).sum();
        assert_eq!(
            u64::from(visits),
            simulations - 1,
            "the first is the root's own"
        );
    }
}

#[test]
fn a_value_is_for_the_side_to_move() {
    // Whatever is good for White: a model that likes White's positions makes White's
    // value high and Black's low, at any depth and for both sides to move.
    for (fen, sign) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            1.0,
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
            -1.0,
        ),
    ] {
        for (capacity, is_joint) in [(1, false), (8, true)] {
            let script = |line: &Line, moves: &[chess::Move]| {
                let white = line.board().side_to_move() == Color::White;
                let value = if white { 0.6 } else { -0.6 };
                (sure(value), vec![0.0; moves.len()])
            };
            let mut player = Mcts::new(
                Box::new(move || Box::new(Scripted::new(capacity, is_joint, script))),
                small(),
            );
            for simulations in [1, 2, 3, 50, 500] {
                player.forget();
                let answer = search(&mut player, &game(fen), simulations);
                let chances = answer.chances.expect("chances");
                assert!((chances.value() - sign * 0.6).abs() < 1e-4, "{chances:?}");
                for found in answer.moves.iter().filter(|found| found.visits > 0) {
                    assert!((found.value - sign * 0.6).abs() < 1e-4, "{found:?}");
                }
            }
        }
    }
}

#[test]
fn one_simulation_is_the_policy_alone() {
    let game = game(CORNER);
    let wanted = game.board().legal_moves()[0];
    let script = move |_: &Line, moves: &[chess::Move]| {
        let logits = moves.iter().map(|mv| f32::from(u8::from(*mv == wanted)));
        (sure(0.0), logits.collect())
    };
    let mut player = Mcts::new(
        Box::new(move || Box::new(Scripted::new(1, false, script))),
        small(),
    );
    let answer = search(&mut player, &game, 1);
    assert_eq!(answer.nodes, 1);
    assert_eq!(best(&answer), format!("{wanted:?}"));
    let sum: f32 = answer.moves.iter().map(|found| found.policy).sum();
    assert!((sum - 1.0).abs() < 1e-3);
}
