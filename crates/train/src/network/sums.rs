//! Sums over the features of several boards, and the weight changes that they give.

use super::Row;

/// The change of one weight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Change {
    pub(crate) index: u32,
    /// The change of its opening and of its endgame value.
    pub(crate) by: [f64; 2],
}

/// A sum for every weight; most are zero.
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

    /// The sums that are not zero, each divided by `divisor`; resets all sums to zero.
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
