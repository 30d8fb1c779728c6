//! Sums over the features of some boards, and how they change weights.

use super::Row;

/// How one weight changes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Change {
    pub(crate) index: u32,
    /// In the opening and in the endgame.
    pub(crate) by: [f64; 2],
}

/// A sum for every weight; most are zeros.
pub(crate) struct Sums {
    sums: Row,
    touched: Vec<u32>,
}

impl Sums {
    pub(crate) fn new(length: usize) -> Sums {
        Sums {
            sums: vec![[0.0; 2]; length],
            touched: Vec::new(),
        }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, index: usize, by: [f64; 2]) {
        let sum = &mut self.sums[index];
        if *sum == [0.0; 2] {
            self.touched.push(index as u32);
        }
        sum[0] += by[0];
        sum[1] += by[1];
    }

    /// What is not zero, each sum divided by a number; all are zeros afterwards.
    pub(crate) fn take(&mut self, divisor: f64) -> Vec<Change> {
        let mut changes = Vec::new();
        for index in self.touched.drain(..) {
            let sum = std::mem::take(&mut self.sums[index as usize]);
            if sum != [0.0; 2] {
                let by = sum.map(|sum| sum / divisor);
                changes.push(Change { index, by });
            }
        }
        changes
    }
}
