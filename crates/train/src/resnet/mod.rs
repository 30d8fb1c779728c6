//! Training of ResNets with a policy and a value, on the CPU.
//!
//! `example` says what is learned from a position, `batch` puts examples together, `net` goes
//! forward and back through the layers of `crate::float`, `group` of boards by group of boards,
//! `factors` is the published loss of factored policies; `session` is a training from its first step to its last,
//! `judge` measures what it gave. Shapes and files come from `nets`.

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
