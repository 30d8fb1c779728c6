//! Everything a training needs to go on, in one file.
//!
//! The header says what the numbers of all tensors belong to. A file that is not
//! whole is never used.

use super::net::Learner;
use crate::checkpoint_file::{self, CheckpointError, Magic};
use crate::descent::tensors;
use crate::feed::Mark;
use crate::{TrainError, arithmetic};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const MAGIC: &Magic = b"TABIACP1";

/// What a checkpoint says beside numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    #[serde(flatten)]
    pub(super) mark: Mark,
    /// The arithmetic with which it was trained.
    arithmetic: String,
    /// The name by its hash of the net with which the training began.
    pub(super) parent: Option<String>,
    /// How many steps came before, in the trainings that this one follows.
    #[serde(default)]
    pub(super) steps_before: u64,
    /// The names and strips of all tensors, in order.
    tensors: Vec<(String, usize)>,
}

impl Header {
    /// The header of a net as it is.
    pub(super) fn new(net: &mut Learner, mark: Mark) -> Header {
        Header {
            mark,
            arithmetic: arithmetic().to_owned(),
            parent: None,
            steps_before: 0,
            tensors: tensors::lengths(net.tensors()),
        }
    }

    /// Refuses what another kind of CPU has made.
    pub(super) fn check_arithmetic(&self) -> Result<(), TrainError> {
        match self.arithmetic == arithmetic() {
            true => Ok(()),
            false => Err(TrainError::OtherArithmetic(self.arithmetic.clone())),
        }
    }
}

/// Writes a checkpoint; it appears when it is whole.
pub(super) fn write(
    path: &Path,
    net: &mut Learner,
    header: &Header,
) -> Result<(), CheckpointError> {
    checkpoint_file::write(path, MAGIC, header, tensors::numbers(net.tensors()))
}

/// Reads a checkpoint, after its hash was found right.
pub(super) fn open(path: &Path) -> Result<Checkpoint, CheckpointError> {
    let (header, numbers) = checkpoint_file::read(path, MAGIC)?;
    Ok(Checkpoint {
        path: path.to_owned(),
        header,
        numbers,
    })
}

/// A whole checkpoint in memory.
#[derive(Debug)]
pub(super) struct Checkpoint {
    path: PathBuf,
    /// What it says.
    pub(super) header: Header,
    numbers: Vec<u8>,
}

impl Checkpoint {
    /// Gives its numbers to a net of the same shape.
    pub(super) fn restore(&self, net: &mut Learner) -> Result<(), CheckpointError> {
        let (found, numbers) = (&self.header.tensors, &self.numbers);
        tensors::restore(net.tensors(), found, numbers, &self.path)
    }
}
