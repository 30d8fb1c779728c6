//! Training of policy nets: a sparse policy and an NNUE with win, draw and loss outputs, both from
//! the positions of games with the played move, its score and the result.
//!
//! In each step a [`Batch`] lists inputs, rows of legal moves and targets of its positions;
//! `layers` has the first layers of both halves, tile by tile of 16 columns, `heads` the layers
//! after them, position by position: softmax over the rows of legal moves, softmax over outcomes,
//! and their gradients; `trainee` combines them and updates the weights. `export` converts floats
//! to the integers of nets, `session` is the training, `learner` its use in runs.
//!
//! The halves share no weights. They are trained together because both need the same positions, and
//! so that one training makes one file.
//!
//! Inputs, rows and scales come from `nets`; nothing here defines its own.

mod batch;
mod export;
mod heads;
mod layers;
mod learner;
mod session;
mod settings;
#[cfg(test)]
mod tests;
mod trainee;
mod wdl;

pub use batch::{Aim, Batch};
pub(crate) use learner::LEARNING;
pub use session::Session;
pub use settings::{PolicySettings, Settings, ValueSettings};
pub use trainee::{Measure, PolicyTrainee};
pub use wdl::Wdl;
