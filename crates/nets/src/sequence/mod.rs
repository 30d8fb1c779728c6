//! Sequence models: a game is a sequence of events, and what comes next is foretold from
//! all that came before.
//!
//! The model is a causal HSTU: blocks of one projection, attention with a bias for the
//! distance, and a gate. `vocabulary` numbers moves, `events` says what a model sees of a
//! position in its game, `shape` of which parts it is made, `weights` holds and files
//! them, `net` computes.
//!
//! It must not know how a model is trained, nor how a player chooses among its moves.

mod events;
mod net;
mod shape;
#[cfg(test)]
mod tests;
pub mod vocabulary;
mod weights;

pub use events::{Encoder, Event, GameFacts};
pub use net::{Computed, EPSILON, Memory, Node, SequenceNet};
pub use shape::{BoardInput, FARTHEST, SequenceShape, ShapeError, TensorShape, View};
pub use weights::{SequenceModelError, SequenceWeights};
