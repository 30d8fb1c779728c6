//! Why a file is not a valid n-tuple network.

use super::tuple::{Tuple, TupleError};
use super::weights::LARGEST_WEIGHT;
use crate::classical::{UnknownGroup, WeightsError};

/// What is wrong with the file of an n-tuple network, in one line with its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NTupleError {
    /// It does not begin like such a file.
    #[error("it is not an n-tuple network: it does not begin with TABIATUP")]
    Foreign,
    /// A newer or older version of the format.
    #[error("the n-tuple network has version {found}, but this program reads {known}")]
    Version {
        /// Its version.
        found: u32,
        /// The version that is supported.
        known: u32,
    },
    /// The header is invalid JSON, or too long.
    #[error("the header at byte 20: {0}")]
    Header(String),
    /// A name in the header is not a tuple.
    #[error("the header at byte 20: {0}")]
    Tuple(#[from] TupleError),
    /// A tuple has two tables.
    #[error("the tuple {0} has two tables")]
    Twice(Tuple),
    /// A name in the header is not a group of terms.
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
    /// The file continues after the end of the network.
    #[error("the n-tuple network ends at byte {offset}, but the file has {extra} more")]
    Trailing {
        /// Where it should end.
        offset: usize,
        /// How many bytes follow.
        extra: usize,
    },
    /// The checksum does not fit the contents.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// The weights of the hand-written evaluation are invalid.
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
