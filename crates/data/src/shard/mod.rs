//! Shards: files of positions in any supported format, read by several threads and
//! written by one.
//!
//! `format` recognises formats, `block` is the part of a file that one thread reads at
//! a time, `read` reads all blocks in order, `write` writes files that appear only when
//! they are complete. `game` finds where games begin.

mod block;
mod format;
mod game;
mod read;
mod write;

pub use block::{Reading, ShardError};
pub use format::{Format, UnknownFormat};
pub use game::GameFinder;
pub use read::{Read, Shard, read};
pub use write::{Encoded, ShardEncoder, ShardWriter};
