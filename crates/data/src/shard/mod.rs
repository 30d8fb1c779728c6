//! Shards: files of positions in any format that is known here, read by several
//! threads and written by one.
//!
//! `format` tells formats apart, `block` is the piece of a file that one thread
//! reads at a time, `read` joins them, `write` writes files that are seen only
//! when they are whole. `game` tells where games begin.

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
