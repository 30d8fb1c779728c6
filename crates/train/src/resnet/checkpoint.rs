//! Everything that a training needs to resume, in one file.

use super::net::Net;
use crate::TrainError;
use crate::checkpoint_file::{self, CheckpointError, Magic};
use crate::feed::Mark;
use crate::lanes::Strip;
use nets::kernels::Kernels;
use serde::{Deserialize, Serialize};
use std::path::Path;

const MAGIC: &Magic = b"TABIACR1";

/// The header of a checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    #[serde(flatten)]
    pub(super) mark: Mark,
    /// The instruction set it was trained with: others round differently.
    arithmetic: String,
    /// The initial net of the training, named by its hash.
    pub(super) parent: Option<String>,
    /// The number of steps made before in the trainings that this one continues.
    #[serde(default)]
    pub(super) steps_before: u64,
}

impl Header {
    pub(super) fn new(mark: Mark, parent: Option<String>, steps_before: u64) -> Header {
        Header {
            mark,
            arithmetic: arithmetic().to_owned(),
            parent,
            steps_before,
        }
    }

    /// Rejects checkpoints made with another arithmetic.
    pub(super) fn check_arithmetic(&self) -> Result<(), TrainError> {
        match self.arithmetic == arithmetic() {
            true => Ok(()),
            false => Err(TrainError::OtherArithmetic(self.arithmetic.clone())),
        }
    }
}

/// The name of this CPU's arithmetic; the same name means the same results.
pub(super) fn arithmetic() -> &'static str {
    Kernels::best().name()
}

/// Writes a checkpoint, which appears only when it is complete.
pub(super) fn write(path: &Path, net: &mut Net, header: &Header) -> Result<(), CheckpointError> {
    let mut numbers: Vec<u8> = Vec::new();
    for parameter in net.parameters() {
        for strips in parameter.kept() {
            numbers.extend_from_slice(bytemuck::cast_slice::<Strip, u8>(strips));
        }
    }
    for norm in net.norms_mut() {
        for values in statistics(norm) {
            numbers.extend_from_slice(bytemuck::cast_slice::<f32, u8>(values));
        }
    }
    checkpoint_file::write(path, MAGIC, header, std::iter::once(&numbers[..]))
}

/// Reads the header and the numbers of a checkpoint.
pub(super) fn read(path: &Path) -> Result<(Header, Vec<u8>), CheckpointError> {
    checkpoint_file::read(path, MAGIC)
}

/// Restores the numbers of a checkpoint into a net of the same shape.
pub(super) fn restore(path: &Path, net: &mut Net, numbers: &[u8]) -> Result<(), CheckpointError> {
    let shape = || CheckpointError::Shape(path.to_owned());
    let mut rest = numbers;
    let mut take = |bytes: &mut [u8]| -> Result<(), CheckpointError> {
        let (own, behind) = rest.split_at_checked(bytes.len()).ok_or_else(shape)?;
        bytes.copy_from_slice(own);
        rest = behind;
        Ok(())
    };
    for parameter in net.parameters() {
        for strips in parameter.kept() {
            take(bytemuck::cast_slice_mut::<Strip, u8>(strips))?;
        }
    }
    for norm in net.norms_mut() {
        for values in statistics(norm) {
            take(bytemuck::cast_slice_mut::<f32, u8>(values))?;
        }
    }
    if !rest.is_empty() {
        return Err(shape());
    }
    net.prepare();
    Ok(())
}

fn statistics(norm: &mut crate::float::Norm) -> [&mut [f32]; 4] {
    let [mean, variance] = &mut norm.averaged;
    [
        &mut norm.running_mean,
        &mut norm.running_variance,
        mean,
        variance,
    ]
}
