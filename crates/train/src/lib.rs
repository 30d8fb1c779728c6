//! Trainings: from shards to models.
//!
//! A [`Training`] turns positions into weights, [`run`] takes any training to its end, and
//! [`Settings`] are a training's settings as read from a file. Each kind has its own module; the
//! modules beside them hold what all kinds share. Shapes and files of models come from `nets`.
//! Nothing here knows engines, terminals or signals.

mod adam;
mod baseline;
mod calibration;
mod checkpoint_file;
pub mod classical;
pub mod comparison;
mod descent;
mod error;
mod feed;
pub mod float;
mod functions;
mod kinds;
mod labelled_position;
mod lanes;
mod learner;
mod loss;
pub mod metrics;
mod network;
pub mod nnue;
pub mod policy;
pub mod prediction;
mod records;
pub mod resnet;
mod schedule;
pub mod search;
mod self_taught;
pub mod sequence;
pub mod settings;
mod source;
pub mod status;
pub mod tensorboard;
mod training;
mod training_loop;
pub mod treestrap;

pub use baseline::{Comparison, OneScale, Verdict, one_scale};
pub use checkpoint_file::CheckpointError;
pub use error::{TrainError, WrongSetting};
pub use kinds::{Settings, learners, part_of_any_kind, schema};
pub use learner::{
    AddedStep, Amount, First, Learned, Learner, LearnerKind, Learners, Lesson, Moment,
    Surroundings, Taste,
};
pub use loss::Loss;
pub use records::DrawSettings;
pub use schedule::{Changing, Schedule, SequencePart};
pub use settings::CourseSettings;
pub use training::{Counters, ExportCheck, Judged, Measured, ModelFile, Training};
pub use training_loop::{Ending, Event, run};

/// Positions that are processed together where sums are taken over positions: a fixed number, so
/// that the order of sums does not depend on threads.
const BLOCK: usize = 1_024;

/// The name of this CPU's arithmetic; the same name means the same results.
pub fn arithmetic() -> &'static str {
    lanes::InstructionSet::best().name()
}
