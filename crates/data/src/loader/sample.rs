//! Samples: what a learner gets from a position.

use crate::{packed::PackedPosition, position::Position};

/// What a learner gets from a position in its game. The order of positions does not depend
/// on the type: all loaders give the same positions in the same order.
pub trait Sample: Clone + Send + 'static {
    /// How many of the positions before it are used at most.
    const BEFORE: usize = 0;

    /// Makes a sample. `before` are the positions before it in its chain, the latest last,
    /// including filtered ones: at most [`Sample::BEFORE`], fewer at the start of a chain.
    fn new(position: &Position, before: &[Position]) -> Self;
}

/// What nets with sparse inputs need, in 32 bytes.
impl Sample for PackedPosition {
    #[inline]
    fn new(position: &Position, _: &[Position]) -> Self {
        position.into()
    }
}

/// The whole position: the board with castling rights and en passant, the move that was
/// played, score, result and ply.
impl Sample for Position {
    #[inline]
    fn new(position: &Position, _: &[Position]) -> Self {
        *position
    }
}

/// The latest positions of a chain.
#[derive(Default)]
pub(super) struct History {
    positions: Vec<Position>,
}

impl History {
    /// Forgets the chain before.
    pub(super) fn begin(&mut self) {
        self.positions.clear();
    }

    /// The latest positions, at most `most`.
    pub(super) fn latest(&self, most: usize) -> &[Position] {
        &self.positions[self.positions.len().saturating_sub(most)..]
    }

    /// Adds a position; no more than `most` are ever needed.
    pub(super) fn push(&mut self, position: &Position, most: usize) {
        // Old ones are dropped in bulk: moving the rest for each position would be slower.
        if self.positions.len() >= 2 * most {
            self.positions.drain(..self.positions.len() - most);
        }
        self.positions.push(*position);
    }
}
