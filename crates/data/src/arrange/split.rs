//! Which games are held out for validation.

use crate::{
    position::Position,
    random::{self, Generator},
    shard::GameFinder,
};

/// Chooses whole games of one piece of a file.
#[derive(Clone, Debug)]
pub struct Split {
    games: GameFinder,
    generator: Generator,
    share: f64,
    is_held_out: bool,
}

impl Split {
    /// Holds out about this share. The seed and the number of the piece decide
    /// which.
    pub fn new(share: f64, seed: u64, piece: u64) -> Self {
        Self {
            games: GameFinder::default(),
            generator: random::generator(seed, piece),
            share,
            is_held_out: false,
        }
    }

    /// Whether a position, which comes after the one before, is held out.
    #[inline]
    pub fn holds_out(&mut self, position: &Position) -> bool {
        if self.games.begins(position) {
            self.is_held_out = random::chance(&mut self.generator, self.share);
        }
        self.is_held_out
    }
}
