//! Training data for policies and values: positions with the results of a search, in shards
//! or as NumPy arrays.
//!
//! `record` is a position with visits and values, `shard` the file format, `packed` many
//! records in memory, `window` the replay window of the latest games, and `npz` the published
//! arrays, built from `npy` and `zip`. Nothing here knows who searches or trains.

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
