//! The share of repeated positions in a stream, in bounded memory.
//!
//! Positions are identified by their keys. Whenever there are too many different keys,
//! half of all possible keys are dropped from counting; the rest are a fair sample,
//! because a key is counted either always or never.

use crate::random;
use std::collections::HashMap;

/// The most different keys that are remembered, in about 32 MB.
const MOST_KEYS: usize = 1 << 20;

/// Counts repeated positions.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    /// How often each key was seen.
    counts: HashMap<u64, u32>,
    /// Keys are counted if their hash begins with this many zeros.
    zeros: u32,
}

impl Repeats {
    /// Counts a position with this key.
    pub fn see(&mut self, key: u64) {
        self.see_with(key, MOST_KEYS);
    }

    fn see_with(&mut self, key: u64, most: usize) {
        if !is_counted(key, self.zeros) {
            return;
        }
        *self.counts.entry(key).or_default() += 1;
        while self.counts.len() > most {
            self.zeros += 1;
            let zeros = self.zeros;
            self.counts.retain(|&key, _| is_counted(key, zeros));
        }
    }

    /// The share of positions that occurred before.
    pub fn share(&self) -> f64 {
        let seen: u64 = self.counts.values().map(|&count| u64::from(count)).sum();
        let repeated = seen - self.counts.len() as u64;
        repeated as f64 / seen.max(1) as f64
    }
}

fn is_counted(key: u64, zeros: u32) -> bool {
    // Keys of similar positions may have similar high bits.
    random::hashed(key).leading_zeros() >= zeros
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_keys_are_counted() {
        let mut repeats = Repeats::default();
        assert_eq!(repeats.share(), 0.0);
        for key in [1, 2, 3, 1, 1, 3, 4, 5] {
            repeats.see(key);
        }
        assert_eq!(repeats.share(), 3.0 / 8.0);
    }

    #[test]
    fn the_share_of_many_is_that_of_a_sample() {
        let mut repeats = Repeats::default();
        // Every key of the first half occurs twice: a third of all positions are repeated.
        for key in (0..100_000).chain(0..50_000) {
            repeats.see_with(key, 4_096);
        }
        assert!(repeats.counts.len() <= 4_096);
        assert!(
            (repeats.share() - 1.0 / 3.0).abs() < 0.02,
            "{}",
            repeats.share()
        );
    }
}
