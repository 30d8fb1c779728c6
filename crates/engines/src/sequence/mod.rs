//! Players that choose moves by a policy and a value, with little search or none: made for
//! sequence models, which predict what people would play, but any model with a policy will
//! do.
//!
//! `tree` holds positions with their priors and values; `plan` says which positions a mode
//! looks at, and `halving` is the plan of the search by sequential halving; `decode` draws
//! moves from a policy alone; `search` is the choice of one move, which does not run by
//! itself: whoever drives it lets it gather positions into a model's batch, runs the model
//! and lets it receive the results, so that many games fill one batch. `engine` gives the
//! player its options.
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
