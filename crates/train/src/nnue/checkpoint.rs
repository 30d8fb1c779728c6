//! Everything a training needs to go on, in one file.
//!
//! Eight bytes of magic, the length of a header, the header as JSON, all numbers
//! of all tensors, and a hash of everything before it. A file that is not whole
//! is never used.

use super::lanes::Strip;
use super::net::Learner;
use data::loader::Point;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"TABIACP1";
const HASH_BYTES: usize = 32;
/// No header is longer: a length beyond this is damage.
const MOST_HEADER: usize = 1 << 20;

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
    /// The hash of the net with which the training began.
    pub parent: Option<String>,
    /// The names and strips of all tensors, in order.
    tensors: Vec<(String, usize)>,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It cannot be read.
    #[error("cannot read the checkpoint {}: {cause}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// It cannot be written.
    #[error("cannot write the checkpoint {}: {cause}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// It is none, or not whole.
    #[error("{} is no whole checkpoint: {problem}; delete it to begin anew", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: &'static str,
    },
    /// It belongs to another net.
    #[error("{} has other weights than the shape of this training; give another `out`", .0.display())]
    Shape(PathBuf),
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
    let wrong = |cause| CheckpointError::Write {
        path: path.to_owned(),
        cause,
    };
    let text = serde_json::to_vec(header).map_err(|error| wrong(error.into()))?;
    data::file::write_with(path, |file| -> io::Result<()> {
        let mut hasher = blake3::Hasher::new();
        let mut put = |bytes: &[u8]| {
            hasher.update(bytes);
            file.write_all(bytes)
        };
        put(MAGIC)?;
        put(&(text.len() as u64).to_le_bytes())?;
        put(&text)?;
        for (_, tensor) in net.tensors() {
            for (_, strips) in tensor.fields() {
                put(bytemuck::cast_slice(strips))?;
            }
        }
        let hash = hasher.finalize();
        file.write_all(hash.as_bytes())
    })
    .map_err(wrong)
}

/// Reads the header of a checkpoint, after its hash was found right.
///
/// # Errors
/// If it cannot be read or is damaged.
pub fn open(path: &Path) -> Result<Checkpoint, CheckpointError> {
    let bytes = fs::read(path).map_err(|cause| CheckpointError::Read {
        path: path.to_owned(),
        cause,
    })?;
    let damaged = |problem| CheckpointError::Damaged {
        path: path.to_owned(),
        problem,
    };
    let whole = bytes
        .len()
        .checked_sub(HASH_BYTES)
        .filter(|&length| length >= MAGIC.len() + 8)
        .ok_or(damaged("it is too short"))?;
    if &bytes[..MAGIC.len()] != MAGIC {
        return Err(damaged("it begins with something else"));
    }
    if blake3::hash(&bytes[..whole]).as_bytes() != &bytes[whole..] {
        return Err(damaged("its hash is wrong"));
    }
    let mut length = [0; 8];
    length.copy_from_slice(&bytes[MAGIC.len()..][..8]);
    let begin = MAGIC.len() + 8;
    let end = usize::try_from(u64::from_le_bytes(length))
        .ok()
        .filter(|&length| length <= MOST_HEADER)
        .and_then(|length| begin.checked_add(length))
        .filter(|&end| end <= whole)
        .ok_or(damaged("its header is too long"))?;
    let header = serde_json::from_slice(&bytes[begin..end])
        .map_err(|_| damaged("its header cannot be read"))?;
    Ok(Checkpoint {
        path: path.to_owned(),
        header,
        numbers: bytes[end..whole].to_vec(),
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
