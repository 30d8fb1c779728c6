//! Why a file is not an lc0 net that can be used.

/// What is wrong with a net of lc0, in one line.
#[derive(Debug, thiserror::Error)]
pub enum Lc0Error {
    /// The gzip file is damaged, or unpacks to too many bytes.
    #[error("the gzip file cannot be decompressed: {0}")]
    Gzip(String),
    /// It does not contain a net.
    #[error("it is not an lc0 net: {0}")]
    Foreign(&'static str),
    /// A protobuf message is cut off or has a field of an unknown type.
    #[error("the lc0 net is damaged: {0}")]
    Damaged(&'static str),
    /// A net with another architecture.
    #[error(
        "the lc0 net has {what} {found}; only nets of Maia's kind are supported: 112 classical \
         planes, convolutions with or without squeeze-excitation, policy as planes"
    )]
    Kind {
        /// Which part.
        what: &'static str,
        /// Its number in the format.
        found: u64,
    },
    /// A required part is missing.
    #[error("the lc0 net has no {0}")]
    Missing(&'static str),
    /// The length of a part does not fit the others.
    #[error("the lc0 net has {found} values of {what}, but {expected} are needed")]
    Length {
        /// Which part.
        what: &'static str,
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A weight is infinite or NaN.
    #[error("the lc0 net contains {0} that are not finite numbers")]
    NotANumber(&'static str),
}
