//! Models: everything that has weights and can be played with; what it sees, its
//! files, its values.
//!
//! This crate must not know how a model is searched or trained.

mod bytes;
pub mod classical;
mod evaluator;
pub mod kernels;
pub mod maps;
mod model;
pub mod nnue;
pub mod ntuple;
pub mod policy;
mod provenance;
pub mod sequence;

pub use classical::Classical;
pub use evaluator::Evaluator;
pub use model::{Model, ModelError, ModelKind, WeightsFile};
pub use policy::Chances;
pub use provenance::Provenance;
