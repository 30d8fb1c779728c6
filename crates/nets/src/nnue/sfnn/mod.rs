//! Nets of Stockfish's shape: `weights` is what a file holds, `read` and `write`
//! are the files, `hash` how they name their shape, `leb128` how they are
//! compressed; `net` is what is evaluated.
//!
//! Nothing here knows how a net is trained or searched.

mod hash;
mod leb128;
mod net;
mod read;
mod weights;
mod write;

pub use net::{Parts, Sfnn};
pub use weights::{Affine, SfnnWeights, Stack};

/// The version of the files of Stockfish 12 to 18.
pub(super) const VERSION: u32 = 0x7AF3_2F20;
/// What stands before a compressed array.
const LEB128_MAGIC: &[u8] = b"COMPRESSED_LEB128";

/// Whether a file begins as one of Stockfish's, known or not: all versions so far
/// have been this word or a newer one that is refused by its number.
pub(super) fn looks_like_one(bytes: &[u8]) -> bool {
    let version = bytes
        .first_chunk::<4>()
        .map(|&word| u32::from_le_bytes(word));
    version.is_some_and(|word| word == VERSION || read::is_known_version(word))
}

/// How the arrays of the first layer are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// Plain integers, as Stockfish 15.1 reads them.
    Raw,
    /// LEB128, as Stockfish 16 to 17.1 read them.
    Leb128,
}

impl Compression {
    /// Its name in messages and options.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Raw => "raw",
            Compression::Leb128 => "leb128",
        }
    }
}
