//! What a learner gets of a position.

use crate::{packed::PackedPosition, position::Position};

/// What a learner gets of a position in its game. Which positions come when does not
/// depend on it: loaders of all samples give the same positions in the same order.
pub trait Sample: Clone + Send + 'static {
    /// How many of the positions before it matter at most.
    const BEFORE: usize = 0;

    /// Makes a sample. `before` are the positions before it in its chain, the latest
    /// last, filtered ones included: at most [`Sample::BEFORE`], fewer where the chain
    /// begins.
    fn new(position: &Position, before: &[Position]) -> Self;
}

/// What nets with sparse inputs see, in 32 bytes.
impl Sample for PackedPosition {
    #[inline]
    fn new(position: &Position, _: &[Position]) -> Self {
        position.into()
    }
}

/// Everything: the board with castling rights and en passant, the move that was
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

    /// The latest of them, at most so many.
    pub(super) fn latest(&self, most: usize) -> &[Position] {
        &self.positions[self.positions.len().saturating_sub(most)..]
    }

    /// Adds a position, where `most` are ever asked for.
    pub(super) fn push(&mut self, position: &Position, most: usize) {
        // Dropped in bulk: moving the rest for each position would take longer.
        if self.positions.len() >= 2 * most {
            self.positions.drain(..self.positions.len() - most);
        }
        self.positions.push(*position);
    }
}
