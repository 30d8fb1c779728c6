//! Training of fast nets: a sparse policy and an NNUE with win, draw and loss, both from
//! the positions of games with the move that was played, its score and the result.
//!
//! A step goes round once: a [`Batch`] lists inputs, rows of legal moves and targets of
//! its positions; `layers` has the first layers of both halves, tile by tile of 16
//! columns, `heads` what lies behind them, position by position: soft-max over the rows
//! of legal moves, soft-max over outcomes, and their slopes; `trainee` joins them and
//! changes the weights. `export` turns floats into the integers of nets, `session` is the
//! training, `learner` makes it one of runs.
//!
//! The halves share no weight. They are trained together because they read the same
//! positions once, and so one training makes one file.
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
