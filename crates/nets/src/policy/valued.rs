//! Any evaluation as a model for tree searches: its value with the hand-written policy.
//!
//! A static evaluation cannot judge a position in check, so its value is that of the best
//! evasion.

use super::heuristic::{Heuristic, chances};
use super::{Chances, PolicyValue, Wanted};
use crate::Evaluator;
use chess::{Board, Line};

/// The value of a check to which every evasion gives check in turn: rare and unclear.
const UNCLEAR: i32 = 0;

/// See the module.
#[derive(Clone, Debug)]
pub struct Valued<E> {
    evaluator: E,
    policy: Heuristic,
    chances: Chances,
}

impl<E: Evaluator> Valued<E> {
    /// A model with the values of this evaluation.
    pub fn new(evaluator: E) -> Valued<E> {
        Valued {
            evaluator,
            policy: Heuristic::default(),
            chances: Chances::DRAW,
        }
    }

    fn value(&mut self, board: &Board) -> i32 {
        if !board.in_check() {
            return self.quiet_value(board);
        }
        let evasions = board.legal_moves();
        let children = evasions.iter().map(|&mv| board.after(mv));
        let quiet = children.filter(|child| !child.in_check());
        let best = quiet.map(|child| -self.quiet_value(&child)).max();
        best.unwrap_or(UNCLEAR)
    }

    fn quiet_value(&mut self, board: &Board) -> i32 {
        self.evaluator.reset(board);
        self.evaluator.evaluate(board)
    }
}

impl<E: Evaluator> PolicyValue for Valued<E> {
    fn capacity(&self) -> usize {
        1
    }

    fn is_joint(&self) -> bool {
        false
    }

    fn put(&mut self, line: &Line, wanted: Wanted<'_>) {
        if let Wanted::Value | Wanted::Both(_) = wanted {
            self.chances = chances(self.value(line.board()));
        }
        if let Wanted::Policy(moves) | Wanted::Both(moves) = wanted {
            self.policy.put(line, Wanted::Policy(moves));
        }
    }

    fn run(&mut self) {}

    fn chances(&self, _number: usize) -> Chances {
        self.chances
    }

    fn logits(&self, number: usize) -> &[f32] {
        self.policy.logits(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Classical;

    fn value(fen: &str) -> f32 {
        let line = Line::new(Board::from_fen(fen).expect(fen));
        let mut model = Valued::new(Classical::default());
        let moves = line.board().legal_moves();
        model.put(&line, Wanted::Both(&moves));
        model.run();
        assert_eq!(model.logits(0).len(), moves.len());
        model.chances(0).value()
    }

    #[test]
    fn values_are_for_the_side_to_move() {
        assert!(value("4k3/8/8/8/8/8/PPPP4/4K2R w K - 0 1") > 0.5);
        assert!(value("4k3/8/8/8/8/8/PPPP4/4K2R b K - 0 1") < -0.5);
    }

    #[test]
    fn a_check_is_worth_its_best_evasion() {
        // The queen gives check and can be taken for nothing.
        assert!(value("4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1") > 0.5);
        assert!(value("4k3/4r3/8/8/8/8/q7/4K3 w - - 0 1") < -0.5);
    }
}
