//! A fast net for a search: one position at a time, value and policy computed separately.

use super::inputs::{MOST_ACTIVE, Seen};
use super::net::PolicyNet;
use crate::kernels;
use crate::nnue::memory::Rows;
use crate::nnue::simd::{Changes, Kernels};
use crate::nnue::{NeuronStatistics, WdlEvaluator, neurons_of_policy};
use crate::policy::{Chances, PolicyValue, Wanted};
use chess::{Board, Line, Move};
use std::sync::Arc;

/// The value from which on the policy's hidden values are clipped.
const ONE: i16 = 255;

/// A net with the state of one thread.
pub struct PolicyEvaluator {
    net: Arc<PolicyNet>,
    kernels: &'static Kernels,
    value: WdlEvaluator,
    /// One row: the policy's hidden values.
    hidden: Rows,
    products: Vec<u8>,
    rows: Vec<u16>,
    sums: Vec<i32>,
    logits: Vec<f32>,
    chances: Chances,
}

impl PolicyEvaluator {
    /// An evaluator with this net and the fastest arithmetic of this CPU.
    pub fn new(net: Arc<PolicyNet>) -> PolicyEvaluator {
        PolicyEvaluator::with_kernels(net, Kernels::best())
    }

    fn with_kernels(net: Arc<PolicyNet>, kernels: &'static Kernels) -> PolicyEvaluator {
        let hidden = net.policy.hidden();
        PolicyEvaluator {
            kernels,
            value: WdlEvaluator::new(net.value.clone()),
            hidden: Rows::zeros(1, hidden),
            products: vec![0; hidden / 2],
            rows: Vec::new(),
            sums: Vec::new(),
            logits: Vec::new(),
            chances: Chances::DRAW,
            net,
        }
    }

    /// The net.
    pub fn net(&self) -> &Arc<PolicyNet> {
        &self.net
    }

    /// Computes the policy's hidden values.
    #[inline]
    fn see(&mut self, board: &Board) -> Seen {
        let (net, seen) = (&*self.net, Seen::of(board));
        let mut active = [0; MOST_ACTIVE];
        let mut count = 0;
        seen.inputs(board, |input| {
            active[count] = input as u32;
            count += 1;
        });
        let changes = Changes {
            removed: &[],
            added: &active[..count],
        };
        let (policy, hidden) = (&net.policy, self.hidden.row_mut(0));
        self.kernels
            .update(&policy.inputs, &policy.biases, hidden, changes);
        seen
    }

    /// How the neurons of the policy's hidden layer behave in positions of random games.
    pub fn neurons(&mut self) -> NeuronStatistics {
        let width = self.net.policy.hidden();
        neurons_of_policy(width, ONE, |board, show| {
            self.see(board);
            show(self.hidden.row_mut(0));
        })
    }

    /// The logits of legal moves of a board, in their order.
    #[inline]
    pub fn policy(&mut self, board: &Board, moves: &[Move]) -> &[f32] {
        let seen = self.see(board);
        let (net, policy, hidden) = (&*self.net, &self.net.policy, self.hidden.row_mut(0));
        self.kernels.products(hidden, &mut self.products);
        self.rows.clear();
        self.rows
            .extend(moves.iter().map(|&mv| seen.row(board, mv)));
        self.sums.resize(moves.len(), 0);
        self.kernels
            .rows(&self.products, &policy.moves, &self.rows, &mut self.sums);
        let logit = |(&row, &sum): (&u16, &i32)| {
            (sum + policy.move_biases[usize::from(row)]) as f32 * net.logit
        };
        self.logits.clear();
        self.logits
            .extend(self.rows.iter().zip(&self.sums).map(logit));
        &self.logits
    }

    /// The probabilities of the results for the side to move.
    #[inline]
    pub fn value(&mut self, board: &Board) -> Chances {
        let mut chances = self.value.logits(board);
        kernels::Kernels::best().softmax(&mut chances);
        let [win, draw, loss] = chances;
        self.chances = Chances { win, draw, loss };
        self.chances
    }
}

/// A position is computed when it is put, as batches gain nothing.
impl PolicyValue for PolicyEvaluator {
    fn capacity(&self) -> usize {
        1
    }

    fn is_joint(&self) -> bool {
        false
    }

    fn put(&mut self, line: &Line, wanted: Wanted<'_>) {
        let board = line.board();
        match wanted {
            Wanted::Value => {
                self.value(board);
            }
            Wanted::Policy(moves) => {
                self.policy(board, moves);
            }
            Wanted::Both(moves) => {
                self.value(board);
                self.policy(board, moves);
            }
        }
    }

    fn run(&mut self) {}

    fn chances(&self, _number: usize) -> Chances {
        self.chances
    }

    fn logits(&self, _number: usize) -> &[f32] {
        &self.logits
    }
}

