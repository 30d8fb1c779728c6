//! Filters: which positions to leave out of training.
//!
//! Each filter has a name, by which the command line, training settings and reports
//! refer to it, and counts what it removes. `words` parses the names, `run` applies
//! filters to positions one by one; `thinning` and `remembered` implement the two
//! filters that depend on other positions.

mod remembered;
mod run;
mod thinning;
mod words;

pub use remembered::{REMEMBERED_MEBIBYTES, Remembered};
pub use run::{FilterCounts, FilterRun, Filters};
pub use thinning::{PieceCounts, Thinning};
pub use words::{Filter, FilterKind, Range, WrongFilter};
