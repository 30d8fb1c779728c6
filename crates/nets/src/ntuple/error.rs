//! Why a file is no n-tuple network that can be used.

use super::tuple::{Tuple, TupleError};
use super::weights::LARGEST_WEIGHT;
use crate::classical::{UnknownGroup, WeightsError};

/// What is wrong with the file of an n-tuple network, in one line with its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NTupleError {
    /// It begins as no such file does.
    #[error("it is not an n-tuple network: it does not begin with TABIATUP")]
    Foreign,
    /// A newer or older kind of file.
    #[error("the n-tuple network has version {found}, but this program reads {known}")]
    Version {
        /// Its version.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// The header is no JSON of the known form, or too long.
    #[error("the header at byte 20: {0}")]
    Header(String),
    /// A name in the header that names no tuple.
    #[error("the header at byte 20: {0}")]
    Tuple(#[from] TupleError),
    /// A tuple with two tables.
    #[error("the tuple {0} has two tables")]
    Twice(Tuple),
    /// A name in the header that names no group of terms.
    #[error("the header at byte 20: {0}")]
    Group(#[from] UnknownGroup),
    /// The file ends too early.
    #[error(
        "the file ends within {what}: at byte {offset} {wanted} more bytes are needed, {left} are \
         left"
    )]
    Truncated {
        /// Which part.
        what: &'static str,
        /// Where it begins.
        offset: usize,
        /// Bytes needed.
        wanted: usize,
        /// Bytes left.
        left: usize,
    },
    /// The file goes on after its end.
    #[error("the n-tuple network ends at byte {offset}, but the file has {extra} more")]
    Trailing {
        /// Where it should end.
        offset: usize,
        /// How much is left.
        extra: usize,
    },
    /// The contents are not what was written.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// The terms of the hand-written evaluation.
    #[error("the weights of the hand-written evaluation: {0}")]
    Linear(#[from] WeightsError),
    /// A weight is too large.
    #[error(
        "{name}: {value} is out of range; weights must be from -{LARGEST_WEIGHT} to \
         {LARGEST_WEIGHT}"
    )]
    OutOfRange {
        /// The place.
        name: String,
        /// The weight.
        value: i16,
    },
}
