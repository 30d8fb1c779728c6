//! An n-tuple network as the evaluation function of a search.

use super::network::NTuple;
use super::weights::Sum;
use crate::Evaluator;
use crate::classical::Classical;
use crate::nnue::delta::Delta;
use chess::{Board, Move};
use std::sync::Arc;

/// How many plies are allocated for a line of play; longer lines get more.
const USUAL_PLIES: usize = 128;

/// A network with the sums and caches of one thread. Clones share the weights.
#[derive(Clone)]
pub struct NTupleEvaluator {
    network: Arc<NTuple>,
    classical: Classical,
    line: Line,
}

impl NTupleEvaluator {
    /// An evaluation by this network.
    pub fn new(network: Arc<NTuple>) -> NTupleEvaluator {
        NTupleEvaluator {
            classical: network.classical(),
            line: Line::new(&network, &Board::start()),
            network,
        }
    }

    /// The sum of the tables for the board of the last push.
    #[inline]
    pub fn sum(&mut self) -> Sum {
        self.line.sum(&self.network)
    }
}

impl Evaluator for NTupleEvaluator {
    fn reset(&mut self, board: &Board) {
        self.line.reset(&self.network, board);
    }

    #[inline]
    fn push(&mut self, parent: &Board, mv: Move, child: &Board) {
        self.line.push(Delta::of(parent, mv), child);
    }

    #[inline]
    fn push_null(&mut self) {
        let board = self.line.steps[self.line.last].board;
        self.line.push(Delta::NONE, &board);
    }

    #[inline]
    fn pop(&mut self) {
        self.line.last = self.line.last.saturating_sub(1);
    }

    #[inline]
    fn evaluate(&mut self, board: &Board) -> i32 {
        let (line, network) = (&mut self.line, &self.network);
        self.classical
            .evaluate_with(board, || line.sum(network).score())
    }

    fn explain(&mut self, board: &Board) -> String {
        self.network.explain(board).to_string()
    }
}

/// The line of play with the sums of its boards, which are computed only when they are
/// needed: a search leaves many positions without evaluating them.
#[derive(Clone)]
struct Line {
    steps: Vec<Step>,
    /// The index of the last board's step; steps after it were taken back.
    last: usize,
}

/// A board, and how it differs from the one before.
#[derive(Clone)]
struct Step {
    board: Board,
    delta: Delta,
    sum: Option<Sum>,
}

impl Line {
    fn new(network: &NTuple, board: &Board) -> Line {
        let start = Step {
            board: *board,
            delta: Delta::NONE,
            sum: Some(network.sum(board)),
        };
        Line {
            steps: vec![start; USUAL_PLIES],
            last: 0,
        }
    }

    fn reset(&mut self, network: &NTuple, board: &Board) {
        self.last = 0;
        self.steps[0].board = *board;
        self.steps[0].sum = Some(network.sum(board));
    }

    #[inline(always)]
    fn push(&mut self, delta: Delta, board: &Board) {
        self.last += 1;
        let step = Step {
            board: *board,
            delta,
            sum: None,
        };
        match self.steps.get_mut(self.last) {
            Some(place) => *place = step,
            None => self.steps.push(step),
        }
    }

    #[inline]
    fn sum(&mut self, network: &NTuple) -> Sum {
        let known = self.steps[..=self.last]
            .iter()
            .rposition(|step| step.sum.is_some());
        let first = known.unwrap_or_default();
        let mut sum = self.steps[first].sum.unwrap_or_default();
        for index in first + 1..=self.last {
            let [parent, child] = &mut self.steps[index - 1..=index] else {
                break;
            };
            sum += network.change(&parent.board, &child.delta, &child.board);
            child.sum = Some(sum);
        }
        sum
    }
}
