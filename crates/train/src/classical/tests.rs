//! Compares gradients with finite differences, and results between numbers of threads; checks that
//! a fit recovers known weights.

use super::objective::Objective;
use super::samples::blocks;
use super::*;
use crate::baseline::{self, Values};
use crate::{Loss, one_scale};
use chess::Board;
use data::packed::PackedPosition;
use data::position::{Outcome, Position};
use nets::classical::Weights;
use nets::nnue::Random;
use nets::ntuple::{NTuple, NTupleEvaluator};
use nets::{Classical, Evaluator};
use std::sync::Arc;

/// Positions of random games, none in check, with scores from `score`.
pub(super) fn positions(
    count: usize,
    seed: u64,
    mut score: impl FnMut(&Board) -> i32,
) -> Vec<PackedPosition> {
    let mut random = Random::new(seed);
    let mut list = Vec::new();
    let mut board = Board::start();
    while list.len() < count {
        let moves = board.legal_moves();
        if moves.is_empty() || board.occupied().count() < 6 {
            board = Board::start();
            continue;
        }
        board.make(moves[(random.number() % moves.len() as u64) as usize]);
        if board.in_check() {
            continue;
        }
        list.push(PackedPosition::from(&Position {
            board,
            mv: None,
            score: score(&board).clamp(-5_000, 5_000) as i16,
            result: Outcome::ALL[(random.number() % 3) as usize],
            ply: 0,
        }));
    }
    list
}

/// The hand-written evaluation with some tables of random weights.
fn usual() -> Arc<NTuple> {
    let tuples = ["N", "Pp", "Kr"].map(|name| name.parse().expect("a tuple"));
    let mut network = NTupleWeights::zeros(tuples.to_vec()).expect("tables");
    network.fill_randomly(5, 30);
    Arc::new(NTuple::new(network).expect("a network"))
}

fn objective(loss: Loss, scale: f64, anchor: f64) -> Objective {
    let start = to_vector(usual().weights());
    Objective {
        loss,
        scale,
        anchor,
        free: vec![true; start.len()],
        start,
    }
}

#[test]
fn with_the_present_weights_values_are_those_of_the_evaluation() {
    let present = usual();
    let vector = to_vector(present.weights());
    let positions = positions(300, 1, |_| 0);
    let mut evaluator = NTupleEvaluator::new(present.clone());
    let blocks = blocks(&positions, &present, &vector, &Loss::PLAIN, 0.5);
    let values = blocks.iter().flat_map(|block| {
        block
            .samples
            .iter()
            .map(|sample| block.value(sample, &vector))
    });
    for (value, position) in values.zip(&positions) {
        let board = baseline::board(position).expect("a board");
        evaluator.reset(&board);
        assert!((value - f64::from(evaluator.evaluate(&board))).abs() < 1e-6);
    }
}

#[test]
fn gradients_are_those_of_the_loss() {
    let present = usual();
    let positions = positions(400, 2, |board| 3 * board.occupied().count() as i32 - 40);
    for loss in [Loss::PLAIN, Loss::WIDE] {
        let objective = objective(loss, 0.8, 1e-7);
        let blocks = blocks(&positions, &present, &objective.start, &loss, 0.6);
        let mut vector = objective.start.clone();
        for (index, value) in vector.iter_mut().enumerate() {
            *value += (index % 7) as f64 - 3.0;
        }
        let whole = |vector: &[f64]| {
            let ways = vector.iter().zip(&objective.start);
            let squares: f64 = ways.map(|(value, start)| (value - start).powi(2)).sum();
            objective.slope(&blocks, vector).loss + objective.anchor * squares
        };
        let gradient = objective.slope(&blocks, &vector).gradient;
        let mut checked = 0;
        for index in (0..vector.len()).filter(|index| gradient[*index].abs() > 3e-6) {
            let step = 4.0;
            let mut moved = vector.clone();
            moved[index] += step;
            let above = whole(&moved);
            moved[index] -= 2.0 * step;
            let measured = (above - whole(&moved)) / (2.0 * step);
            assert!(
                (measured - gradient[index]).abs() < 0.02 * gradient[index].abs() + 1e-7,
                "{index}: {measured} {}",
                gradient[index]
            );
            checked += 1;
        }
        assert!(checked > 100, "{checked}");
    }
}

#[test]
fn what_is_not_free_does_not_move() {
    let present = usual();
    let mut objective = objective(Loss::PLAIN, 1.0, 1e-7);
    let blocks = blocks(
        &positions(100, 3, |_| 70),
        &present,
        &objective.start,
        &Loss::PLAIN,
        1.0,
    );
    let half = objective.free.len() / 2;
    objective.free[..half].fill(false);
    let gradient = objective.slope(&blocks, &objective.start).gradient;
    assert!(gradient[..half].iter().all(|&slope| slope == 0.0));
    assert!(gradient[half..].iter().any(|&slope| slope != 0.0));
}

#[test]
fn the_scale_of_scores_is_found() {
    let mut evaluator = Classical::default();
    let list = positions(3_000, 4, |board| evaluator.evaluate(board) * 5 / 4);
    let found = one_scale(&list, &Arc::default(), &Loss::PLAIN, 1.0);
    assert!((found.scale - 1.25).abs() < 0.005, "{found:?}");
    // The remaining loss comes from rounding scores to centipawns, and from clipping them.
    assert!(found.loss < 1e-4 && found.positions == 3_000, "{found:?}");
}

#[test]
fn one_scale_is_the_best_one() {
    let list = positions(2_000, 5, |board| {
        let side = board.side_to_move();
        60 * (board.color(side).count() as i32 - board.color(!side).count() as i32)
    });
    let present: Arc<Weights> = Arc::default();
    for loss in [Loss::PLAIN, Loss::WIDE] {
        let best = one_scale(&list, &present, &loss, 0.5);
        let values = Values::new(&list, &present);
        let targets: Vec<_> = list
            .iter()
            .map(|position| loss.target_of(position, 0.5))
            .collect();
        for factor in [0.5, 0.9, 0.99, 1.01, 1.1, 2.0] {
            let other = values.loss(&targets, &loss, best.scale * factor);
            assert!(other >= best.loss - 1e-9, "{factor}: {other} {best:?}");
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let present = usual();
    let list = positions(5_000, 6, |board| 10 * board.occupied().count() as i32);
    let objective = objective(Loss::WIDE, 0.7, 1e-8);
    let results = [1, 2, 4].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("threads").install(|| {
            let blocks = blocks(&list, &present, &objective.start, &Loss::WIDE, 0.4);
            let slope = objective.slope(&blocks, &objective.start);
            (slope, one_scale(&list, &Arc::default(), &Loss::WIDE, 0.4))
        })
    });
    assert!(results[0] == results[1] && results[1] == results[2]);
}
