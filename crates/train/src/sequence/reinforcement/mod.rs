//! Sequence models that learn by playing, as learners of runs: from the results of their own
//! games, from searches, or, to compare with, from more games of people.
//!
//! `settings` says how, `rollout` plays many games at once, `lesson` says what is learned from
//! a move, `tally` counts what happened, `session` is the training, `checkpoint` keeps it, and
//! `learner` puts it into runs.
//!
//! It must not know any search: one is handed in.

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
