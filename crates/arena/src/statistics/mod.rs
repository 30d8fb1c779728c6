//! What the results of games prove. Numbers in, numbers out: it must not know
//! players, boards or files.
//!
//! - `counts` has what is counted, `histogram` the one form in which formulas
//!   take it;
//! - `elo` says what a match of fixed length tells;
//! - `likelihood` weighs two hypotheses, `sprt` makes a test of it, and
//!   `sequential` says what a test tells of the strength;
//! - `student` says what the mean of few numbers tells;
//! - `planning` says how many games a question needs.

mod bayes_elo;
mod brownian;
mod counts;
mod elo;
mod histogram;
mod likelihood;
mod normal;
mod planning;
mod root;
mod sequential;
mod sprt;
mod student;

pub use bayes_elo::bayes_elo_llr;
pub use counts::{Counts, Pentanomial, Trinomial, pair_draw_ratio, pairs_ratio};
pub use elo::{Estimate, NORMALIZED_ELO_OF_DEVIATION, Strength, elo_of_score, expected_score};
pub use histogram::Histogram;
pub use likelihood::Model;
pub(crate) use normal::{Z_95, probability_below};
pub use planning::{Prospect, ProspectError};
pub use sprt::{
    Decision, Judgement, LARGEST_ELO, SequentialEstimate, Sprt, SprtError, SprtProspect,
};
pub use student::Mean;
