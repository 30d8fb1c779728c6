//! Sequence models that learn by playing, as learners of runs: from the results of their own games,
//! from searches, or, for comparison, from more human games.
//!
//! `settings` defines the settings, `rollout` plays many games at once, `lesson` computes the
//! targets of each move, `tally` collects statistics, `session` is the training, `checkpoint` saves
//! it, and `learner` makes it available to runs.
//!
//! It must not know any particular search: one is passed in.

mod checkpoint;
mod learner;
mod lesson;
mod rollout;
mod session;
mod settings;
mod tally;
#[cfg(test)]
mod tests;

pub use learner::SequenceLearning;
