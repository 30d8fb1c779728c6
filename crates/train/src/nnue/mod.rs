//! Training of NNUE nets on the CPU.
//!
//! A step goes round once: a [`Batch`] lists the inputs of its positions, the net
//! goes forward through its first layer tile by tile (`transformer`, `sparse`),
//! [`Loss`](crate::Loss) says how far its outputs are off, the way back turns that into
//! gradients, and `crate::descent` changes the weights. `crate::lanes` is the arithmetic for
//! the CPU at hand, `groups` shares the work out so that any number of threads
//! gives the same bits.
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
