//! NNUE: nets whose first layer is updated move by move.
//!
//! `inputs` and `shape` say what a net sees and which layers it has, as data;
//! `transformer` is the first layer of every shape. `sfnn` are nets that
//! Stockfish loads, `simple` are Tabia's own. `bounds` proves that no sum
//! overflows. `accumulators` follow a line of play, `simd` is the arithmetic for
//! the CPU at hand, `evaluator` joins them for a search and `scaling` turns the
//! result into its units. `file` opens either kind, `explain` shows how a value
//! comes about, `statistics` what weights look like, `fresh` sums without moves, `random` makes nets up,
//! `embedded` is the net that the program was built with.
//!
//! Nothing here knows how a net is trained or searched.

mod accumulators;
mod bounds;
mod embedded;
mod error;
mod evaluator;
mod explain;
mod file;
mod fresh;
mod inputs;
mod memory;
mod network;
mod random;
mod scaling;
pub mod sfnn;
mod shape;
mod simd;
pub mod simple;
mod statistics;
mod transformer;

pub use embedded::embedded;
pub use error::{BoundError, NetError};
pub use evaluator::NetEvaluator;
pub use explain::{Bucket, Explanation};
pub use file::{Net, NetFile};
pub use inputs::{BucketError, Inputs, MOST_ACTIVE, View};
pub use memory::Values;
pub use network::Network;
pub use random::{Random, SfnnRanges};
pub use scaling::Scaling;
pub use shape::{Activation, Layer, SfnnShape, ShapeError, SimpleScales, SimpleShape};
pub use statistics::{LayerStatistics, NeuronStatistics, Statistics};
pub use transformer::Transformer;

/// The instructions with which nets are evaluated on this CPU.
pub fn instruction_set() -> &'static str {
    simd::Kernels::best().name()
}
