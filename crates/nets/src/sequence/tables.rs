//! Access to a model's tables by what their rows mean, for showing them.

use super::shape::{ATTACK_STATES, BoardInput, CONTENTS, FARTHEST, SQUARE_WIDTH};
use super::weights::SequenceWeights;
use chess::{Piece, Square};

impl SequenceWeights {
    /// The values of the tensor with this name.
    fn named(&self, name: &str) -> &[f32] {
        let shapes = self.shape().tensors();
        let place = shapes.iter().position(|shape| shape.name == name);
        place.map_or(&[], |place| &self.tensors()[place])
    }

    fn row(&self, table: &str, number: usize) -> &[f32] {
        let width = match table {
            "squares" => SQUARE_WIDTH,
            _ => self.shape().width,
        };
        &self.named(table)[number * width..][..width]
    }

    /// The length of the embedding of a man on a square.
    pub(crate) fn man_width(&self) -> usize {
        match self.shape().board {
            BoardInput::SquareAttention => SQUARE_WIDTH,
            _ => self.shape().width,
        }
    }

    /// The embedding of a man on a square, with White as the side of the view. Where it also
    /// depends on attacks, the mean over all combinations of attacked and defended.
    pub(crate) fn man(&self, man: Piece, square: Square) -> Vec<f32> {
        let kind = man.kind.index() + 6 * man.color.index();
        let joint = kind * 64 + square.index();
        let (rows, divisor) = match self.shape().board {
            BoardInput::SquareAttention => return self.row("squares", joint).to_vec(),
            BoardInput::Additive => (vec![kind, CONTENTS + square.index()], 1.0),
            BoardInput::Joint => (vec![joint], 1.0),
            BoardInput::JointAttacks => {
                let states = (0..ATTACK_STATES).map(|state| joint * ATTACK_STATES + state);
                (states.collect(), ATTACK_STATES as f32)
            }
        };
        let first = self.shape().rows().board.start;
        let mut sum = vec![0.0; self.shape().width];
        for row in rows {
            for (sum, number) in sum.iter_mut().zip(self.row("events", first + row)) {
                *sum += number / divisor;
            }
        }
        sum
    }

    /// The embedding of a move as the previous move.
    pub(crate) fn previous(&self, number: u16) -> &[f32] {
        let first = self.shape().rows().previous.start;
        self.row("events", first + usize::from(number))
    }

    /// The weights of a move in the policy head.
    pub(crate) fn policy(&self, number: u16) -> &[f32] {
        self.row("policy", usize::from(number))
    }

    /// The bias of a move's logit.
    pub(crate) fn policy_bias(&self, number: u16) -> f32 {
        self.named("policy_bias")[usize::from(number)]
    }

    /// The biases of a layer's heads for each distance.
    pub(crate) fn distances(&self, layer: usize) -> impl Iterator<Item = &[f32]> {
        let table = self.named(&format!("layer.{layer}.distance"));
        table.chunks_exact(FARTHEST + 1)
    }

    /// All tensors with more than one row.
    pub(crate) fn matrices(&self) -> Vec<(String, &[f32])> {
        let shapes = self.shape().tensors().into_iter().zip(self.tensors());
        shapes
            .filter(|(shape, _)| shape.rows > 1)
            .map(|(shape, numbers)| (shape.name, numbers.as_slice()))
            .collect()
    }
}
