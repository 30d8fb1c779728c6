//! Players that choose moves by a policy and a value, with little search or none. They are made for
//! sequence models, which predict what people would play, but any model with a policy will do.
//!
//! `tree` holds positions with their priors and values. `plan` decides which positions a mode
//! evaluates, and `halving` is the plan of the search by sequential halving. `decode` samples moves
//! from a policy alone. `search` chooses one move; it does not run by itself: its driver lets it
//! put positions into a model's batch, runs the model and lets it receive the results, so that many
//! games fill one batch. `engine` gives the player its options.
//!
//! It must not know how the model was trained, nor who plays whom.

mod decode;
mod engine;
mod halving;
mod options;
mod plan;
mod search;
#[cfg(test)]
mod tests;
mod tree;

pub use engine::SequenceEngine;
pub use options::{Mode, Options, Scoring};
pub use search::{Search, run_together};
