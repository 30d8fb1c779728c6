//! Turns the constants of a search by playing: SPSA, simultaneous perturbation
//! stochastic approximation.
//!
//! Each iteration moves all constants at once a little up or down at random,
//! lets the one side of the flip play the other, and goes a step towards the
//! winner. One result teaches something about every constant, so the number of
//! games does not grow with their number. `spsa` has the arithmetic, `record`
//! keeps what was played, `run` plays.

mod record;
mod run;
mod spsa;

pub use record::{Iteration, builds};
pub use run::{TuneError, Tuning};
pub use spsa::{Constant, Gains, Spsa, Trial};
