//! How the columns of a layer are distributed among threads.
//!
//! Columns form units, which are processed independently; units form groups. Sums over columns are
//! taken first within a group, then over groups, always in order. So results do not depend on the
//! number of threads.

use super::batch::Batch;
use super::transformer::{Scratch, Transformer};
use crate::lanes::{Lanes, Strip};

/// The most groups, and so the most threads that can work at once.
const MOST_GROUPS: usize = 16;

/// The working data of a group of units.
#[derive(Debug)]
pub(crate) struct Group {
    /// The indices of the units.
    pub(crate) units: std::ops::Range<usize>,
    pub(crate) scratch: Scratch,
    /// For each position the sum over the group's columns.
    pub(crate) sums: Vec<Strip>,
}

impl Group {
    /// Computes the first layer's sums in the tiles of a unit; `sums` has room for all views of
    /// each tile.
    #[inline(always)]
    pub(crate) fn forward<V: Lanes>(
        &mut self,
        transformer: &Transformer,
        batch: &Batch,
        unit: usize,
        tiles: usize,
        sums: &mut [Strip],
    ) {
        for (index, sums) in sums.chunks_mut(sums.len() / tiles).enumerate() {
            transformer.forward::<V>(
                unit * tiles + index,
                batch,
                &mut self.scratch,
                &mut sums[..2 * batch.len()],
            );
        }
    }
}

/// Groups for this number of units.
pub(crate) fn groups(units: usize, scratch: impl Fn() -> Scratch) -> Vec<Group> {
    let size = units.div_ceil(MOST_GROUPS);
    (0..units)
        .step_by(size.max(1))
        .map(|first| Group {
            units: first..(first + size).min(units),
            scratch: scratch(),
            sums: Vec::new(),
        })
        .collect()
}

/// Splits a list into one part for each group; `each` is the number of items per unit.
pub(crate) fn deal<T>(list: Vec<T>, groups: &[Group], each: usize) -> Vec<Vec<T>> {
    let mut list = list.into_iter();
    groups
        .iter()
        .map(|group| list.by_ref().take(group.units.len() * each).collect())
        .collect()
}
