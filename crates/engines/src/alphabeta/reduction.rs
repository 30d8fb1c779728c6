//! How much later moves are reduced before anything else is known of them.

use super::node::PLY;
use super::parameters::Parameters;
use std::sync::LazyLock;

/// Beyond this depth and count the logarithms repeat their last value.
const SIZE: usize = 64;

/// Natural logarithms in 1024ths.
static LOGARITHMS: LazyLock<[i32; SIZE]> = LazyLock::new(|| {
    std::array::from_fn(|number| ((number.max(1) as f64).ln() * f64::from(PLY)).round() as i32)
});

impl Parameters {
    /// The reduction of the `count`-th move in 1024ths of a ply. A window that is
    /// narrow beside the root's says that little can change.
    #[inline(always)]
    pub(super) fn late_move_reduction(
        &self,
        depth: i32,
        count: usize,
        delta: i32,
        root_delta: i32,
    ) -> i32 {
        let logarithms = &*LOGARITHMS;
        let depth = (depth.max(0) as usize).min(SIZE - 1);
        let product = logarithms[depth] * logarithms[count.min(SIZE - 1)] / PLY;
        self.reduction_base + product * self.reduction_slope / PLY + PLY / 2
            - delta * (PLY / 2) / root_delta.max(1)
    }
}
