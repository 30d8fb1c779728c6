//! Positions as the halves see them: inputs, rows of legal moves, targets.

use super::wdl::{Wdl, of_result};
use crate::BLOCK;
use crate::records::{DrawSettings, RecordAim};
use crate::source::Given;
use chess::{Board, Color, MoveList, PieceKind};
use data::policy::PolicyRecord;
use data::position::{Outcome, Position};
use nets::nnue::{Inputs, OUTCOMES};
use nets::policy::sparse::Seen;
use rayon::prelude::*;

/// What is learned from a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Aim {
    /// What its score says of the result.
    pub wdl: Wdl,
    /// What else targets are made of.
    pub(crate) record: RecordAim,
}

impl Aim {
    /// What positions teach whose moves were played: this share of the value is that of
    /// the score, the rest the result; this share of the policy's target all legal moves
    /// have alike.
    pub const fn new(wdl: Wdl, lambda: f32, smoothing: f32) -> Aim {
        let record = RecordAim {
            lambda,
            smoothing,
            target_power: 1.0,
            draws: DrawSettings::PLAIN,
        };
        Aim { wdl, record }
    }
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
    /// Which of its moves a position learns; of searched positions the best one.
    pub(super) played: Vec<u16>,
    /// The shares that the moves of searched positions should have, in the order of all
    /// rows; empty if positions learn the move that was played.
    shares: Vec<f32>,
    /// How much moves and value of searched positions count.
    weights: Vec<[f32; 2]>,
    /// The first of its outputs.
    pub(super) outcomes: Vec<u8>,
    pub(super) targets: Vec<[f32; OUTCOMES]>,
    pub(super) results: Vec<Outcome>,
    /// How many positions have a move to learn.
    pub(super) learned: usize,
    /// How much moves and values count in all.
    pub(super) totals: [f64; 2],
}

impl Block {
    fn clear(&mut self) {
        self.lists.iter_mut().for_each(Vec::clear);
        self.ends.clear();
        self.rows.clear();
        self.row_ends.clear();
        self.played.clear();
        self.shares.clear();
        self.weights.clear();
        self.totals = [0.0; 2];
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

    /// The shares that they should have, if the position was searched.
    #[inline(always)]
    pub(super) fn shares(&self, position: usize) -> Option<&[f32]> {
        let range = range(&self.row_ends, position);
        (!self.weights.is_empty()).then(|| &self.shares[range])
    }

    /// How much moves and value of a position count.
    #[inline(always)]
    pub(super) fn weights(&self, position: usize) -> [f32; 2] {
        self.weights.get(position).copied().unwrap_or([1.0; 2])
    }

    /// Where they lie among all.
    #[inline(always)]
    pub(super) fn row_range(&self, position: usize) -> std::ops::Range<usize> {
        range(&self.row_ends, position)
    }

    fn push(&mut self, position: &Position, inputs: &Inputs, buckets: usize, aim: &Aim) {
        let seen = self.push_board(&position.board, inputs, buckets);
        self.push_moves(position, &seen);
        let (scored, ended) = (
            aim.wdl.of_score(f32::from(position.score)),
            of_result(position.result),
        );
        let lambda = aim.record.lambda;
        let mixed = |index: usize| lambda * scored[index] + (1.0 - lambda) * ended[index];
        self.targets.push(std::array::from_fn(mixed));
        self.results.push(position.result);
        self.totals = [self.learned as f64, self.len() as f64];
    }

    /// A position that somebody searched.
    fn push_record(&mut self, record: &PolicyRecord, inputs: &Inputs, buckets: usize, aim: &Aim) {
        let seen = self.push_board(&record.board, inputs, buckets);
        let policy_weight = self.push_searched(record, &seen, aim);
        self.targets.push(aim.record.chances(record));
        self.results.push(record.result);
        self.weights.push([policy_weight, record.weight]);
        self.totals[0] += f64::from(policy_weight);
        self.totals[1] += f64::from(record.weight);
    }

    fn push_board(&mut self, board: &Board, inputs: &Inputs, buckets: usize) -> Seen {
        let seen = Seen::of(board);
        let list = &mut self.lists[POLICY];
        seen.inputs(board, |input| list.push(input as u16));
        self.push_men(board, inputs);
        self.ends.push(self.lists[POLICY].len() as u32);
        let men = board.occupied().count();
        let bucket = (men.saturating_sub(1) as usize * buckets / 32).min(buckets - 1);
        self.outcomes.push((OUTCOMES * bucket) as u8);
        seen
    }

    /// The rows of legal moves with their shares, if the position was searched in full and
    /// had a choice; how much they count.
    fn push_searched(&mut self, record: &PolicyRecord, seen: &Seen, aim: &Aim) -> f32 {
        let mut weight = record.policy_weight;
        let moves = match weight > 0.0 {
            true => record.board.legal_moves(),
            false => MoveList::new(),
        };
        let (shares, is_known) = aim.record.shares(record, &moves);
        if !is_known || moves.len() < 2 {
            weight = 0.0;
        } else {
            let rows = moves.iter().map(|&mv| seen.row(&record.board, mv));
            self.rows.extend(rows);
            self.shares.extend(&shares);
            self.learned += 1;
        }
        let best = (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b]));
        self.played.push(best.unwrap_or(0) as u16);
        self.row_ends.push(self.rows.len() as u32);
        weight
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
        self.fill(positions, aim, Block::push);
    }

    /// Takes these positions, which somebody searched.
    pub fn set_records(&mut self, records: &[PolicyRecord], aim: &Aim) {
        self.fill(records, aim, Block::push_record);
    }

    /// Takes what was given.
    pub(super) fn set_given(&mut self, given: &Given<'_, Position>, aim: &Aim) {
        match given {
            Given::Positions(positions) => self.set(positions, aim),
            Given::Records(records) => self.set_records(records, aim),
        }
    }

    fn fill<T: Sync>(
        &mut self,
        all: &[T],
        aim: &Aim,
        push: fn(&mut Block, &T, &Inputs, usize, &Aim),
    ) {
        self.smoothing = aim.record.smoothing;
        let count = all.len().div_ceil(BLOCK);
        self.blocks.resize_with(count, Block::default);
        let (inputs, buckets) = (&self.inputs, self.buckets);
        self.blocks
            .par_iter_mut()
            .zip(all.par_chunks(BLOCK))
            .for_each(|(block, chunk)| {
                block.clear();
                for each in chunk {
                    push(block, each, inputs, buckets, aim);
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

    /// How much moves and values count in all.
    pub(super) fn totals(&self) -> [f64; 2] {
        [0, 1].map(|which| self.blocks.iter().map(|block| block.totals[which]).sum())
    }
}
