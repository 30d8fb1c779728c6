//! Training of sequence models, which predict what comes next in human games.
//!
//! `settings` defines the settings, `source` selects games, `batch` encodes them; `net` has the
//! forward and the backward pass through the model, by `block`s with `attention` within each game,
//! and `squares` if those of a board attend to each other; `session` is the training, `checkpoint`
//! saves it. `reinforcement` trains by playing.

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
