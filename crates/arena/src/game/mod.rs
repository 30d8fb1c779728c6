//! One game between two players: clocks, failures, and every way to end.
//!
//! The same loop serves matches, self-play and tuning. It must not know schedules, files or
//! statistics.

mod adjudication;
mod clock;
mod endings;
mod outcome;
mod play;

pub(crate) use adjudication::Adjudicator;
pub use adjudication::{Oracle, Rules};
pub use endings::{AtHorizon, DrawRule, Endings, ResignRule};
pub use outcome::{Outcome, Reason};
pub use play::{Played, Side, Thought, play, play_alone};
