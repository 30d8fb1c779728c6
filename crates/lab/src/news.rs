//! What a run tells while it goes on.

use crate::metrics::Row;
use crate::state::Place;
use crate::verdict::Conclusion;
use arena::selfplay::{Amount, Totals};
use arena::statistics::Pentanomial;

/// What happens.
#[derive(Debug)]
pub enum News<'a> {
    /// Something is odd.
    Warning(&'a str),
    /// Steps that were finished before.
    Resumed(usize),
    /// A step begins.
    Begun(&'a Place),
    /// Games are played for their positions; the plies after which they end.
    SelfPlay(&'a Totals, Amount, Option<u32>),
    /// A net learns.
    Training {
        /// Steps made.
        step: u64,
        /// All steps.
        steps: u64,
        /// Positions of a step.
        batch: usize,
        /// The loss of the latest step.
        loss: f64,
    },
    /// Nets meet.
    Match {
        /// The pairs that count so far, from the candidate's view.
        counts: Pentanomial,
        /// Games that have ended.
        games: u64,
        /// All games.
        of: u64,
    },
    /// Nothing, for a moment.
    Quiet,
    /// A step has ended, after so many seconds.
    Ended(&'a Place, f64),
    /// A generation is complete.
    Generation(&'a Row),
    /// All matches of a seed are played.
    Seed(&'a Conclusion),
}
