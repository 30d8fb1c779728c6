//! Trains sequence models: what comes next in games of people.
//!
//! `settings` says how, `source` which games, `batch` makes numbers of them; `net` goes
//! forward and back through the model, with `attention` within each game; `session` is the
//! training, `checkpoint` keeps it. `reinforcement` learns by playing.

mod attention;
mod batch;
mod checkpoint;
mod heads;
mod initial;
mod net;
mod reinforcement;
mod session;
mod settings;
mod source;
#[cfg(test)]
mod tests;

pub use reinforcement::SequenceLearning;
pub use session::Session;
pub use settings::{NetSettings, Settings, TrainingPrecision, Weighting};
