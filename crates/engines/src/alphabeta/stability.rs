//! Early end of a timed search whose score no longer changes.
//!
//! An iteration is stable when its score differs from the one before by no more than a percentage
//! of its size. After two stable iterations in a row the search may end, and the remaining time
//! stays on the clock. [`StabilityRule`] says what else is required. This module does not know
//! clocks: it is given the share of the soft limit that is used.

use crate::score;
use chess::Move;

/// Small scores count as at least this many centipawns, so that noise around
/// 0 can be stable.
const LEAST_SIZE: i32 = 25;

/// The guarded rule ends no search before this share of the soft limit is used: iterations up to
/// depth 10 take only a tenth of a short move's time, and what they agree on is often wrong.
const GUARDED_SHARE: f64 = 0.6;

/// Which further conditions end the search after two stable iterations in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StabilityRule {
    /// Only late in the time of the move, and only if the best move is unchanged; the newest
    /// variation is played. Without a soft limit there is no time to be saved, so a search of a
    /// fixed time never ends early.
    #[default]
    Guarded,
    /// At once, whatever the best moves were; the variation of the first of the two iterations is
    /// played.
    Published,
}

/// Whether and when to end early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StabilityOptions {
    /// Whether searches may end early at all.
    pub enabled: bool,
    /// The change that still counts as stable, in percent (1 to 100).
    pub threshold: i32,
    /// Iterations before this depth do not count (4 to 20).
    pub min_depth: i32,
    /// What else is required.
    pub rule: StabilityRule,
}

impl StabilityOptions {
    /// A search uses all the time it was given.
    pub const OFF: StabilityOptions = StabilityOptions {
        enabled: false,
        ..StabilityOptions::DEFAULT
    };

    const DEFAULT: StabilityOptions = StabilityOptions {
        enabled: true,
        threshold: 15,
        min_depth: 10,
        rule: StabilityRule::Guarded,
    };
}

impl Default for StabilityOptions {
    fn default() -> StabilityOptions {
        StabilityOptions::DEFAULT
    }
}

/// A completed iteration.
#[derive(Clone, Debug)]
struct Iteration {
    value: i32,
    best: Option<Move>,
}

/// Watches the iterations of one search.
#[derive(Clone, Debug)]
pub(super) struct Stability {
    options: StabilityOptions,
    earlier: Option<Iteration>,
    /// Value and variation of the last iteration, if it was stable.
    stable: Option<(i32, Vec<Move>)>,
}

impl Stability {
    pub(super) fn new(options: StabilityOptions) -> Stability {
        Stability {
            options,
            earlier: None,
            stable: None,
        }
    }

    /// Adds the result of an iteration and the share of the soft limit that is used, if there is
    /// such a limit. Returns the value and variation to play if the search may end.
    pub(super) fn observe(
        &mut self,
        depth: i32,
        value: i32,
        line: &[Move],
        used: Option<f64>,
    ) -> Option<(i32, Vec<Move>)> {
        let now = Iteration {
            value,
            best: line.first().copied(),
        };
        let is_stable = depth >= self.options.min_depth
            && self
                .earlier
                .as_ref()
                .is_some_and(|earlier| self.agrees(earlier, &now));
        self.earlier = Some(now);
        if !is_stable {
            self.stable = None;
            return None;
        }
        match (self.options.rule, self.stable.take()) {
            (StabilityRule::Published, Some(first)) => Some(first),
            (StabilityRule::Guarded, Some(_)) if used.is_some_and(|used| used >= GUARDED_SHARE) => {
                Some((value, line.to_vec()))
            }
            _ => {
                self.stable = Some((value, line.to_vec()));
                None
            }
        }
    }

    /// Whether an iteration is stable after the one before.
    fn agrees(&self, earlier: &Iteration, now: &Iteration) -> bool {
        let same_move = earlier.best == now.best;
        (self.options.rule == StabilityRule::Published || same_move)
            && self.is_stable(earlier.value, now.value)
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

    /// Under the published rule nothing but scores and depths matters.
    fn watch(options: StabilityOptions, scores: &[i32]) -> Option<(usize, i32)> {
        let mut stability = Stability::new(options);
        scores.iter().enumerate().find_map(|(index, &value)| {
            let depth = index as i32 + 1;
            stability
                .observe(depth, value, &[], None)
                .map(|(value, _)| (index + 1, value))
        })
    }

    fn options(threshold: i32, min_depth: i32) -> StabilityOptions {
        StabilityOptions {
            enabled: true,
            threshold,
            min_depth,
            rule: StabilityRule::Published,
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
    fn the_published_rule_plays_the_first_stable_variation() {
        let first = [Move::normal(E2, E4)];
        let second = [Move::normal(D2, D4)];
        let mut stability = Stability::new(options(15, 1));
        assert_eq!(stability.observe(1, 30, &second, None), None);
        assert_eq!(stability.observe(2, 30, &first, None), None);
        assert_eq!(
            stability.observe(3, 31, &second, None),
            Some((30, first.to_vec()))
        );
    }

    fn guarded() -> Stability {
        Stability::new(StabilityOptions {
            min_depth: 1,
            ..StabilityOptions::default()
        })
    }

    #[test]
    fn the_guarded_rule_waits_for_its_share_and_plays_the_last_variation() {
        let short = [Move::normal(E2, E4)];
        let long = [Move::normal(E2, E4), Move::normal(D2, D4)];
        let mut stability = guarded();
        assert_eq!(stability.observe(1, 30, &short, Some(0.1)), None);
        assert_eq!(stability.observe(2, 30, &short, Some(0.2)), None);
        assert_eq!(stability.observe(3, 31, &short, Some(0.59)), None);
        assert_eq!(
            stability.observe(4, 32, &long, Some(0.6)),
            Some((32, long.to_vec()))
        );
    }

    #[test]
    fn the_guarded_rule_wants_the_same_move() {
        let first = [Move::normal(E2, E4)];
        let second = [Move::normal(D2, D4)];
        let mut stability = guarded();
        for depth in 1..20 {
            let line = if depth % 2 == 0 { &first } else { &second };
            assert_eq!(stability.observe(depth, 30, line, Some(0.9)), None);
        }
        // The last of them was the second move; it stays the same in two more.
        assert_eq!(stability.observe(20, 30, &second, Some(0.9)), None);
        assert_eq!(
            stability.observe(21, 30, &second, Some(0.9)),
            Some((30, second.to_vec()))
        );
    }

    #[test]
    fn the_guarded_rule_never_ends_a_search_of_a_fixed_time() {
        let line = [Move::normal(E2, E4)];
        let mut stability = guarded();
        for depth in 1..30 {
            assert_eq!(stability.observe(depth, 30, &line, None), None);
        }
    }
}
