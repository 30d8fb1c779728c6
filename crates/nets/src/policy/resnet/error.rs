//! Why a file is not a valid ResNet.

use crate::policy::lc0::Lc0Error;

/// What is wrong with the file of a ResNet, in one line with its place.
#[derive(Debug, thiserror::Error)]
pub enum ResNetError {
    /// A newer or older version of the format.
    #[error("the net has version {found}, but this program reads {known}")]
    Version {
        /// Its version.
        found: u32,
        /// The version that is supported.
        known: u32,
    },
    /// The header is invalid JSON, too long, or describes an impossible net.
    #[error("the header at byte 16: {0}")]
    Header(String),
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
    /// The file continues after the end of the net.
    #[error("the net ends at byte {offset}, but the file has {extra} more")]
    Trailing {
        /// Where it should end.
        offset: usize,
        /// How many bytes follow.
        extra: usize,
    },
    /// The checksum does not fit the contents.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// A weight is infinite or NaN, or a variance is negative.
    #[error("{0} contains values that are not finite numbers, or a negative variance")]
    NotANumber(String),
    /// The weights are finite, but so large that outputs are not.
    #[error(
        "its weights are so large that the value of the starting position is not finite: its \
         training diverged, or the file is damaged"
    )]
    Overflow,
    /// A safetensors file is invalid.
    #[error("the tensors: {0}")]
    Tensors(String),
    /// A net of lc0 is invalid.
    #[error(transparent)]
    Lc0(#[from] Lc0Error),
}
