//! Everything that a training needs to resume, in one file.
//!
//! The header says what the numbers of all tensors belong to. An incomplete file is never used.

use super::net::Learner;
use crate::checkpoint_file::{self, CheckpointError, Magic};
use crate::descent::tensors;
use crate::feed::Mark;
use crate::{TrainError, arithmetic};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const MAGIC: &Magic = b"TABIACP1";

/// The header of a checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    #[serde(flatten)]
    pub(super) mark: Mark,
    /// The arithmetic it was trained with.
    arithmetic: String,
    /// The initial net of the training, named by its hash.
    pub(super) parent: Option<String>,
    /// The number of steps made before in the trainings that this one continues.
    #[serde(default)]
    pub(super) steps_before: u64,
    /// The names and lengths in strips of all arrays, in order.
    tensors: Vec<(String, usize)>,
}

impl Header {
    /// The header for the present state of a net.
    pub(super) fn new(net: &mut Learner, mark: Mark) -> Header {
        Header {
            mark,
            arithmetic: arithmetic().to_owned(),
            parent: None,
            steps_before: 0,
            tensors: tensors::lengths(net.tensors()),
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

/// Writes a checkpoint, which appears only when it is complete.
pub(super) fn write(
    path: &Path,
    net: &mut Learner,
    header: &Header,
) -> Result<(), CheckpointError> {
    checkpoint_file::write(path, MAGIC, header, tensors::numbers(net.tensors()))
}

/// Reads a checkpoint and verifies its hash.
pub(super) fn open(path: &Path) -> Result<Checkpoint, CheckpointError> {
    let (header, numbers) = checkpoint_file::read(path, MAGIC)?;
    Ok(Checkpoint {
        path: path.to_owned(),
        header,
        numbers,
    })
}

/// A complete checkpoint in memory.
#[derive(Debug)]
pub(super) struct Checkpoint {
    path: PathBuf,
    /// What it says.
    pub(super) header: Header,
    numbers: Vec<u8>,
}

impl Checkpoint {
    /// Restores its numbers into a net of the same shape.
    pub(super) fn restore(&self, net: &mut Learner) -> Result<(), CheckpointError> {
        let (found, numbers) = (&self.header.tensors, &self.numbers);
        tensors::restore(net.tensors(), found, numbers, &self.path)
    }
}
