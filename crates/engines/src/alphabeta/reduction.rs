//! How much later moves are reduced before anything else is known of them.

use super::node::PLY;
use super::parameters::{REDUCTION_BASE, REDUCTION_SLOPE};
use std::sync::LazyLock;

/// Beyond this depth and count the table repeats its last value.
const SIZE: usize = 64;

static REDUCTIONS: LazyLock<[[i32; SIZE]; SIZE]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|count| {
            if depth == 0 || count == 0 {
                return 0;
            }
            let product = (depth as f64).ln() * (count as f64).ln();
            REDUCTION_BASE + (product * f64::from(REDUCTION_SLOPE)) as i32
        })
    })
});

/// The reduction of the `count`-th move in 1024ths of a ply. A window that is
/// narrow beside the root's says that little can change.
#[inline(always)]
pub(super) fn late_move_reduction(depth: i32, count: usize, delta: i32, root_delta: i32) -> i32 {
    let depth = (depth.max(0) as usize).min(SIZE - 1);
    REDUCTIONS[depth][count.min(SIZE - 1)] + PLY / 2 - delta * (PLY / 2) / root_delta.max(1)
}
