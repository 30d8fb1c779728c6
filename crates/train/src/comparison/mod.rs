//! Comparison training: weights move from the leaves of moves that a search prefers to
//! the leaf of the desired move.
//!
//! For a position with a desired move, S is the set of moves that a search of `depth`
//! plies values higher. The leaf l of each move's principal variation has the features
//! phi(l), and the weights become
//!
//! ```text
//! w(t) = w(t-1) + 1/|S| sum over i in S of (phi(l_desired) - phi(l_i))
//! ```
//!
//! for the side to move. Each weight is a pair for opening and endgame. With alpha, the closeness
//! of a leaf to the opening, the features of the leaf count alpha / (alpha^2 + (1-alpha)^2) times
//! for the one and (1-alpha) / (alpha^2 + (1-alpha)^2) times for the other. So one training set
//! serves all stages. The exported weights are the average of w(0) to w(t).
//!
//! **How we read what was published** (Comparison Training of N-Tuple Networks for Chess). A depth
//! of d includes the move itself: with 1, the positions after the moves are compared, by quiescence
//! search. A leaf valued by a mate, a stalemate or an endgame function has no features. Floats keep
//! the published scale, in which the material begins and a step is 1/|S|; the material constraint
//! converts them to centipawns: the integers that a search uses are round(gamma w), where gamma
//! makes the opening weights of all pieces add up to a constant of our own scale. Weights that are
//! not trained are not scaled. A position with one legal move is no update and does not enter the
//! average: without other moves there is nothing to compare, and t counts comparisons. A position
//! in which the desired move is already best has an empty S, but is an update, so the weights it
//! confirms count in the average.
//!
//! `update` has the formula, `average` the averaged weights, `constraint` gamma; `judging` measures
//! how often the desired move is found, `session` goes through the data; `examination` judges any
//! evaluation in the same way.

mod average;
mod constraint;
mod examination;
mod judging;
mod session;
mod settings;
#[cfg(test)]
mod tests;
mod update;

pub use examination::{Agreement, Examination, ExaminationSettings};
pub use session::Session;
pub use settings::{Initial, Material, Settings};
