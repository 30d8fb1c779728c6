//! Models: everything with weights that can choose moves; its inputs, its files and
//! its inference.
//!
//! This crate must not know how models are searched or trained.

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
