//! What nets of both shapes have in common when they are evaluated.

use super::accumulators::Accumulated;
use super::scaling::Scaling;
use super::simd::Kernels;
use super::transformer::Transformer;

/// A net that a search can evaluate through its accumulators. Only this crate can
/// implement it, because it does not export the types in these methods.
pub trait Network: Send + Sync + 'static {
    /// The first layer.
    fn transformer(&self) -> &Transformer;

    /// The value of a position with `men` men for the side to move, in the net's own
    /// units.
    fn value(&self, kernels: &Kernels, sums: &Accumulated<'_>, men: u32) -> i32;

    /// How that value is converted for a search.
    fn scaling(&self) -> Scaling;
}
