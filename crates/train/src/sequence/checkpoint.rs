//! Everything a training needs to go on, in one file.

use super::net::Net;
use crate::checkpoint_file::{self, CheckpointError, Magic};
use crate::feed::Mark;
use crate::lanes::{InstructionSet, Strip};
use nets::kernels::Kernels;
use serde::{Deserialize, Serialize};
use std::path::Path;

const MAGIC: &Magic = b"TABIACS1";

/// What a checkpoint says beside numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    #[serde(flatten)]
    pub(super) mark: Mark,
    /// The instructions with which it was trained: others round otherwise.
    pub(super) arithmetic: String,
    /// The name by its hash of the model with which the training began.
    pub(super) parent: Option<String>,
}

/// The name of the arithmetic on this CPU: results with one name are the same.
pub(super) fn arithmetic() -> &'static str {
    match InstructionSet::best().name() {
        "portable" => "portable",
        _ => Kernels::best().name(),
    }
}

/// Writes a checkpoint; it appears when it is whole.
pub(super) fn write(path: &Path, net: &mut Net, header: &Header) -> Result<(), CheckpointError> {
    checkpoint_file::write(path, MAGIC, header, std::iter::once(&kept(net)[..]))
}

/// The weights of a model and all that is remembered of them.
pub(super) fn kept(net: &mut Net) -> Vec<u8> {
    let mut numbers: Vec<u8> = Vec::new();
    for parameter in net.parameters() {
        for strips in parameter.kept() {
            numbers.extend_from_slice(bytemuck::cast_slice::<Strip, u8>(strips));
        }
    }
    numbers
}

/// Reads a checkpoint's header and numbers.
pub(super) fn read(path: &Path) -> Result<(Header, Vec<u8>), CheckpointError> {
    checkpoint_file::read(path, MAGIC)
}

/// Gives the numbers of a checkpoint to a model of the same shape.
pub(super) fn put_back(path: &Path, net: &mut Net, numbers: &[u8]) -> Result<(), CheckpointError> {
    let shape = || CheckpointError::Shape(path.to_owned());
    let mut rest = numbers;
    for parameter in net.parameters() {
        for strips in parameter.kept() {
            let bytes = bytemuck::cast_slice_mut::<Strip, u8>(strips);
            let (own, behind) = rest.split_at_checked(bytes.len()).ok_or_else(shape)?;
            bytes.copy_from_slice(own);
            rest = behind;
        }
    }
    if !rest.is_empty() {
        return Err(shape());
    }
    net.prepare();
    Ok(())
}
