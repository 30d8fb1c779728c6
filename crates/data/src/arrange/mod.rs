//! Reorders positions or splits them into several files. Games stay whole.

mod interleave;
mod shuffle;
mod split;

pub use interleave::{InterleaveError, interleave};
pub use shuffle::Shuffler;
pub use split::Split;
