//! Accumulators that are updated by moves equal those computed from scratch, on every path.

use crate::positions::game;
use chess::{Board, Move};
use nets::Evaluator;
use nets::nnue::sfnn::{Sfnn, SfnnWeights};
use nets::nnue::simple::{Simple, SimpleWeights};
use nets::nnue::{
    Activation, Inputs, NetEvaluator, Network, Random, SfnnRanges, SfnnShape, SimpleScales,
    SimpleShape,
};
use std::sync::Arc;

fn sfnn(l1: usize, seed: u64) -> Arc<Sfnn> {
    let mut weights = SfnnWeights::zeros(SfnnShape::new(l1).expect("a width")).expect("memory");
    weights.fill_randomly(seed, SfnnRanges::USUAL);
    Arc::new(Sfnn::new(weights).expect("within bounds"))
}

fn simple(inputs: Inputs, activation: Activation, output_buckets: usize) -> Arc<Simple> {
    let shape = SimpleShape {
        inputs,
        hidden: 96,
        activation,
        output_buckets,
        scales: SimpleScales::default(),
    };
    shape.check().expect("a shape");
    let mut weights = SimpleWeights::zeros(shape).expect("memory");
    weights.fill_randomly(5, 200, 127);
    Arc::new(Simple::new(weights).expect("within bounds"))
}

fn fresh<N: Network>(net: &Arc<N>, board: &Board) -> i32 {
    NetEvaluator::new(net.clone()).fresh_value(board)
}

/// Makes and takes back the moves of games as a search does, with evaluations at random.
fn walk<N: Network>(net: &Arc<N>, seeds: std::ops::Range<u64>) {
    let mut walker = NetEvaluator::new(net.clone());
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
                1 => try_siblings(&mut walker, net, &boards[ply]),
                _ => {
                    walker.push(&boards[ply], moves[ply], &boards[ply + 1]);
                    ply += 1;
                }
            }
            if random.number().is_multiple_of(3) {
                asked += 1;
                let value = walker.raw_value(&boards[ply]);
                assert_eq!(value, fresh(net, &boards[ply]), "{:?}", boards[ply]);
            }
        }
    }
    assert!(asked > 100);
}

/// Tries every move of a position, and replies after a null move.
fn try_siblings<N: Network>(walker: &mut NetEvaluator<N>, net: &Arc<N>, board: &Board) {
    let moves: Vec<Move> = board.legal_moves().iter().copied().collect();
    for (index, &mv) in moves.iter().enumerate().step_by(5) {
        let child = board.after(mv);
        walker.push(board, mv, &child);
        if index % 2 == 0 && !child.in_check() {
            let mut passed = child;
            passed.make_null();
            walker.push_null();
            assert_eq!(walker.raw_value(&passed), fresh(net, &passed));
            walker.pop();
        }
        assert_eq!(walker.raw_value(&child), fresh(net, &child), "{child:?}");
        walker.pop();
    }
}

#[test]
fn stockfish_shapes_follow_moves() {
    walk(&sfnn(128, 1), 0..10);
    walk(&sfnn(256, 2), 10..13);
}

#[test]
fn simple_shapes_follow_moves() {
    let plain = Inputs::piece_square([0; 64], false).expect("one bucket");
    walk(&simple(plain, Activation::Screlu, 8), 0..6);
    let halves = std::array::from_fn(|square| u8::from(square >= 16));
    let mirrored = Inputs::piece_square(halves, true).expect("two buckets");
    walk(&simple(mirrored, Activation::Pairwise, 1), 0..6);
    let by_square = std::array::from_fn(|square| square as u8);
    let all = Inputs::piece_square(by_square, false).expect("64 buckets");
    walk(&simple(all, Activation::Crelu, 3), 0..6);
}

#[test]
fn a_line_may_be_longer_than_the_first_room() {
    let net = sfnn(128, 3);
    let (boards, moves) = game(1, 400);
    let mut walker = NetEvaluator::new(net.clone());
    walker.reset(&boards[0]);
    for (ply, &mv) in moves.iter().enumerate() {
        walker.push(&boards[ply], mv, &boards[ply + 1]);
    }
    let last = boards.last().expect("a board");
    assert!(moves.len() > 150);
    assert_eq!(walker.raw_value(last), fresh(&net, last));
}

#[test]
fn a_clone_starts_with_nothing_but_the_net() {
    let net = sfnn(128, 4);
    let mut first = NetEvaluator::new(net.clone());
    let board = Board::from_fen("4k3/8/8/3p4/8/8/4P3/4K3 w - - 0 1").expect("a position");
    first.reset(&board);
    let mut second = first.clone();
    second.reset(&board);
    assert_eq!(first.raw_value(&board), second.raw_value(&board));
}

#[test]
fn the_view_of_either_side_is_the_same_with_colours_swapped() {
    let net = sfnn(128, 6);
    let white =
        Board::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let black =
        Board::from_fen("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1");
    let [white, black] = [white, black].map(|board| board.expect("a position"));
    assert_eq!(fresh(&net, &white), fresh(&net, &black));
}
