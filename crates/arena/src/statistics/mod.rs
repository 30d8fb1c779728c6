//! The statistics of results. Numbers in, numbers out: this module must not know players, boards or
//! files.
//!
//! - `counts` has the counts of a match, `histogram` the common form in which formulas take them;
//! - `elo` estimates the strength from a match of fixed length;
//! - `likelihood` compares two hypotheses, `sprt` makes a sequential test of it, and `sequential`
//!   estimates the strength after such a test;
//! - `student` gives the confidence interval of the mean of a few numbers;
//! - `planning` computes how many games a question needs.

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
