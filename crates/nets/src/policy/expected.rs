//! Any policy-value model under an alpha-beta search: its value only. Nets of this kind
//! are slow there; it is for comparisons.

use super::{Chances, PolicyValue, Wanted};
use crate::evaluator::Evaluator;
use chess::{Board, Line, Move};

/// Centipawns of a natural unit of the logistic curve, as in the usual loss of trainings.
const CENTIPAWNS: f32 = 400.0;
/// Larger values would be taken for mates.
const MOST_CENTIPAWNS: f32 = 4_000.0;

/// See the module.
#[derive(Clone, Debug)]
pub struct Expected<P> {
    model: P,
    line: Line,
}

impl<P: PolicyValue> Expected<P> {
    /// The value of this model.
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

/// What a search by centipawns makes of chances.
fn centipawns(chances: Chances) -> i32 {
    let expected = (0.5 * (1.0 + chances.value())).clamp(1e-6, 1.0 - 1e-6);
    let value = CENTIPAWNS * (expected / (1.0 - expected)).ln();
    value.clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS).round() as i32
}
