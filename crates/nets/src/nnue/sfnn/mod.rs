//! Nets of Stockfish's shape: `weights` has the contents of a file, `read` and
//! `write` handle files, `hash` computes the hashes that identify a shape, `leb128`
//! is the compression, and `net` is packed for evaluation.
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
/// What precedes a compressed array.
const LEB128_MAGIC: &[u8] = b"COMPRESSED_LEB128";

/// Whether a file begins with the version of one of Stockfish's files, supported or not;
/// a newer version is known only so that the error can name it.
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
