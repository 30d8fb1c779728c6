//! NNUE: nets whose first layer is updated move by move.
//!
//! `inputs` and `shape` say what a net sees and which layers it has, as data;
//! `transformer` is the first layer of every shape, in its own `memory`. `sfnn` are
//! nets that Stockfish loads, `simple` are Tabia's own, `file` opens either, and
//! `bounds` proves that no sum overflows.
//!
//! `accumulators` follow a line of play by what each move changes (`delta`), `fresh`
//! sums without moves; `simd` is the arithmetic for the CPU at hand. What they all
//! have in common is a `network`; `evaluator` is one for a search, and `scaling`
//! turns its value into the search's units.
//!
//! `wdl` reads the outputs of a simple net as chances of a win, a draw and a loss.
//!
//! `explain` shows how a value comes about, `statistics` what weights look like,
//! `compare` how far two nets are apart, `random` makes nets up, `embedded` is the one the program was built with.
//!
//! Nothing here knows how a net is trained or searched.

mod accumulators;
mod bounds;
mod compare;
pub(crate) mod delta;
mod embedded;
mod error;
mod evaluator;
mod explain;
mod file;
mod fresh;
mod inputs;
pub(crate) mod memory;
mod network;
mod random;
mod scaling;
pub mod sfnn;
mod shape;
pub(crate) mod simd;
pub mod simple;
mod statistics;
mod transformer;
mod wdl;

pub use compare::{Correlation, LayerDifference};
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
pub use shape::{Activation, Layer, OutputBits, SfnnShape, ShapeError, SimpleScales, SimpleShape};
pub(crate) use statistics::neurons_of_policy;
pub use statistics::{LayerStatistics, NeuronStatistics, Statistics};
pub use transformer::Transformer;
pub use wdl::{OUTCOMES, WdlEvaluator};

/// The instructions with which nets are evaluated on this CPU.
pub fn instruction_set() -> &'static str {
    simd::Kernels::best().name()
}
