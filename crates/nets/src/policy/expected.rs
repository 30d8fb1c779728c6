//! The value of any policy-value model as the evaluation of an alpha-beta search. Such nets
//! are slow there; it is for comparisons.

use super::{Chances, PolicyValue, Wanted};
use crate::evaluator::Evaluator;
use chess::{Board, Line, Move};

/// How many centipawns change the odds by the factor e, as in the default loss of training.
const CENTIPAWNS: f32 = 400.0;
/// The largest value: larger ones could be taken for mates.
const MOST_CENTIPAWNS: f32 = 4_000.0;

/// See the module.
#[derive(Clone, Debug)]
pub struct Expected<P> {
    model: P,
    line: Line,
}

impl<P: PolicyValue> Expected<P> {
    /// An evaluation by the value of this model.
    pub fn new(model: P) -> Expected<P> {
        Expected {
            model,
            line: Line::new(Board::default()),
        }
    }
}

impl<P: PolicyValue + Clone> Evaluator for Expected<P> {
    fn reset(&mut self, board: &Board) {
        self.line = Line::new(*board);
    }

    fn push(&mut self, _parent: &Board, mv: Move, _child: &Board) {
        self.line.push(mv);
    }

    fn push_null(&mut self) {
        self.line.push_null();
    }

    fn pop(&mut self) {
        self.line.pop();
    }

    fn evaluate(&mut self, _board: &Board) -> i32 {
        self.model.put(&self.line, Wanted::Value);
        self.model.run();
        centipawns(self.model.chances(0))
    }
}

/// The probabilities of the results as a value in centipawns.
fn centipawns(chances: Chances) -> i32 {
    let expected = (0.5 * (1.0 + chances.value())).clamp(1e-6, 1.0 - 1e-6);
    let value = CENTIPAWNS * (expected / (1.0 - expected)).ln();
    value.clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS).round() as i32
}
