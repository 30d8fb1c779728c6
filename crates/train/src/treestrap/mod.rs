//! TreeStrap: every board of a search tree is a target.
//!
//! A plain alpha-beta search of a position proves bounds for the value of every board whose
//! moves it looks at. Where the evaluation of such a board lies outside of them, its weights
//! move towards them; so one search teaches hundreds of boards, and a learner gets from
//! material, or from small random weights, to good play by nothing but its own games.
//!
//! What is made small is half the squared distance to the bounds, in pawns, over all boards
//! that are not in check and that no endgame function values. Stage and scale of a board
//! are taken as constants, as they hardly change with the weights. Adam moves the weights.
//!
//! `error` has the distance and its slope, `session` goes through positions of the learner's
//! own games, `learner` is what a run needs.

mod error;
mod learner;
mod session;
mod settings;
#[cfg(test)]
mod tests;

pub use learner::TreeStrapLearning;
