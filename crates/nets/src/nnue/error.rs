//! Why a file is not a valid net.

use std::io;

/// What is wrong with a net's file, in one line with its place.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// It cannot be read, or there is no memory for it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Its beginning is not that of any known format.
    #[error(
        "it is not a net: it has the signature neither of Stockfish's .nnue files nor of \
        Tabia's nets"
    )]
    Foreign,
    /// A newer or older version of a format.
    #[error("{kind} has version {found:#010X}, but this program reads {known:#010X}{remark}")]
    Version {
        /// What kind of file it is.
        kind: &'static str,
        /// Its version.
        found: u32,
        /// The version that is supported.
        known: u32,
        /// Who writes such files, if that is known.
        remark: &'static str,
    },
    /// An unknown shape.
    #[error(
        "the network hash {hash:#010X} at byte 4 belongs to no known shape{remark}; \
         known are HalfKAv2_hm nets of 128, 256, 512, 1024, 1536, 2560 or 3072 values a side \
         (Stockfish 15.1 to 17.1)"
    )]
    Architecture {
        /// What the file says.
        hash: u32,
        /// To whose nets it belongs, if that is known.
        remark: &'static str,
    },
    /// A hash inside the file does not fit the shape.
    #[error("the hash of {what} at byte {offset} is {found:#010X}, but should be {expected:#010X}")]
    Hash {
        /// Which part.
        what: String,
        /// At which byte.
        offset: usize,
        /// What the file says.
        found: u32,
        /// What the shape says.
        expected: u32,
    },
    /// The file ends too early.
    #[error(
        "the file ends within {what}: at byte {offset} {wanted} more bytes are needed, {left} are \
         left"
    )]
    Truncated {
        /// Which part.
        what: String,
        /// Where it begins.
        offset: usize,
        /// Bytes needed.
        wanted: u64,
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
    /// A compressed number is wrong.
    #[error("{what}: the compressed number at byte {offset} {problem}")]
    Leb128 {
        /// Which part.
        what: String,
        /// At which byte.
        offset: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Some arrays are compressed and others are not.
    #[error("{what} at byte {offset} is {found}, unlike the array before it")]
    Mixed {
        /// Which part.
        what: String,
        /// At which byte.
        offset: usize,
        /// How it is stored.
        found: &'static str,
    },
    /// The arithmetic could overflow.
    #[error(transparent)]
    Bound(#[from] BoundError),
    /// The header of a file of Tabia's is invalid.
    #[error("the header at byte 16: {0}")]
    Header(String),
    /// The checksum does not fit the contents.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
}

/// Which weights could make a sum overflow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoundError {
    /// An accumulator.
    #[error(
        "value {column} of the feature transformer can reach {reach}, beyond 16 bits, with the own \
         king in bucket {bucket}; its largest share is weight {weight} of input {feature}"
    )]
    Accumulator {
        /// Which value.
        column: usize,
        /// The king bucket.
        bucket: usize,
        /// The sum.
        reach: i64,
        /// The input with the largest weight in it.
        feature: usize,
        /// That weight.
        weight: i16,
    },
    /// A value of the first layer of a policy.
    #[error(
        "value {column} of the policy's first layer can reach {reach}, beyond 16 bits; its largest \
         share is weight {weight} of input {feature}"
    )]
    Policy {
        /// Which value.
        column: usize,
        /// The sum.
        reach: i64,
        /// The input with the largest weight in it.
        feature: usize,
        /// That weight.
        weight: i16,
    },
    /// A material value.
    #[error(
        "material bucket {bucket} can reach {reach}, beyond 31 bits; its largest share is weight \
         {weight} of input {feature}"
    )]
    Psqt {
        /// Which bucket.
        bucket: usize,
        /// The sum.
        reach: i64,
        /// The input with the largest weight in it.
        feature: usize,
        /// That weight.
        weight: i32,
    },
    /// A layer's sum.
    #[error(
        "output {output} of {layer}, stack {stack}, can reach {reach}, beyond {limit}; its bias is \
         {bias}, its largest share is weight {weight} of input {input}"
    )]
    Layer {
        /// Which stack.
        stack: usize,
        /// Which layer.
        layer: &'static str,
        /// Which output.
        output: usize,
        /// The sum.
        reach: i64,
        /// The limit.
        limit: i64,
        /// Its bias.
        bias: i32,
        /// The input with the largest weight in that direction.
        input: usize,
        /// That weight.
        weight: i8,
    },
}
