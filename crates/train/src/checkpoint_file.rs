//! Files that are used only if complete: eight bytes of magic, the length of a header, the header
//! as JSON, numbers, and a hash of everything before it.
//!
//! It must not know what the numbers mean.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const HASH_BYTES: usize = 32;
/// The maximum length of a header; a greater one means that the file is damaged.
const MOST_HEADER: usize = 1 << 20;

/// The first bytes of each kind of file.
pub(crate) type Magic = [u8; 8];

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
    /// It is not a checkpoint, or is incomplete.
    #[error("{} is not a valid checkpoint: {problem}; delete it to start over", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: &'static str,
    },
    /// It belongs to another net.
    #[error("{} has weights of another shape than this training; give another `out`", .0.display())]
    Shape(PathBuf),
}

/// Writes a file, which appears only when it is complete.
pub(crate) fn write<'a>(
    path: &Path,
    magic: &Magic,
    header: &impl Serialize,
    numbers: impl Iterator<Item = &'a [u8]>,
) -> Result<(), CheckpointError> {
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
        put(magic)?;
        put(&(text.len() as u64).to_le_bytes())?;
        put(&text)?;
        numbers.into_iter().try_for_each(&mut put)?;
        let hash = hasher.finalize();
        file.write_all(hash.as_bytes())
    })
    .map_err(wrong)
}

/// Reads the header and the numbers of a file after verifying its hash.
pub(crate) fn read<H: DeserializeOwned>(
    path: &Path,
    magic: &Magic,
) -> Result<(H, Vec<u8>), CheckpointError> {
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
        .filter(|&length| length >= magic.len() + 8)
        .ok_or(damaged("it is too short"))?;
    if &bytes[..magic.len()] != magic {
        return Err(damaged("it has another signature"));
    }
    if blake3::hash(&bytes[..whole]).as_bytes() != &bytes[whole..] {
        return Err(damaged("its hash does not match"));
    }
    let mut length = [0; 8];
    length.copy_from_slice(&bytes[magic.len()..][..8]);
    let begin = magic.len() + 8;
    let end = usize::try_from(u64::from_le_bytes(length))
        .ok()
        .filter(|&length| length <= MOST_HEADER)
        .and_then(|length| begin.checked_add(length))
        .filter(|&end| end <= whole)
        .ok_or(damaged("its header is too long"))?;
    let header = serde_json::from_slice(&bytes[begin..end])
        .map_err(|_| damaged("its header cannot be read"))?;
    Ok((header, bytes[end..whole].to_vec()))
}
