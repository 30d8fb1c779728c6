//! Trains sequence models: what comes next in games of people.
//!
//! `settings` says how, `source` which games, `batch` makes numbers of them; `net` goes
//! forward and back through the model, by `block`s with `attention` within each game, and
//! `squares` if those of a board attend to each other; `session` is the
//! training, `checkpoint` keeps it. `reinforcement` learns by playing.

mod attention;
mod batch;
mod block;
mod checkpoint;
mod heads;
mod initial;
mod net;
mod reinforcement;
mod session;
mod settings;
mod source;
mod squares;
#[cfg(test)]
mod tests;

pub use reinforcement::SequenceLearning;
pub use session::Session;
pub use settings::{NetSettings, Settings, TrainingPrecision, Weighting};
