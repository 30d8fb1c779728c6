//! Positions with what a search thought of their moves: shards for policies and
//! values, and the same as arrays for NumPy.
//!
//! `record` is a position with visits and values, `shard` the file of many, `packed` many in
//! memory, `window` the latest games to learn from, `npz` the published arrays, made of `npy`
//! and `zip`. It must not know who searched or learns.

mod npy;
mod npz;
mod packed;
mod record;
mod shard;
#[cfg(test)]
mod tests;
mod window;
mod zip;

pub use npz::{NpzError, read_npz, write_npz};
pub use packed::PackedRecords;
pub use record::{PolicyRecord, RecordError};
pub use shard::{PolicyReader, PolicyShardError, PolicyWriter};
pub use window::{Window, WindowError};
