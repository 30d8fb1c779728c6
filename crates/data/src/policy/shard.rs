//! The file format of shards of policy records.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `TABIAPVS` |
//! | 4 | version, 1 |
//! | | blocks; the last one has no records, but the number of all records |
//!
//! | bytes | of a block |
//! |---|---|
//! | 4 | length of its records |
//! | 4 | how many there are |
//! | | the records |
//! | 32 | BLAKE3 of the block before it |
//!
//! Numbers are little-endian. A file appears under its name only when it is complete, and
//! every block is checked before it is used.

use super::record::{PolicyRecord, RecordError};
use crate::file;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const MAGIC: &[u8; 8] = b"TABIAPVS";
const VERSION: u32 = 1;
/// A block ends when its records reach this many bytes.
const BLOCK: usize = 1 << 18;
/// The most bytes of a block: a larger length means damage.
const MOST_BLOCK: usize = 1 << 24;
const HASH: usize = blake3::OUT_LEN;

/// Why a shard cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PolicyShardError {
    /// It cannot be opened or read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is something else.
    #[error("{} is not a policy shard: it does not begin with TABIAPVS", .0.display())]
    Foreign(PathBuf),
    /// It has another version.
    #[error("{} has version {found}, but this program reads {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// A block is damaged.
    #[error("{} is damaged in the block at byte {offset}: {problem}", path.display())]
    Block {
        /// The file.
        path: PathBuf,
        /// Where the block begins.
        offset: u64,
        /// What is wrong.
        problem: &'static str,
    },
    /// A record is invalid.
    #[error("{}: record {number} in the block at byte {offset}: {problem}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Where the block begins.
        offset: u64,
        /// Which one it is, from 1.
        number: usize,
        /// What is wrong.
        problem: RecordError,
    },
}

/// A shard that is being written.
#[derive(Debug)]
pub struct PolicyWriter {
    path: PathBuf,
    output: BufWriter<NamedTempFile>,
    block: Vec<u8>,
    in_block: u32,
    records: u64,
}

impl PolicyWriter {
    /// Begins a file, which appears under its name when it is finished.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(path: &Path) -> io::Result<PolicyWriter> {
        let mut output = BufWriter::new(file::begin(path)?);
        output.write_all(MAGIC)?;
        output.write_all(&VERSION.to_le_bytes())?;
        Ok(PolicyWriter {
            path: path.to_owned(),
            output,
            block: Vec::new(),
            in_block: 0,
            records: 0,
        })
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, record: &PolicyRecord) -> io::Result<()> {
        record.write(&mut self.block);
        self.in_block += 1;
        self.records += 1;
        match self.block.len() >= BLOCK {
            true => self.close_block(),
            false => Ok(()),
        }
    }

    fn close_block(&mut self) -> io::Result<()> {
        let mut head = (self.block.len() as u32).to_le_bytes().to_vec();
        head.extend(std::mem::take(&mut self.in_block).to_le_bytes());
        let mut hasher = blake3::Hasher::new();
        for bytes in [&head, &self.block] {
            hasher.update(bytes);
            self.output.write_all(bytes)?;
        }
        self.block.clear();
        self.output.write_all(hasher.finalize().as_bytes())
    }

    /// How many records were added.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        if self.in_block > 0 {
            self.close_block()?;
        }
        self.block.extend(self.records.to_le_bytes());
        self.close_block()?;
        let whole = self.output.into_inner();
        file::finish(whole.map_err(io::IntoInnerError::into_error)?, &self.path)
    }
}

/// A shard that is being read.
#[derive(Debug)]
pub struct PolicyReader {
    path: PathBuf,
    input: BufReader<File>,
    offset: u64,
    records: u64,
    is_over: bool,
}

impl PolicyReader {
    /// Opens a shard.
    ///
    /// # Errors
    /// If it cannot be read, or is not a policy shard.
    pub fn open(path: &Path) -> Result<PolicyReader, PolicyShardError> {
        let failed = |error| PolicyShardError::Read {
            path: path.to_owned(),
            error,
        };
        let mut input = BufReader::new(File::open(path).map_err(failed)?);
        let mut start = [0; 12];
        let [magic, version] = match input.read_exact(&mut start) {
            Ok(()) => [&start[..8], &start[8..]],
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => [&[][..], &[]],
            Err(error) => return Err(failed(error)),
        };
        if magic != MAGIC {
            return Err(PolicyShardError::Foreign(path.to_owned()));
        }
        let found = version
            .iter()
            .rev()
            .fold(0, |sum, &byte| sum << 8 | u32::from(byte));
        if found != VERSION {
            let path = path.to_owned();
            return Err(PolicyShardError::Version { path, found });
        }
        Ok(PolicyReader {
            path: path.to_owned(),
            input,
            offset: 12,
            records: 0,
            is_over: false,
        })
    }

    /// The records of the next block; `None` at the end of the file.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn next_block(&mut self) -> Result<Option<Vec<PolicyRecord>>, PolicyShardError> {
        if self.is_over {
            return Ok(None);
        }
        let (payload, count) = self.read_block()?;
        if count == 0 {
            self.is_over = true;
            return match payload == self.records.to_le_bytes() {
                true => self.check_end(payload.len()),
                false => Err(self.damaged("the file has lost records")),
            };
        }
        let mut rest = &payload[..];
        let mut records = Vec::with_capacity(count.min(rest.len()));
        for number in 1..=count {
            let record = PolicyRecord::read(&mut rest);
            records.push(record.map_err(|problem| PolicyShardError::Record {
                path: self.path.clone(),
                offset: self.offset,
                number,
                problem,
            })?);
        }
        if !rest.is_empty() {
            return Err(self.damaged("there are extra bytes after its records"));
        }
        self.records += count as u64;
        self.offset += (8 + payload.len() + HASH) as u64;
        Ok(Some(records))
    }

    fn check_end(&mut self, length: usize) -> Result<Option<Vec<PolicyRecord>>, PolicyShardError> {
        self.offset += (8 + length + HASH) as u64;
        match self.input.read(&mut [0]) {
            Ok(0) => Ok(None),
            Ok(_) => Err(self.damaged("the file continues after its end")),
            Err(error) => Err(self.failed(error)),
        }
    }

    fn read_block(&mut self) -> Result<(Vec<u8>, usize), PolicyShardError> {
        let mut head = [0; 8];
        self.fill(&mut head)?;
        let word =
            |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| head[at + byte])) as usize;
        let (length, count) = (word(0), word(4));
        if length > MOST_BLOCK {
            return Err(self.damaged("its length is invalid"));
        }
        let mut payload = vec![0; length];
        self.fill(&mut payload)?;
        let mut hash = [0; HASH];
        self.fill(&mut hash)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&head).update(&payload);
        match hasher.finalize().as_bytes() == &hash {
            true => Ok((payload, count)),
            false => Err(self.damaged("its checksum is wrong")),
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), PolicyShardError> {
        match self.input.read_exact(bytes) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(self.damaged("the file is truncated"))
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    fn failed(&self, error: io::Error) -> PolicyShardError {
        PolicyShardError::Read {
            path: self.path.clone(),
            error,
        }
    }

    fn damaged(&self, problem: &'static str) -> PolicyShardError {
        PolicyShardError::Block {
            path: self.path.clone(),
            offset: self.offset,
            problem,
        }
    }
}
