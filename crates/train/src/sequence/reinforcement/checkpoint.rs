//! Everything such a training needs to go on, and what the next generation follows, in one
//! file: the weights with what is remembered of them, and the models of the pool.

use super::super::checkpoint::kept;
use super::super::net::Net;
use super::tally::Tally;
use crate::checkpoint_file::{self, CheckpointError, Magic};
use crate::feed::Mark;
use nets::sequence::{SequenceShape, SequenceWeights};
use serde::{Deserialize, Serialize};
use std::path::Path;

const MAGIC: &Magic = b"TABIACR1";

/// What a checkpoint says beside numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    #[serde(flatten)]
    pub(super) mark: Mark,
    /// The instructions with which it was trained: others round otherwise.
    pub(super) arithmetic: String,
    pub(super) shape: SequenceShape,
    pub(super) tally: Tally,
    /// Bytes of the models of the pool, which stand behind the weights.
    pub(super) pool: Vec<usize>,
}

/// Writes a checkpoint; it appears when it is whole.
pub(super) fn write(
    path: &Path,
    net: &mut Net,
    pool: &[SequenceWeights],
    mut header: Header,
) -> Result<(), CheckpointError> {
    let damaged = |_| CheckpointError::Shape(path.to_owned());
    let models: Vec<Vec<u8>> = pool
        .iter()
        .map(SequenceWeights::to_bytes)
        .collect::<Result<_, _>>()
        .map_err(damaged)?;
    header.pool = models.iter().map(Vec::len).collect();
    let numbers = kept(net);
    let parts = std::iter::once(&numbers[..]).chain(models.iter().map(Vec::as_slice));
    checkpoint_file::write(path, MAGIC, &header, parts)
}

/// Reads a checkpoint: its header, the weights with what is remembered of them, as bytes, and
/// the pool.
pub(super) fn read(
    path: &Path,
) -> Result<(Header, Vec<u8>, Vec<SequenceWeights>), CheckpointError> {
    let shape = || CheckpointError::Shape(path.to_owned());
    let (header, mut numbers): (Header, Vec<u8>) = checkpoint_file::read(path, MAGIC)?;
    let of_pool: usize = header.pool.iter().sum();
    let start = numbers.len().checked_sub(of_pool).ok_or_else(shape)?;
    let models = numbers.split_off(start);
    let mut rest = &models[..];
    let mut pool = Vec::new();
    for &length in &header.pool {
        let (own, behind) = rest.split_at_checked(length).ok_or_else(shape)?;
        pool.push(SequenceWeights::read(own).map_err(|_| shape())?);
        rest = behind;
    }
    Ok((header, numbers, pool))
}
