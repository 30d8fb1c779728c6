//! Everything that a training needs to resume, in one file.

use super::net::Net;
use crate::checkpoint_file::{self, CheckpointError, Magic};
use crate::feed::Mark;
use crate::lanes::{InstructionSet, Strip};
use nets::kernels::Kernels;
use serde::{Deserialize, Serialize};
use std::path::Path;

const MAGIC: &Magic = b"TABIACS1";

/// The header of a checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    #[serde(flatten)]
    pub(super) mark: Mark,
    /// The instruction set it was trained with: others round differently.
    pub(super) arithmetic: String,
    /// The initial model of the training, named by its hash.
    pub(super) parent: Option<String>,
}

/// The name of this CPU's arithmetic; the same name means the same results.
pub(super) fn arithmetic() -> &'static str {
    match InstructionSet::best().name() {
        "portable" => "portable",
        _ => Kernels::best().name(),
    }
}

/// Writes a checkpoint, which appears only when it is complete.
pub(super) fn write(path: &Path, net: &mut Net, header: &Header) -> Result<(), CheckpointError> {
    checkpoint_file::write(path, MAGIC, header, std::iter::once(&kept(net)[..]))
}

/// The weights of a model with the optimiser state.
pub(super) fn kept(net: &mut Net) -> Vec<u8> {
    let mut numbers: Vec<u8> = Vec::new();
    for parameter in net.parameters() {
        for strips in parameter.kept() {
            numbers.extend_from_slice(bytemuck::cast_slice::<Strip, u8>(strips));
        }
    }
    numbers
}

/// Reads the header and the numbers of a checkpoint.
pub(super) fn read(path: &Path) -> Result<(Header, Vec<u8>), CheckpointError> {
    checkpoint_file::read(path, MAGIC)
}

/// Restores the numbers of a checkpoint into a model of the same shape.
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