#[cfg(test)]
mod tests {
    use super::super::inputs::INPUTS;
    use super::super::rows::ROWS;
    use super::super::shape::PolicyShape;
    use super::super::weights::PolicyWeights;
    use super::*;
    use crate::nnue::{Activation, Inputs, Random, SimpleScales, SimpleShape};

    fn net(hidden: usize) -> Arc<PolicyNet> {
        let shape = PolicyShape {
            hidden,
            value: SimpleShape {
                inputs: Inputs::piece_square([0; 64], true).expect("one bucket"),
                hidden: 64,
                activation: Activation::Screlu,
                output_buckets: 6,
                scales: SimpleScales::default(),
            },
        };
        let mut weights = PolicyWeights::zeros(shape).expect("memory");
        weights.fill_randomly(hidden as u64);
        Arc::new(PolicyNet::new(weights).expect("within bounds"))
    }

    /// The policy by its definition in floats, which the integers approximate.
    fn defined(net: &PolicyNet, board: &Board, mv: Move) -> f64 {
        let (policy, hidden) = (&net.policy, net.policy.hidden());
        let seen = Seen::of(board);
        let mut sums: Vec<f64> = policy.biases.iter().map(|&it| f64::from(it)).collect();
        seen.inputs(board, |input| {
            assert!(input < INPUTS);
            for (sum, &weight) in sums.iter_mut().zip(&policy.inputs[input * hidden..]) {
                *sum += f64::from(weight);
            }
        });
        let row = usize::from(seen.row(board, mv));
        assert!(row < ROWS);
        let weights = &policy.moves[row * hidden / 2..];
        let mut logit = f64::from(policy.move_biases[row]) * f64::from(net.logit);
        for index in 0..hidden / 2 {
            let [a, b] = [sums[index], sums[hidden / 2 + index]].map(|it| it.clamp(0.0, 255.0));
            logit += (a / 255.0) * (b / 255.0) * f64::from(weights[index]) / 64.0;
        }
        logit
    }

    fn boards(seed: u64) -> Vec<Board> {
        let mut random = Random::new(seed);
        let mut board = match seed % 2 {
            0 => Board::start(),
            _ => Board::chess960((random.number() % 960) as u16).expect("a number below 960"),
        };
        let mut boards = Vec::new();
        for _ in 0..120 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            boards.push(board);
            board.make(moves[(random.number() % moves.len() as u64) as usize]);
        }
        boards
    }

    #[test]
    fn logits_are_those_of_the_definition_on_every_cpu() {
        for hidden in [128, 256, 640] {
            let net = net(hidden);
            let mut evaluators: Vec<_> = Kernels::available()
                .into_iter()
                .map(|kernels| PolicyEvaluator::with_kernels(net.clone(), kernels))
                .collect();
            for board in (1..5).flat_map(boards) {
                let moves = board.legal_moves();
                let all: Vec<Vec<f32>> = evaluators
                    .iter_mut()
                    .map(|evaluator| evaluator.policy(&board, &moves).to_vec())
                    .collect();
                assert!(all.iter().all(|logits| *logits == all[0]));
                for (&mv, &logit) in moves.iter().zip(&all[0]) {
                    let error = (f64::from(logit) - defined(&net, &board, mv)).abs();
                    // Each product loses less than 1 of 127 to rounding.
                    assert!(
                        error < hidden as f64 / 2.0 / 127.0,
                        "{board:?} {mv:?} {error}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_value_does_not_depend_on_what_was_asked_before() {
        let net = net(128);
        let mut evaluator = PolicyEvaluator::new(net.clone());
        for board in (0..8).flat_map(boards) {
            let chances = evaluator.value(&board);
            let afresh = WdlEvaluator::new(net.value.clone()).fresh_logits(&board);
            assert_eq!(evaluator.value.logits(&board), afresh);
            assert_eq!(PolicyEvaluator::new(net.clone()).value(&board), chances);
            let sum = chances.win + chances.draw + chances.loss;
            assert!((sum - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn positions_are_put_and_read() {
        let net = net(128);
        let mut evaluator = PolicyEvaluator::new(net.clone());
        let line = Line::new(Board::start());
        let moves = line.board().legal_moves();
        evaluator.put(&line, Wanted::Both(&moves));
        evaluator.run();
        let (chances, logits) = (evaluator.chances(0), evaluator.logits(0).to_vec());
        let mut other = PolicyEvaluator::new(net);
        other.put(&line, Wanted::Policy(&moves[..3]));
        assert_eq!(other.logits(0), &logits[..3]);
        other.put(&line, Wanted::Value);
        assert_eq!(other.chances(0), chances);
        assert_eq!((other.capacity(), other.is_joint()), (1, false));
    }
}
