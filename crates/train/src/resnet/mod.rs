//! Training of ResNets with a policy and a value, on the CPU.
//!
//! `example` makes inputs and targets of a position, `batch` encodes examples, `net` has the
//! forward and the backward pass through the layers of `crate::float`, one `group` of boards at a
//! time; `factors` is the published loss of factored policies; `session` is a training from its
//! first step to its last, `judge` measures its results. Shapes and files come from `nets`.

mod batch;
mod checkpoint;
mod example;
mod factors;
mod group;
mod judge;
mod learner;
mod net;
mod session;
mod settings;
#[cfg(test)]
mod tests;

pub use example::PolicySample;
pub(crate) use learner::LEARNING;
pub use session::Session;
pub use settings::{PolicyLoss, Settings};
