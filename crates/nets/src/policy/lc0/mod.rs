//! Nets of Leela Chess Zero with the architecture of Maia: convolutions with
//! squeeze-and-excitation, a convolutional policy head, and a value head.
//!
//! `protobuf` reads the fields of a file, `weights` makes layers of them, and `coding`
//! encodes positions and moves as lc0 does.

mod coding;
mod error;
mod protobuf;
#[cfg(test)]
mod tests;
mod weights;

pub use coding::Lc0Coding;
pub use error::Lc0Error;
pub use weights::Lc0Weights;

/// The beginning of a gzip file.
const GZIP: &[u8] = &[0x1f, 0x8b];
/// The beginning of an unpacked net: its first field, and lc0's magic number.
const PLAIN: &[u8] = &[0x0d, 0xc0, 0x01, 0x00, 0x00];

/// Whether a file begins like a net of lc0.
pub(crate) fn looks_like_one(bytes: &[u8]) -> bool {
    bytes.starts_with(GZIP) || bytes.starts_with(PLAIN)
}
