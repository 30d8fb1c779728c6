//! The first layer on a tile: 16 columns of every row of weights.
//!
//! A tile of 22,528 rows is 1.4 MB and stays in the processor's cache while all
//! positions of a step pass by; whole rows would come from memory each time.

use super::batch::Active;
use super::lanes::{Lanes, Strip};

/// Both sides' values of one position in a tile.
pub(crate) type Pair = [Strip; 2];

/// The sum of the rows of these inputs.
#[inline(always)]
fn gather<V: Lanes>(rows: &[Strip], bias: V, inputs: &[u16]) -> V {
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
    // SAFETY: a batch holds inputs of its shape alone, and callers pass a tile
    // with a row for each of them (`check`).
    unsafe { rows.get_unchecked(usize::from(input)) }
}

/// Both sides' sums of a position.
#[inline(always)]
pub(crate) fn sums<V: Lanes>(rows: &[Strip], bias: &Strip, active: Active<'_>) -> [V; 2] {
    let bias = V::load(bias);
    [
        gather(rows, bias, active.own),
        gather(rows, bias, active.other),
    ]
}

/// Adds a gradient to the rows of these inputs. Most gradients of a trained net
/// are zero in a whole tile and cost nothing.
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

/// A tile must have a row for each input that a batch may hold.
#[inline(always)]
pub(crate) fn check(rows: &[Strip], inputs: usize) {
    assert!(rows.len() >= inputs, "a tile with too few rows");
}
