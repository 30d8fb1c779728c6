//! Which games are held out for validation.

use crate::{
    position::Position,
    random::{self, Generator},
    shard::GameFinder,
};

/// Chooses whole games from one piece of a file.
#[derive(Clone, Debug)]
pub struct Split {
    games: GameFinder,
    generator: Generator,
    share: f64,
    is_held_out: bool,
}

impl Split {
    /// Holds out about this share of games. Seed and number of the piece decide which.
    pub fn new(share: f64, seed: u64, piece: u64) -> Self {
        Self {
            games: GameFinder::default(),
            generator: random::generator(seed, piece),
            share,
            is_held_out: false,
        }
    }

    /// Whether a position is held out. Positions must be passed in their order.
    #[inline]
    pub fn holds_out(&mut self, position: &Position) -> bool {
        if self.games.begins(position) {
            self.is_held_out = random::chance(&mut self.generator, self.share);
        }
        self.is_held_out
    }
}
