//! Writes files of positions, which appear only when they are complete.

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::format::Format;
use crate::{
    binpack::{Chains, ChunkWriter, EncodeError, Encoder},
    file, plain,
    position::Position,
};

/// Encodes positions in memory, so that several threads can do so at once.
#[derive(Debug)]
pub enum ShardEncoder {
    /// For a binpack.
    Binpack(Box<Encoder>),
    /// For plain text, with the number of positions.
    Plain(String, u64),
}

/// Positions encoded for a file.
#[derive(Clone, Debug)]
pub enum Encoded {
    /// For a binpack.
    Binpack(Chains),
    /// For plain text, with the number of positions.
    Plain(String, u64),
}

impl ShardEncoder {
    /// An encoder for a format. Positions cannot be written as games, so PGN becomes
    /// plain text.
    pub fn new(format: Format) -> Self {
        match format {
            Format::Binpack => ShardEncoder::Binpack(Box::default()),
            Format::Plain | Format::Pgn => ShardEncoder::Plain(String::new(), 0),
        }
    }

    /// Adds a position. One that cannot be encoded is left out.
    pub fn push(&mut self, position: &Position) -> Result<(), EncodeError> {
        match self {
            ShardEncoder::Binpack(encoder) => encoder.push(position),
            ShardEncoder::Plain(text, positions) => {
                plain::write(position, text);
                *positions += 1;
                Ok(())
            }
        }
    }

    /// Returns all positions since the last call.
    pub fn finish(&mut self) -> Encoded {
        match self {
            ShardEncoder::Binpack(encoder) => Encoded::Binpack(std::mem::take(encoder.finish())),
            ShardEncoder::Plain(text, positions) => {
                Encoded::Plain(std::mem::take(text), std::mem::take(positions))
            }
        }
    }
}

impl Encoded {
    /// How many positions it has.
    pub fn positions(&self) -> u64 {
        match self {
            Encoded::Binpack(chains) => chains.positions(),
            Encoded::Plain(_, positions) => *positions,
        }
    }
}

/// A file that is being written.
#[derive(Debug)]
pub struct ShardWriter {
    path: PathBuf,
    output: Output,
    positions: u64,
}

#[derive(Debug)]
enum Output {
    Binpack(ChunkWriter<BufWriter<NamedTempFile>>),
    Plain(BufWriter<NamedTempFile>),
}

impl ShardWriter {
    /// Begins a file, which appears under its name when it is finished.
    pub fn begin(path: &Path, format: Format) -> io::Result<Self> {
        let file = BufWriter::new(file::begin(path)?);
        Ok(Self {
            path: path.to_owned(),
            output: match format {
                Format::Binpack => Output::Binpack(ChunkWriter::new(file)),
                Format::Plain | Format::Pgn => Output::Plain(file),
            },
            positions: 0,
        })
    }

    /// Adds positions that were encoded for the same format.
    pub fn add(&mut self, encoded: &Encoded) -> io::Result<()> {
        self.positions += encoded.positions();
        match (&mut self.output, encoded) {
            (Output::Binpack(writer), Encoded::Binpack(chains)) => writer.add(chains),
            (Output::Plain(writer), Encoded::Plain(text, _)) => writer.write_all(text.as_bytes()),
            _ => Err(io::Error::other("positions of another format")),
        }
    }

    /// The final path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many positions were added.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Completes the file and gives it its name.
    pub fn finish(self) -> io::Result<()> {
        let buffered = match self.output {
            Output::Binpack(writer) => writer.finish()?,
            Output::Plain(writer) => writer,
        };
        let file = buffered
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file::finish(file, &self.path)
    }
}
