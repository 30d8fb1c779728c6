//! Trains sequence models: what comes next in games of people.
//!
//! `settings` says how, `source` which games, `batch` makes numbers of them; `net` goes
//! forward and back through the model, with `attention` within each game; `judge` says
//! how well a model foretells games that it does not learn from; `session` is the
//! training, `checkpoint` keeps it.

mod attention;
mod batch;
mod checkpoint;
mod heads;
mod initial;
mod judge;
mod net;
mod session;
mod settings;
mod source;
#[cfg(test)]
mod tests;

pub use judge::{BINS, Judgement, judge_games};
pub use session::Session;
pub use settings::{NetSettings, Settings, TrainingPrecision, Weighting};
