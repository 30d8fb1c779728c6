//! Collectors of the terms that occur in a position: the terms are summed with their
//! weights, or recorded as features.
//!
//! The patterns are written once, generic over the trait, so that the features for a
//! trainer cannot differ from what the evaluation counts.

use super::score::Score;
use super::terms::{FEATURES, Term};
use super::weights::Weights;

/// Receives the terms of one side.
pub(super) trait Collector {
    /// The term occurs `count` times.
    fn add(&mut self, term: Term, offset: usize, count: i32);

    /// The term occurs once.
    #[inline(always)]
    fn one(&mut self, term: Term, offset: usize) {
        self.add(term, offset, 1);
    }

    /// The term occurs if the condition holds.
    #[inline(always)]
    fn when(&mut self, condition: bool, term: Term) {
        self.add(term, 0, condition as i32);
    }
}

/// Adds up the weights.
pub(super) struct Sum<'a> {
    weights: &'a Weights,
    total: Score,
}

impl<'a> Sum<'a> {
    /// The weighted sum of all terms that `collect` finds.
    #[inline(always)]
    pub(super) fn of(weights: &'a Weights, collect: impl FnOnce(&mut Sum<'a>)) -> Score {
        let mut sum = Sum {
            weights,
            total: Score::ZERO,
        };
        collect(&mut sum);
        sum.total
    }
}

impl Collector for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, term: Term, offset: usize, count: i32) {
        self.total += self.weights.score(term.feature(offset)) * count;
    }
}

/// Records how often each feature occurs, White's occurrences minus Black's.
pub(super) struct Recorder {
    /// 1 while the terms are White's, -1 while they are Black's.
    pub(super) sign: i32,
    pub(super) counts: Box<[i32; FEATURES]>,
}

impl Recorder {
    pub(super) fn new() -> Recorder {
        Recorder {
            sign: 1,
            counts: Box::new([0; FEATURES]),
        }
    }
}

impl Collector for Recorder {
    fn add(&mut self, term: Term, offset: usize, count: i32) {
        if let Some(total) = self.counts.get_mut(term.feature(offset)) {
            *total += self.sign * count;
        }
    }
}
