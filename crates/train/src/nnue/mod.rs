//! Training of NNUE nets on the CPU.
//!
//! A step goes round once: a [`Batch`] lists the inputs of its positions, the net
//! goes forward through its first layer tile by tile (`transformer`, `sparse`),
//! [`Loss`] says how far its outputs are off, the way back turns that into
//! gradients, and `optimiser` changes the weights. `lanes` is the arithmetic for
//! the CPU at hand, `groups` shares the work out so that any number of threads
//! gives the same bits.
//!
//! Shapes, inputs and scales come from `nets`; nothing here defines its own.

mod batch;
mod beginning;
mod check;
pub mod checkpoint;
mod eyes;
mod functions;
pub(crate) mod groups;
mod lanes;
mod loss;
mod net;
mod optimiser;
mod presets;
mod products;
mod schedule;
mod schedule_file;
mod session;
pub(crate) mod settings;
mod sfnn;
mod simple;
mod sparse;
mod stack;
mod tensor;
#[cfg(test)]
mod tests;
mod trainer;
mod transformer;

pub use batch::Batch;
pub use beginning::first_net;
pub use check::ExportCheck;
pub use loss::{Loss, Targets};
pub use net::{Exported, Learner, TraineeShape};
pub use optimiser::{Optimiser, Rule};
pub use presets::PRESETS;
pub use schedule::{Changing, Schedule, SequencePart};
pub use session::{Measured, Memory, Session, SessionError};
pub use settings::{NetSettings, Settings, ShapeName, WrongSetting};
pub use sfnn::SfnnTrainee;
pub use simple::{Keeping, SimpleTrainee};
pub use trainer::{StepSettings, Trainee, Trainer};

/// The name of the arithmetic on this CPU: results with one name are the same.
pub fn arithmetic() -> &'static str {
    lanes::InstructionSet::best().name()
}
