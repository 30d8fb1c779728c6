//! Early end of a timed search whose score no longer changes.
//!
//! An iteration is stable when its score differs from the one before by no
//! more than a percentage of its size. After two stable iterations in a row
//! the search ends and plays the variation of the first of them; the time not
//! used stays on the clock.

use crate::score;
use chess::Move;

/// Small scores count as at least this many centipawns, so that noise around
/// 0 can be stable.
const LEAST_SIZE: i32 = 25;

/// Whether and when to end early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StabilityOptions {
    /// Whether to do it at all.
    pub enabled: bool,
    /// The change that still counts as stable, in percent (1 to 100).
    pub threshold: i32,
    /// Iterations before this depth do not count (4 to 20).
    pub min_depth: i32,
}

impl StabilityOptions {
    /// A search takes all the time it was given.
    pub const OFF: StabilityOptions = StabilityOptions {
        enabled: false,
        ..StabilityOptions::PUBLISHED
    };

    const PUBLISHED: StabilityOptions = StabilityOptions {
        enabled: true,
        threshold: 15,
        min_depth: 10,
    };
}

impl Default for StabilityOptions {
    fn default() -> StabilityOptions {
        StabilityOptions::PUBLISHED
    }
}

/// Watches the iterations of one search.
#[derive(Clone, Debug)]
pub(super) struct Stability {
    options: StabilityOptions,
    earlier: Option<i32>,
    first_stable: Option<(i32, Vec<Move>)>,
}

impl Stability {
    pub(super) fn new(options: StabilityOptions) -> Stability {
        Stability {
            options,
            earlier: None,
            first_stable: None,
        }
    }

    /// Takes the result of an iteration. Gives the value and variation of the
    /// first stable iteration when this one is the second in a row.
    pub(super) fn observe(
        &mut self,
        depth: i32,
        value: i32,
        line: &[Move],
    ) -> Option<(i32, Vec<Move>)> {
        let earlier = self.earlier.replace(value);
        let is_stable = depth >= self.options.min_depth
            && earlier.is_some_and(|earlier| self.is_stable(earlier, value));
        if !is_stable {
            self.first_stable = None;
            return None;
        }
        if self.first_stable.is_some() {
            return self.first_stable.take();
        }
        self.first_stable = Some((value, line.to_vec()));
        None
    }

    fn is_stable(&self, earlier: i32, value: i32) -> bool {
        if score::is_decisive(earlier) || score::is_decisive(value) {
            return false;
        }
        let change = (value - earlier).abs() * 100 / value.abs().max(LEAST_SIZE);
        change <= self.options.threshold
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::mate_in;
    use chess::squares::{D2, D4, E2, E4};

    fn watch(options: StabilityOptions, scores: &[i32]) -> Option<(usize, i32)> {
        let mut stability = Stability::new(options);
        scores.iter().enumerate().find_map(|(index, &value)| {
            let depth = index as i32 + 1;
            stability
                .observe(depth, value, &[])
                .map(|(value, _)| (index + 1, value))
        })
    }

    fn options(threshold: i32, min_depth: i32) -> StabilityOptions {
        StabilityOptions {
            enabled: true,
            threshold,
            min_depth,
        }
    }

    #[test]
    fn two_stable_iterations_are_needed() {
        // Changes of 0 at depths 4 and 5: the second ends the search.
        assert_eq!(watch(options(15, 4), &[90, 10, 50, 50, 50]), Some((5, 50)));
        // A jump between them starts the count again.
        assert_eq!(
            watch(options(15, 4), &[50, 50, 50, 50, 90, 90, 91]),
            Some((7, 90))
        );
    }

    #[test]
    fn the_change_is_relative_to_the_score() {
        // 30 of 200 is 15 percent, 31 of 200 rounds down to 15, 32 is 16.
        assert_eq!(watch(options(15, 1), &[170, 200, 230]), Some((3, 200)));
        assert_eq!(watch(options(15, 1), &[168, 200, 200]), None);
        assert_eq!(watch(options(15, 1), &[169, 200, 200]), Some((3, 200)));
    }

    #[test]
    fn small_scores_count_as_25() {
        // 3 of 25 is 12 percent although the score doubles.
        assert_eq!(watch(options(15, 1), &[3, 6, 3]), Some((3, 6)));
        // 4 of 25 is 16 percent.
        assert_eq!(watch(options(15, 1), &[2, 6, 6]), None);
    }

    #[test]
    fn early_iterations_do_not_count() {
        assert_eq!(watch(options(15, 10), &[20; 9]), None);
        assert_eq!(watch(options(15, 10), &[20; 11]), Some((11, 20)));
    }

    #[test]
    fn mates_are_never_stable() {
        assert_eq!(watch(options(100, 1), &[mate_in(5); 8]), None);
        assert_eq!(watch(options(100, 1), &[-mate_in(5); 8]), None);
    }

    #[test]
    fn the_first_stable_variation_is_played() {
        let first = [Move::normal(E2, E4)];
        let second = [Move::normal(D2, D4)];
        let mut stability = Stability::new(options(15, 1));
        assert_eq!(stability.observe(1, 30, &second), None);
        assert_eq!(stability.observe(2, 30, &first), None);
        assert_eq!(
            stability.observe(3, 31, &second),
            Some((30, first.to_vec()))
        );
    }
}
