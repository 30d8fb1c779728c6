//! Sequence models: a game is a sequence of events, and what comes next is foretold from
//! all that came before.
//!
//! The model is a causal HSTU: blocks of one projection, attention with a bias for the
//! distance, and a gate. `vocabulary` numbers moves, `events` says what a model sees of a
//! position in its game, `shape` of which parts it is made, `weights` holds and files
//! them, `memory` keeps what was computed, `net` computes with `block` and `squares`, and `policy` puts it behind the seam
//! of the tree searches; `thinking` is how long people think, `tables` shows rows by what they mean.
//!
//! It must not know how a model is trained, nor how a player chooses among its moves.

mod block;
mod embedded;
mod events;
mod file;
mod memory;
mod net;
mod policy;
mod shape;
mod squares;
mod tables;
#[cfg(test)]
mod tests;
mod thinking;
pub mod vocabulary;
mod weights;

pub use embedded::embedded;
pub use events::{Encoder, Event, GameFacts};
pub use file::SequenceModelFile;
pub use memory::{Memory, Node};
pub use net::{EPSILON, SequenceNet};
pub use policy::{STRONG_RATING, SequencePolicy};
pub use shape::{
    BoardInput, FARTHEST, SQUARE_HEADS, SQUARE_LAYERS, SQUARE_WIDTH, SQUARES, SequenceShape,
    ShapeError, TensorShape, View,
};
pub use thinking::Thinking;
pub(crate) use weights::MAGIC;
pub use weights::{SequenceModelError, SequenceWeights};
