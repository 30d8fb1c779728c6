//! The model that knows nothing: all moves have the same prior, all positions are drawn. It
//! shows what the search itself costs.

use super::{Chances, PolicyValue, Wanted};
use chess::Line;

/// See the module.
#[derive(Clone, Default, Debug)]
pub struct Uniform {
    moves: Vec<usize>,
    zeros: Vec<f32>,
    is_done: bool,
}

impl Uniform {
    /// Enough for any search that batches positions.
    const CAPACITY: usize = 256;
}

impl PolicyValue for Uniform {
    fn capacity(&self) -> usize {
        Uniform::CAPACITY
    }

    fn is_joint(&self) -> bool {
        false
    }

    fn put(&mut self, _line: &Line, wanted: Wanted<'_>) {
        if std::mem::take(&mut self.is_done) {
            self.moves.clear();
        }
        let moves = match wanted {
            Wanted::Value => 0,
            Wanted::Policy(moves) | Wanted::Both(moves) => moves.len(),
        };
        self.moves.push(moves);
        if self.zeros.len() < moves {
            self.zeros.resize(moves, 0.0);
        }
    }

    fn run(&mut self) {
        self.is_done = true;
    }

    fn chances(&self, _number: usize) -> Chances {
        Chances::DRAW
    }

    fn logits(&self, number: usize) -> &[f32] {
        &self.zeros[..self.moves[number]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;

    #[test]
    fn every_position_is_level_and_every_move_alike() {
        let line = Line::new(Board::default());
        let moves = line.board().legal_moves();
        let mut model = Uniform::default();
        for _ in 0..2 {
            model.put(&line, Wanted::Value);
            model.put(&line, Wanted::Both(&moves));
            model.run();
            assert_eq!(model.chances(0).value(), 0.0);
            assert_eq!(model.chances(1), Chances::DRAW);
            assert_eq!(
                (model.logits(0), model.logits(1)),
                (&[][..], &[0.0; 20][..])
            );
        }
    }
}
