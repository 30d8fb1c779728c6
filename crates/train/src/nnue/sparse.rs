//! The first layer on a tile: 16 columns of every row of weights.
//!
//! In a tile the rows of one king bucket take 48 kB. They stay in the cache while all views of the
//! bucket are processed; whole rows would be loaded from memory each time.

use super::batch::Batch;
use crate::lanes::{Lanes, Strip};

/// The sum of the rows of these inputs.
#[inline(always)]
pub(crate) fn gather<V: Lanes>(rows: &[Strip], bias: V, inputs: &[u16]) -> V {
    let (mut even, mut odd) = (bias, V::splat(0.0));
    let mut pairs = inputs.chunks_exact(2);
    for pair in &mut pairs {
        even = even.add(V::load(row(rows, pair[0])));
        odd = odd.add(V::load(row(rows, pair[1])));
    }
    for &input in pairs.remainder() {
        even = even.add(V::load(row(rows, input)));
    }
    even.add(odd)
}

#[inline(always)]
fn row(rows: &[Strip], input: u16) -> &Strip {
    debug_assert!(usize::from(input) < rows.len());
    // SAFETY: a batch holds inputs of a king bucket alone, and callers pass a row
    // for each of them (`check`).
    unsafe { rows.get_unchecked(usize::from(input)) }
}

/// Adds a gradient to the rows of these inputs. In a trained net most gradients are zero for a
/// whole tile; these are skipped.
#[inline(always)]
pub(crate) fn scatter<V: Lanes>(rows: &mut [Strip], gradient: V, inputs: &[u16]) {
    if gradient.is_zero() {
        return;
    }
    for &input in inputs {
        debug_assert!(usize::from(input) < rows.len());
        // SAFETY: as in `row`.
        let row = unsafe { rows.get_unchecked_mut(usize::from(input)) };
        V::load(row).add(gradient).store(row);
    }
}

/// Checks that there is a row for each input of a king bucket.
#[inline(always)]
pub(crate) fn check(rows: &[Strip], batch: &Batch) {
    assert!(rows.len() >= batch.inputs().bucket_size(), "too few rows");
}
