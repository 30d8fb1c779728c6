//! The weights after each update, and their average.

use crate::network::{Change, Row};

/// Weights that are learned, and what is needed for the average of all that they were.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Averaged {
    /// The weights after the last update.
    pub(super) present: Row,
    /// The sum of all changes, each times the number of its update, from 1.
    pub(super) timed: Row,
    /// How many updates there were.
    pub(super) updates: u64,
}

impl Averaged {
    pub(super) fn new(start: Row) -> Averaged {
        Averaged {
            timed: vec![[0.0; 2]; start.len()],
            present: start,
            updates: 0,
        }
    }

    /// One update, which may change nothing.
    pub(super) fn update(&mut self, changes: &[Change]) {
        self.updates += 1;
        let time = self.updates as f64;
        for change in changes {
            let index = change.index as usize;
            for (stage, by) in change.by.into_iter().enumerate() {
                self.present[index][stage] += by;
                self.timed[index][stage] += time * by;
            }
        }
    }

    /// The average of the weights at the beginning and after each update.
    ///
    /// A change at time t is missing in the t first of the t(last) + 1 weights.
    pub(super) fn mean(&self) -> Row {
        let count = self.updates as f64 + 1.0;
        let both = self.present.iter().zip(&self.timed);
        both.map(|(present, timed)| [0, 1].map(|stage| present[stage] - timed[stage] / count))
            .collect()
    }
}
