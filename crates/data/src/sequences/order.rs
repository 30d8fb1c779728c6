//! Which games a batch has, as a function of seed, epoch and the number of the batch.

use crate::random::hashed;

/// Which games are read, if some are held out: always the same ones, whatever the seed and
/// epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Held {
    /// All games: none are held out.
    Nothing,
    /// All games except this held-out share.
    Without(f64),
    /// Only this held-out share of games.
    Only(f64),
}

/// The order of games in an epoch.
///
/// The games of all files are numbered. A permutation that is computed, not stored, gives
/// each epoch its own order, so that any batch can be found without those before it,
/// whatever the number of games.
#[derive(Clone, Debug)]
pub struct GameOrder {
    games: u64,
    batch: u64,
    seed: u64,
    held: Held,
}

impl GameOrder {
    /// The order of this many games, in batches of `batch` games; the last one of an epoch
    /// may have fewer.
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

    /// The numbers of the games of a batch; batches are numbered from 0 through all epochs.
    /// Games that are not read leave gaps, so batch sizes are equal only on average.
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
        /// How many parts a share is counted in.
        const GRAIN: f64 = (1_u64 << 32) as f64;
        let is_chosen = |share: f64| ((hashed(game) >> 32) as f64) < share * GRAIN;
        match self {
            Held::Nothing => true,
            Held::Without(share) => !is_chosen(share),
            Held::Only(share) => is_chosen(share),
        }
    }
}

/// A permutation of the numbers below `count`: a cipher of four rounds on the smallest
/// sufficient even number of bits, applied repeatedly until the result is below `count`.
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
