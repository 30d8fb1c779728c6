//! NNUE: nets whose first layer is updated move by move.
//!
//! `inputs` and `shape` describe as data what a net sees and which layers it has;
//! `transformer` is the first layer of every shape, and `memory` holds its weights.
//! `sfnn` are nets that Stockfish loads, `simple` are Tabia's own, `file` opens
//! either, and `bounds` proves that no sum overflows.
//!
//! `accumulators` are updated along a line of play by what each move changes
//! (`delta`), `fresh` computes them from scratch; `simd` is the arithmetic for the
//! CPU at hand. `network` is the trait of both kinds of nets; `evaluator` makes one
//! an evaluation for a search, and `scaling` turns its value into the search's units.
//!
//! `wdl` reads the outputs of a simple net as probabilities of win, draw and loss.
//!
//! `explain` shows how a value comes about, `statistics` what weights look like,
//! `compare` how far two nets differ; `random` makes random weights, and `embedded`
//! is the net that the program was built with.
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

/// The instruction set with which nets are evaluated on this CPU.
pub fn instruction_set() -> &'static str {
    simd::Kernels::best().name()
}
