//! Why a file is no net of lc0 that can be used.

/// What is wrong with a net of lc0, in one line.
#[derive(Debug, thiserror::Error)]
pub enum Lc0Error {
    /// The compression is damaged, or hides too much.
    #[error("the gzip file cannot be decompressed: {0}")]
    Gzip(String),
    /// What was packed is no net.
    #[error("it is not an lc0 net: {0}")]
    Foreign(&'static str),
    /// A message breaks off or has a field of an unknown kind.
    #[error("the lc0 net is damaged: {0}")]
    Damaged(&'static str),
    /// A net of another kind.
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
    /// A part that every net has is not there.
    #[error("the lc0 net has no {0}")]
    Missing(&'static str),
    /// A part has another length than the others say.
    #[error("the lc0 net has {found} values of {what}, but {expected} are needed")]
    Length {
        /// Which part.
        what: &'static str,
        /// How many it has.
        found: usize,
        /// How many would fit.
        expected: usize,
    },
    /// A weight is infinite or no number.
    #[error("the lc0 net contains {0} that are not finite numbers")]
    NotANumber(&'static str),
}
