//! Filters: which positions are not worth learning from.
//!
//! Each has a name, with which the command line, settings of a training and
//! reports speak of it, and counts what it removes. `words` reads the names,
//! `run` removes positions one by one, `thinning` and `remembered` are the two
//! that look at more than one position.

mod remembered;
mod run;
mod thinning;
mod words;

pub use remembered::{REMEMBERED_MEBIBYTES, Remembered};
pub use run::{FilterCounts, FilterRun, Filters};
pub use thinning::{PieceCounts, Thinning};
pub use words::{Filter, FilterKind, Range, WrongFilter};
