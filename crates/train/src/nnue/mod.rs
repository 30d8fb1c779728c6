//! Training of NNUE nets on the CPU.
//!
//! In each step a [`Batch`] lists the inputs of its positions, the forward pass goes through the
//! first layer tile by tile (`transformer`, `sparse`), [`Loss`](crate::Loss) measures the error of
//! the outputs, the backward pass computes the gradients, and `crate::descent` updates the weights.
//! `crate::lanes` is the arithmetic for the CPU; `groups` divides the work so that any number of
//! threads gives the same bits.
//!
//! Shapes, inputs and scales come from `nets`; nothing here defines its own.

mod batch;
mod beginning;
mod check;
mod checkpoint;
mod groups;
mod learner;
mod net;
mod perspectives;
mod presets;
mod products;
mod session;
mod settings;
mod sfnn;
mod simple;
mod sparse;
mod stack;
mod targets;
#[cfg(test)]
mod tests;
mod trainer;
mod transformer;

pub use crate::descent::{Optimiser, Rule};
pub use batch::Batch;
pub use beginning::first_net;
pub use learner::NnueLearning;
pub use net::{Exported, Learner, TraineeShape};
pub use presets::PRESETS;
pub use session::{Memory, Session};
pub use settings::{NetSettings, Settings, ShapeName};
pub use sfnn::SfnnTrainee;
pub use simple::{Keeping, SimpleTrainee};
pub use targets::Targets;
pub use trainer::{StepSettings, Trainee, Trainer};
