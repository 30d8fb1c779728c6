//! The statistics of match results in words and in JSON: the same for every command that has
//! counts.
//!
//! It must not know where counts come from.

pub(crate) mod counts;
mod ratings;
mod report;
mod test;

pub(crate) use counts::Given;
pub(crate) use ratings::RatingReport;
pub(crate) use report::{Report, percent, row};
pub(crate) use test::{Described, TestOptions};
