//! Every evaluation that has weights: what it sees, its files, its values.
//!
//! This crate must not know how an evaluation is searched or trained.

pub mod classical;
mod evaluator;
mod file;
pub mod nnue;

pub use classical::Classical;
pub use evaluator::Evaluator;
pub use file::{EvaluationFile, EvaluationFileError, WeightsFile};
