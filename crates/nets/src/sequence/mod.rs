//! Sequence models: a game is a sequence of events, and a causal model predicts the next one.
//!
//! The model is a causal HSTU: blocks of one projection, attention with a bias for the
//! distance, and a gate. `vocabulary` numbers moves, `events` encodes a position in its game,
//! `shape` lists the parts of a model, `weights` reads and writes them, `memory` caches keys
//! and values, `net` is the inference with `block` and `squares`, and `policy` makes it a
//! model for tree searches; `thinking` is a table of how long people think, and `tables`
//! gives access to weights by their meaning.
//!
//! Nothing here knows how a model is trained or how a player chooses among its moves.

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
