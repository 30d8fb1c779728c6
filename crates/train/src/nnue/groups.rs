//! How the columns of a layer are shared out to threads.
//!
//! Columns are kept in units, which work alone; units are kept in groups. Sums
//! over columns are taken within a group first, in order, and then over groups,
//! in order. So results do not depend on how many threads there are.

use super::batch::Batch;
use super::transformer::{Scratch, Transformer};
use crate::lanes::{Lanes, Strip};

/// The most groups, and so the most threads that can work at once.
const MOST_GROUPS: usize = 16;

/// What a group of units works with.
#[derive(Debug)]
pub(crate) struct Group {
    /// The units, by number.
    pub(crate) units: std::ops::Range<usize>,
    pub(crate) scratch: Scratch,
    /// For each position the sum over the group's columns.
    pub(crate) sums: Vec<Strip>,
}

impl Group {
    /// The first layer's sums in the tiles of a unit, for each of which `sums` has
    /// room for all views.
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

/// Groups for so many units.
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

/// Cuts a list into those of each group; `each` is how many belong to a unit.
pub(crate) fn deal<T>(list: Vec<T>, groups: &[Group], each: usize) -> Vec<Vec<T>> {
    let mut list = list.into_iter();
    groups
        .iter()
        .map(|group| list.by_ref().take(group.units.len() * each).collect())
        .collect()
}
