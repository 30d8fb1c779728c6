//! Positions in the form that both halves need: inputs, rows of legal moves, targets.

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

/// How targets are made from a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Aim {
    /// The conversion of scores to win, draw and loss probabilities.
    pub wdl: Wdl,
    /// The other settings of targets.
    pub(crate) record: RecordAim,
}

impl Aim {
    /// Targets from games: `lambda` is the share of the score in the value target, the rest is the
    /// result; `smoothing` is the share of the policy target that is spread evenly over all legal
    /// moves.
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

/// The index of the policy's inputs.
pub(super) const POLICY: usize = 0;
/// The index of the value's inputs from the perspective of the side to move.
pub(super) const OWN: usize = 1;
/// The same from the perspective of the other side.
pub(super) const OTHER: usize = 2;

/// Positions that are processed together.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// The inputs of all positions, for each of the three kinds: one for each man.
    lists: [Vec<u16>; 3],
    /// Where the inputs of each position end.
    ends: Vec<u32>,
    /// The rows of all legal moves of all positions that have a policy target.
    rows: Vec<u16>,
    row_ends: Vec<u32>,
    /// The index of the played move among the legal moves; in searched positions that of the best
    /// one.
    pub(super) played: Vec<u16>,
    /// The target probabilities of the moves of searched positions, in the order of all rows; empty
    /// if the target is the played move.
    shares: Vec<f32>,
    /// The weights of policy and value of searched positions.
    weights: Vec<[f32; 2]>,
    /// The index of the first output of each position's bucket.
    pub(super) outcomes: Vec<u8>,
    pub(super) targets: Vec<[f32; OUTCOMES]>,
    pub(super) results: Vec<Outcome>,
    /// The number of positions with a policy target.
    pub(super) learned: usize,
    /// The sums of the weights of policies and of values.
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

    /// The total number of rows.
    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    #[inline(always)]
    pub(super) fn list(&self, which: usize, position: usize) -> &[u16] {
        &self.lists[which][range(&self.ends, position)]
    }

    /// The rows of a position's legal moves; empty without a policy target.
    #[inline(always)]
    pub(super) fn rows(&self, position: usize) -> &[u16] {
        &self.rows[range(&self.row_ends, position)]
    }

    /// The target probabilities of these moves, if the position was searched.
    #[inline(always)]
    pub(super) fn shares(&self, position: usize) -> Option<&[f32]> {
        let range = range(&self.row_ends, position);
        (!self.weights.is_empty()).then(|| &self.shares[range])
    }

    /// The weights of a position's policy and value.
    #[inline(always)]
    pub(super) fn weights(&self, position: usize) -> [f32; 2] {
        self.weights.get(position).copied().unwrap_or([1.0; 2])
    }

    /// The range of these rows among all.
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

    /// Adds a searched position.
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

    /// Adds the rows of legal moves with their target probabilities, if the position was fully
    /// searched and has several moves; returns the weight of its policy.
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

    /// Adds the value's inputs of both sides.
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

    /// Adds the rows of legal moves, unless no move is known or only one is legal.
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

/// Training positions of one step, in blocks of a fixed size, so that the order of sums does not
/// depend on threads.
#[derive(Debug)]
pub struct Batch {
    inputs: Inputs,
    buckets: usize,
    pub(super) blocks: Vec<Block>,
    pub(super) smoothing: f32,
}

impl Batch {
    /// An empty batch for these inputs and output buckets of the value.
    pub fn new(inputs: Inputs, output_buckets: usize) -> Batch {
        Batch {
            inputs,
            buckets: output_buckets,
            blocks: Vec::new(),
            smoothing: 0.0,
        }
    }

    /// Replaces the positions.
    pub fn set(&mut self, positions: &[Position], aim: &Aim) {
        self.fill(positions, aim, Block::push);
    }

    /// Replaces the positions by searched ones.
    pub fn set_records(&mut self, records: &[PolicyRecord], aim: &Aim) {
        self.fill(records, aim, Block::push_record);
    }

    /// Replaces the positions by those of either kind.
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

    /// The number of positions with a policy target.
    pub(super) fn learned(&self) -> usize {
        self.blocks.iter().map(|block| block.learned).sum()
    }

    /// The sums of the weights of policies and of values.
    pub(super) fn totals(&self) -> [f64; 2] {
        [0, 1].map(|which| self.blocks.iter().map(|block| block.totals[which]).sum())
    }
}
