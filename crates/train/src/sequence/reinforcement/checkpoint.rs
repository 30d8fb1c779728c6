//! Everything that such a training needs to resume, and from which the next generation continues,
//! in one file: the weights with the optimiser state, and the models of the pool.

use super::super::checkpoint::kept;
use super::super::net::Net;
use super::tally::Tally;
use crate::checkpoint_file::{self, CheckpointError, Magic};
use crate::feed::Mark;
use nets::sequence::{SequenceShape, SequenceWeights};
use serde::{Deserialize, Serialize};
use std::path::Path;

const MAGIC: &Magic = b"TABIACR1";

/// The header of a checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    #[serde(flatten)]
    pub(super) mark: Mark,
    /// The instruction set it was trained with: others round differently.
    pub(super) arithmetic: String,
    pub(super) shape: SequenceShape,
    pub(super) tally: Tally,
    /// The sizes in bytes of the pool's models, which follow the weights.
    pub(super) pool: Vec<usize>,
}

/// Writes a checkpoint, which appears only when it is complete.
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

/// Reads a checkpoint: its header, the weights with the optimiser state as bytes, and the pool.
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
