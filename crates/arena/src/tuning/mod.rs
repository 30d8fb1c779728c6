//! Tunes the constants of a search by playing: SPSA, simultaneous perturbation stochastic
//! approximation.
//!
//! Each iteration moves every constant a little up or down at random, plays these values against
//! those moved the opposite way, and takes a step towards the winner. One result says something
//! about every constant, so the number of games does not grow with the number of constants. `spsa`
//! has the arithmetic, `record` keeps the iterations, `run` plays.

mod record;
mod run;
mod spsa;

pub use record::{Iteration, builds};
pub use run::{TuneError, Tuning};
pub use spsa::{Constant, Gains, Spsa, Trial};
