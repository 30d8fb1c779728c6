//! Which games a batch has: a function of seed, epoch and the number of the batch.

use crate::random::hashed;

/// Games that are held out: always the same ones, whatever seed and epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Held {
    /// None is.
    Nothing,
    /// All but this share of games.
    Without(f64),
    /// Only this share of games.
    Only(f64),
}

/// The order of games in an epoch.
///
/// All games of several files have numbers; a permutation that is computed, not kept,
/// puts them in an order of its own in each epoch, so that a batch can be found without
/// those before it, whatever the number of games.
#[derive(Clone, Debug)]
pub struct GameOrder {
    games: u64,
    batch: u64,
    seed: u64,
    held: Held,
}

impl GameOrder {
    /// So many games in batches of so many, of which the last of an epoch may have
    /// fewer.
    pub fn new(games: u64, batch: u64, seed: u64, held: Held) -> GameOrder {
        GameOrder {
            games,
            batch: batch.max(1),
            seed,
            held,
        }
    }

    /// How many batches an epoch has.
    pub fn batches(&self) -> u64 {
        self.games.div_ceil(self.batch)
    }

    /// The numbers of the games of a batch, which counts from 0 through all epochs.
    /// Held games leave gaps: batches are equally large on the average only.
    pub fn batch(&self, number: u64) -> impl Iterator<Item = u64> {
        let batches = self.batches().max(1);
        let (epoch, place) = (number / batches, number % batches);
        let permutation = Permutation::new(self.games, hashed(self.seed) ^ hashed(!epoch));
        let first = place * self.batch;
        let held = self.held;
        (first..(first + self.batch).min(self.games))
            .map(move |place| permutation.of(place))
            .filter(move |&game| held.has(game))
    }
}

impl Held {
    /// Whether the game with this number is read.
    pub fn has(self, game: u64) -> bool {
        /// Parts that a share is counted in.
        const GRAIN: f64 = (1_u64 << 32) as f64;
        let is_chosen = |share: f64| ((hashed(game) >> 32) as f64) < share * GRAIN;
        match self {
            Held::Nothing => true,
            Held::Without(share) => !is_chosen(share),
            Held::Only(share) => is_chosen(share),
        }
    }
}

/// A permutation of the numbers below `count`: a cipher of four rounds on the least
/// even number of bits that has room for them, applied until the number is below.
#[derive(Clone, Copy, Debug)]
struct Permutation {
    count: u64,
    half: u32,
    key: u64,
}

impl Permutation {
    const ROUNDS: u64 = 4;

    fn new(count: u64, key: u64) -> Permutation {
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        Permutation {
            count,
            half: bits.div_ceil(2).max(1),
            key,
        }
    }

    fn of(&self, number: u64) -> u64 {
        let mask = (1_u64 << self.half) - 1;
        let mut number = number;
        loop {
            let (mut left, mut right) = (number >> self.half, number & mask);
            for round in 0..Self::ROUNDS {
                let mixed = hashed(self.key.wrapping_add(round) ^ hashed(right));
                (left, right) = (right, left ^ mixed & mask);
            }
            number = left << self.half | right;
            if number < self.count {
                return number;
            }
        }
    }
}
