//! The weights, and their average over all updates.

use crate::network::{Change, Row};

/// Weights in training, with what is needed for the average of all their values.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Averaged {
    /// The weights after the last update.
    pub(super) present: Row,
    /// The sum of all changes, each multiplied by the number of its update, from 1.
    pub(super) timed: Row,
    /// The number of updates.
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

    /// Applies an update, which may be empty.
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

    /// The average of the initial weights and those after each update.
    ///
    /// Of the last + 1 weights averaged, the first t lack a change made at time t.
    pub(super) fn mean(&self) -> Row {
        let count = self.updates as f64 + 1.0;
        let both = self.present.iter().zip(&self.timed);
        both.map(|(present, timed)| [0, 1].map(|stage| present[stage] - timed[stage] / count))
            .collect()
    }
}
