//! The positions of one step as the net sees them: lists of inputs, and what is
//! to be learned from each.

use chess::{PieceKind, Square};
use data::packed::PackedPosition;
use nets::nnue::Inputs;

/// Positions of one step.
///
/// Every man is one input of either side, so both sides have equally many.
#[derive(Clone, Debug)]
pub struct Batch {
    inputs: Inputs,
    /// Where the inputs of each position begin; one more than there are positions.
    starts: Vec<u32>,
    own: Vec<u16>,
    other: Vec<u16>,
    men: Vec<u8>,
    scores: Vec<f32>,
    results: Vec<f32>,
}

/// The inputs of one position, for the side to move and for the other.
#[derive(Clone, Copy)]
pub(crate) struct Active<'a> {
    pub(crate) own: &'a [u16],
    pub(crate) other: &'a [u16],
}

impl Batch {
    /// No positions yet, seen through these inputs.
    ///
    /// # Panics
    /// If there are more inputs than 16 bits can number; no shape has so many.
    pub fn new(inputs: Inputs) -> Batch {
        assert!(inputs.count() <= 1 << 16);
        Batch {
            inputs,
            starts: vec![0],
            own: Vec::new(),
            other: Vec::new(),
            men: Vec::new(),
            scores: Vec::new(),
            results: Vec::new(),
        }
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.starts.truncate(1);
        self.own.clear();
        self.other.clear();
        self.men.clear();
        self.scores.clear();
        self.results.clear();
    }

    /// Adds a position.
    #[inline]
    pub fn push(&mut self, position: &PackedPosition) {
        let side = position.side_to_move();
        let mut kings = [Square::from_index(0); 2];
        for (square, piece) in position.pieces() {
            if piece.kind == PieceKind::King {
                kings[piece.color.index()] = square;
            }
        }
        let own = self.inputs.view(side, kings[side.index()]);
        let other = self.inputs.view(!side, kings[(!side).index()]);
        let before = self.own.len();
        for (square, piece) in position.pieces() {
            self.own.push(own.feature(piece, square) as u16);
            self.other.push(other.feature(piece, square) as u16);
        }
        self.starts.push(self.own.len() as u32);
        self.men.push((self.own.len() - before) as u8);
        self.scores.push(f32::from(position.score()));
        let result = f32::from(position.result().number());
        self.results.push(0.5 * (1.0 + result));
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.men.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.men.is_empty()
    }

    /// What they are seen through.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The scores, in centipawns.
    pub fn scores(&self) -> &[f32] {
        &self.scores
    }

    /// The results, from 0 to 1.
    pub fn results(&self) -> &[f32] {
        &self.results
    }

    /// How many men each position has.
    pub fn men(&self) -> &[u8] {
        &self.men
    }

    #[inline(always)]
    pub(crate) fn active(&self, position: usize) -> Active<'_> {
        let inputs = self.starts[position] as usize..self.starts[position + 1] as usize;
        Active {
            own: &self.own[inputs.clone()],
            other: &self.other[inputs],
        }
    }
}
