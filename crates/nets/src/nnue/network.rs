//! What the shapes have in common when they are evaluated.

use super::accumulators::Accumulated;
use super::scaling::Scaling;
use super::simd::Kernels;
use super::transformer::Transformer;

/// A net that a search can evaluate through its accumulators. Only the shapes of
/// this crate can be: its methods take what nobody else can make.
pub trait Network: Send + Sync + 'static {
    /// The first layer.
    fn transformer(&self) -> &Transformer;

    /// The value of a position with so many men for the side to move, in the
    /// net's own units.
    fn value(&self, kernels: &Kernels, sums: &Accumulated<'_>, men: u32) -> i32;

    /// How a search reads that value.
    fn scaling(&self) -> Scaling;
}
