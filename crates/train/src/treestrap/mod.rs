//! TreeStrap: every position of a search tree is a training target.
//!
//! A plain alpha-beta search proves bounds for the value of every position whose moves it searches.
//! Where the evaluation of such a position lies outside of them, its weights move towards them. So
//! one search trains on hundreds of positions, and a learner gets from material values, or from
//! small random weights, to good play by its own games alone.
//!
//! The loss is half the squared distance to the bounds, in pawns, over all positions that are not
//! in check and that no endgame function evaluates. Stage and scale of a position are treated as
//! constants, because they hardly change with the weights. The optimiser is Adam.
//!
//! `error` has the distance and its gradient, `session` goes through positions of the learner's own
//! games, `learner` is the interface to runs.

mod error;
mod learner;
mod session;
mod settings;
#[cfg(test)]
mod tests;

pub use learner::TreeStrapLearning;
