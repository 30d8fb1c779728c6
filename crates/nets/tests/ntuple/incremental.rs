//! Sums that are updated by moves equal sums that are computed table by table.

use crate::positions::game;
use crate::{named, network, published};
use chess::{Board, Move};
use nets::Evaluator;
use nets::nnue::Random;
use nets::ntuple::{LARGEST_WEIGHT, NTuple, NTupleEvaluator};
use std::ops::Range;
use std::sync::Arc;

/// How many moves of each rare kind a walk has met.
#[derive(Default)]
struct Met {
    castlings: usize,
    en_passant: usize,
    promotions: usize,
    captures: usize,
}

impl Met {
    fn note(&mut self, board: &Board, mv: Move) {
        self.castlings += usize::from(mv.is_castling());
        self.en_passant += usize::from(mv.is_en_passant());
        self.promotions += usize::from(mv.promotes_to().is_some());
        self.captures += usize::from(board.is_capture(mv));
    }
}

/// Makes and takes back the moves of games as a search does, and asks for sums at random.
fn walk(network: &Arc<NTuple>, seeds: Range<u64>) -> Met {
    let mut walker = NTupleEvaluator::new(network.clone());
    let mut met = Met::default();
    let mut asked = 0;
    for seed in seeds {
        let (boards, moves) = game(seed, 160);
        let mut random = Random::new(seed);
        walker.reset(&boards[0]);
        let mut ply = 0;
        while ply < moves.len() {
            match random.number() % 8 {
                0 if ply > 0 => {
                    ply -= 1;
                    walker.pop();
                }
                1 => try_siblings(&mut walker, network, &boards[ply]),
                _ => {
                    met.note(&boards[ply], moves[ply]);
                    walker.push(&boards[ply], moves[ply], &boards[ply + 1]);
                    ply += 1;
                }
            }
            if random.number().is_multiple_of(3) {
                asked += 1;
                compare(&mut walker, network, &boards[ply]);
            }
        }
    }
    assert!(asked > 100);
    met
}

/// Checks that the walker's sum and the one from scratch equal that of the tables.
fn compare(walker: &mut NTupleEvaluator, network: &Arc<NTuple>, board: &Board) {
    let expected = network.weights().sum(board);
    assert_eq!(walker.sum(), expected, "{board:?}");
    assert_eq!(network.sum(board), expected, "{board:?}");
}

/// Tries every fifth move of a position, and a null move after some.
fn try_siblings(walker: &mut NTupleEvaluator, network: &Arc<NTuple>, board: &Board) {
    for (index, &mv) in board.legal_moves().iter().enumerate().step_by(5) {
        let child = board.after(mv);
        walker.push(board, mv, &child);
        if index % 2 == 0 && !child.in_check() {
            let mut passed = child;
            passed.make_null();
            walker.push_null();
            compare(walker, network, &passed);
            walker.pop();
        }
        compare(walker, network, &child);
        walker.pop();
    }
}

#[test]
fn the_published_set_follows_moves() {
    let met = walk(&network(published(1, 100)), 0..40);
    assert!(met.castlings > 10 && met.en_passant > 10);
    assert!(met.promotions > 10 && met.captures > 100);
}

#[test]
fn the_largest_weights_follow_moves() {
    walk(&network(published(2, LARGEST_WEIGHT)), 0..8);
    let mut weights = published(2, 0);
    for weight in weights
        .tables_mut()
        .iter_mut()
        .flat_map(|table| table.weights_mut())
    {
        *weight = [LARGEST_WEIGHT, -LARGEST_WEIGHT];
    }
    walk(&network(weights), 0..8);
}

#[test]
fn tuples_of_one_and_three_men_follow_moves() {
    let names = ["K", "P", "Pp", "NB", "KPp", "PPP", "Krp", "Qbn"];
    walk(&network(named(&names, 3, 200)), 0..12);
}

#[test]
fn a_line_may_be_longer_than_the_first_room() {
    let network = network(published(4, 50));
    let (boards, moves) = game(1, 400);
    assert!(moves.len() > 150);
    let mut walker = NTupleEvaluator::new(network.clone());
    walker.reset(&boards[0]);
    for (ply, &mv) in moves.iter().enumerate() {
        walker.push(&boards[ply], mv, &boards[ply + 1]);
    }
    compare(&mut walker, &network, boards.last().expect("a board"));
}

#[test]
fn values_follow_moves() {
    let network = network(published(5, 30));
    let mut walker = NTupleEvaluator::new(network.clone());
    let mut fresh = walker.clone();
    for seed in 0..6 {
        let (boards, moves) = game(seed, 200);
        walker.reset(&boards[0]);
        for (ply, &mv) in moves.iter().enumerate() {
            let child = &boards[ply + 1];
            walker.push(&boards[ply], mv, child);
            if !child.in_check() {
                fresh.reset(child);
                assert_eq!(walker.evaluate(child), fresh.evaluate(child), "{child:?}");
            }
        }
    }
}
