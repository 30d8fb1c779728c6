//! Binpack: the format of training data of Stockfish and its trainers, a few bytes for
//! a position.
//!
//! A file is a series of chunks: `BINP`, the length of the rest as four bytes with the
//! lowest first, and whole chains. Files can therefore be joined by joining their
//! bytes, and chunks can be shuffled and read independently. A chain is one whole
//! position (`stem`), the number of positions that follow it move by move, and their
//! moves (`ways`) and scores as bits (`bits`). `decode` and `encode` go from chains to
//! positions and back; `read` and `write` handle files and must not know chess.
//!
//! ```
//! use chess::Board;
//! use data::binpack::{Encoder, Positions};
//! use data::position::{Outcome, Position};
//!
//! let board = Board::start();
//! let position = Position {
//!     board,
//!     mv: board.parse_uci("e2e4").ok(),
//!     score: 25,
//!     result: Outcome::Draw,
//!     ply: 0,
//! };
//! let mut encoder = Encoder::new();
//! encoder.push(&position)?;
//! let mut positions = Positions::new(encoder.finish().bytes());
//! assert_eq!(positions.next().unwrap(), Some(&position));
//! assert_eq!(positions.next().unwrap(), None);
//! # Ok::<(), data::binpack::EncodeError>(())
//! ```

mod bits;
mod cut;
mod decode;
mod encode;
mod read;
mod stem;
mod ways;
mod write;

pub use cut::{CutError, first_positions};
pub use decode::{ChainProblem, Positions};
pub use encode::{Chains, Encoder};
pub use read::{BinpackError, Chunk, ChunkPlace, ChunkReader, read_chunk, scan};
pub use stem::{EncodeError, StemProblem};
pub use write::{Appender, ChunkWriter, SUGGESTED_CHUNK};

pub(crate) use ways::is_ordinary;
