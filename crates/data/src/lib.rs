//! Training data: from games to positions, their file formats, filters and loaders.

pub mod arrange;
pub mod binpack;
pub mod difference;
pub mod file;
pub mod filter;
mod games;
pub mod generations;
pub mod journal;
pub mod lines;
pub mod loader;
pub mod packed;
pub mod pgn;
pub mod plain;
pub mod policy;
pub mod position;
pub mod random;
pub mod range;
pub mod relabel;
pub mod repeats;
pub mod replay;
pub mod schema;
pub mod score;
pub mod sequences;
pub mod shard;
mod spread;
pub mod statistics;
mod workers;
