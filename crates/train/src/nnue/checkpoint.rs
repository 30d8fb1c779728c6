//! Everything a training needs to go on, in one file.
//!
//! The header says what the numbers of all tensors belong to. A file that is not
//! whole is never used.

use super::lanes::Strip;
use super::net::Learner;
pub use crate::sealed::CheckpointError;
use crate::sealed::{self, Magic};
use data::loader::Point;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const MAGIC: &Magic = b"TABIACP1";

/// What a checkpoint says beside numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// What the training depends on; only the same may go on.
    pub settings: String,
    /// The arithmetic with which it was trained.
    pub arithmetic: String,
    /// How many steps were made.
    pub steps: u64,
    /// Where the loader stands.
    pub point: Point,
    /// The losses of the epoch so far, as bits: a number in JSON may lose some.
    pub epoch_loss_bits: u64,
    /// The name by its hash of the net with which the training began.
    pub parent: Option<String>,
    /// How many steps came before, in the trainings that this one follows.
    #[serde(default)]
    pub steps_before: u64,
    /// The names and strips of all tensors, in order.
    tensors: Vec<(String, usize)>,
}

impl Header {
    /// The header of a net as it is.
    pub fn new(
        net: &mut Learner,
        settings: String,
        arithmetic: &str,
        steps: u64,
        point: Point,
    ) -> Header {
        Header {
            settings,
            arithmetic: arithmetic.to_owned(),
            steps,
            point,
            epoch_loss_bits: 0,
            parent: None,
            steps_before: 0,
            tensors: lengths(net),
        }
    }
}

fn lengths(net: &mut Learner) -> Vec<(String, usize)> {
    net.tensors()
        .into_iter()
        .flat_map(|(name, tensor)| {
            tensor
                .fields()
                .into_iter()
                .map(|(field, strips)| (format!("{name}, {field}"), strips.len()))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Writes a checkpoint; it appears when it is whole.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, net: &mut Learner, header: &Header) -> Result<(), CheckpointError> {
    let numbers = net
        .tensors()
        .into_iter()
        .flat_map(|(_, tensor)| tensor.fields())
        .map(|(_, strips)| bytemuck::cast_slice(&*strips));
    sealed::write(path, MAGIC, header, numbers)
}

/// Reads a checkpoint, after its hash was found right.
///
/// # Errors
/// If it cannot be read or is damaged.
pub fn open(path: &Path) -> Result<Checkpoint, CheckpointError> {
    let (header, numbers) = sealed::read(path, MAGIC)?;
    Ok(Checkpoint {
        path: path.to_owned(),
        header,
        numbers,
    })
}

/// A whole checkpoint in memory.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    /// What it says.
    pub header: Header,
    numbers: Vec<u8>,
}

impl Checkpoint {
    /// Gives its numbers to a net of the same shape.
    ///
    /// # Errors
    /// If the shapes differ.
    pub fn restore(&self, net: &mut Learner) -> Result<(), CheckpointError> {
        let expected = lengths(net);
        let strips: usize = expected.iter().map(|(_, strips)| strips).sum();
        if expected != self.header.tensors || self.numbers.len() != strips * size_of::<Strip>() {
            return Err(CheckpointError::Shape(self.path.clone()));
        }
        let mut numbers = &self.numbers[..];
        for (_, tensor) in net.tensors() {
            for (_, strips) in tensor.fields() {
                let bytes: &mut [u8] = bytemuck::cast_slice_mut(strips);
                let (own, rest) = numbers.split_at(bytes.len());
                bytes.copy_from_slice(own);
                numbers = rest;
            }
        }
        Ok(())
    }
}
