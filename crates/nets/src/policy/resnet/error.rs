//! Why a file is no ResNet that can be used.

use crate::policy::lc0::Lc0Error;

/// What is wrong with the file of a ResNet, in one line with its place.
#[derive(Debug, thiserror::Error)]
pub enum ResNetError {
    /// A newer or older kind of file.
    #[error("the net has version {found}, but this program reads {known}")]
    Version {
        /// Its version.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// The header is no JSON of the known form, too long, or of no sensible net.
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
    /// The file goes on after its end.
    #[error("the net ends at byte {offset}, but the file has {extra} more")]
    Trailing {
        /// Where it should end.
        offset: usize,
        /// How much is left.
        extra: usize,
    },
    /// The contents are not what was written.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// A weight is infinite or no number.
    #[error("{0} contains values that are not finite numbers, or a negative variance")]
    NotANumber(String),
    /// The weights are finite, but so large that what they compute is not.
    #[error(
        "its weights are so large that the value of the starting position is not finite: its \
         training diverged, or the file is damaged"
    )]
    Overflow,
    /// A file of tensors does not fit.
    #[error("the tensors: {0}")]
    Tensors(String),
    /// A net of lc0.
    #[error(transparent)]
    Lc0(#[from] Lc0Error),
}
