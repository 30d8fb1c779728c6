//! Positions as the halves see them: inputs, rows of legal moves, targets.

use super::wdl::{Wdl, of_result};
use crate::BLOCK;
use chess::{Board, Color, PieceKind};
use data::position::{Outcome, Position};
use nets::nnue::{Inputs, OUTCOMES};
use nets::policy::sparse::Seen;
use rayon::prelude::*;

/// What is learned from a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Aim {
    /// What its score says of the result.
    pub wdl: Wdl,
    /// The share of that; the rest is the result.
    pub lambda: f32,
    /// The share of the policy's target that all legal moves have alike.
    pub smoothing: f32,
}

/// The policy's inputs.
pub(super) const POLICY: usize = 0;
/// The value's inputs as the side to move sees them.
pub(super) const OWN: usize = 1;
/// As the other side does.
pub(super) const OTHER: usize = 2;

/// Positions that are worked on together.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// The inputs of all positions, of each kind: one for each man.
    lists: [Vec<u16>; 3],
    /// Where the inputs of each position end.
    ends: Vec<u32>,
    /// The rows of all legal moves of all positions that have a move to learn.
    rows: Vec<u16>,
    row_ends: Vec<u32>,
    /// Which of its moves a position learns.
    pub(super) played: Vec<u16>,
    /// The first of its outputs.
    pub(super) outcomes: Vec<u8>,
    pub(super) targets: Vec<[f32; OUTCOMES]>,
    pub(super) results: Vec<Outcome>,
    /// How many positions have a move to learn.
    pub(super) learned: usize,
}

impl Block {
    fn clear(&mut self) {
        self.lists.iter_mut().for_each(Vec::clear);
        self.ends.clear();
        self.rows.clear();
        self.row_ends.clear();
        self.played.clear();
        self.outcomes.clear();
        self.targets.clear();
        self.results.clear();
        self.learned = 0;
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many rows there are in all.
    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    #[inline(always)]
    pub(super) fn list(&self, which: usize, position: usize) -> &[u16] {
        &self.lists[which][range(&self.ends, position)]
    }

    /// The rows of a position's legal moves; none if no move is learned.
    #[inline(always)]
    pub(super) fn rows(&self, position: usize) -> &[u16] {
        &self.rows[range(&self.row_ends, position)]
    }

    /// Where they lie among all.
    #[inline(always)]
    pub(super) fn row_range(&self, position: usize) -> std::ops::Range<usize> {
        range(&self.row_ends, position)
    }

    fn push(&mut self, position: &Position, inputs: &Inputs, buckets: usize, aim: &Aim) {
        let board = &position.board;
        let seen = Seen::of(board);
        let list = &mut self.lists[POLICY];
        seen.inputs(board, |input| list.push(input as u16));
        self.push_men(board, inputs);
        self.ends.push(self.lists[POLICY].len() as u32);
        self.push_moves(position, &seen);
        let men = board.occupied().count();
        let bucket = (men.saturating_sub(1) as usize * buckets / 32).min(buckets - 1);
        self.outcomes.push((OUTCOMES * bucket) as u8);
        let (scored, ended) = (
            aim.wdl.of_score(f32::from(position.score)),
            of_result(position.result),
        );
        let mixed = |index: usize| aim.lambda * scored[index] + (1.0 - aim.lambda) * ended[index];
        self.targets.push(std::array::from_fn(mixed));
        self.results.push(position.result);
    }

    /// The value's inputs of both sides.
    fn push_men(&mut self, board: &Board, inputs: &Inputs) {
        let us = board.side_to_move();
        let [own, other] = [us, !us].map(|color| inputs.view(color, board.king(color)));
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let piece = chess::Piece::new(color, kind);
                for square in board.pieces(color, kind) {
                    self.lists[OWN].push(own.feature(piece, square) as u16);
                    self.lists[OTHER].push(other.feature(piece, square) as u16);
                }
            }
        }
    }

    /// The rows of legal moves, if there is something to learn from them: not if no
    /// move is known, or only one is legal.
    fn push_moves(&mut self, position: &Position, seen: &Seen) {
        let moves = position.board.legal_moves();
        let played = moves.iter().position(|&mv| Some(mv) == position.mv);
        match played.filter(|_| moves.len() > 1) {
            Some(played) => {
                let rows = moves.iter().map(|&mv| seen.row(&position.board, mv));
                self.rows.extend(rows);
                self.played.push(played as u16);
                self.learned += 1;
            }
            None => self.played.push(0),
        }
        self.row_ends.push(self.rows.len() as u32);
    }
}

#[inline(always)]
fn range(ends: &[u32], index: usize) -> std::ops::Range<usize> {
    let start = match index {
        0 => 0,
        _ => ends[index - 1] as usize,
    };
    start..ends[index] as usize
}

/// Positions to learn from at once, in blocks of a fixed size: the order of sums does
/// not depend on threads.
#[derive(Debug)]
pub struct Batch {
    inputs: Inputs,
    buckets: usize,
    pub(super) blocks: Vec<Block>,
    pub(super) smoothing: f32,
}

impl Batch {
    /// No positions, for the inputs and the output buckets of a value.
    pub fn new(inputs: Inputs, output_buckets: usize) -> Batch {
        Batch {
            inputs,
            buckets: output_buckets,
            blocks: Vec::new(),
            smoothing: 0.0,
        }
    }

    /// Takes these positions.
    pub fn set(&mut self, positions: &[Position], aim: &Aim) {
        self.smoothing = aim.smoothing;
        let count = positions.len().div_ceil(BLOCK);
        self.blocks.resize_with(count, Block::default);
        let (inputs, buckets) = (&self.inputs, self.buckets);
        self.blocks
            .par_iter_mut()
            .zip(positions.par_chunks(BLOCK))
            .for_each(|(block, positions)| {
                block.clear();
                for position in positions {
                    block.push(position, inputs, buckets, aim);
                }
            });
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(Block::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// How many have a move to learn.
    pub(super) fn learned(&self) -> usize {
        self.blocks.iter().map(|block| block.learned).sum()
    }
}
