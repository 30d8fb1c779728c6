//! The chunks of a file: read one after another from a stream, or located first and
//! then read in any order.
//!
//! This module must not know the contents of chunks.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use crate::file::read_exact_at;
use crate::pgn::{Source, SourceError};

/// The signature at the beginning of a chunk.
pub(super) const MAGIC: &[u8; 4] = b"BINP";
/// The number of bytes of signature and length.
pub(super) const HEADER: usize = 8;
/// The most bytes of a chunk; no writer makes longer ones.
const LONGEST: u64 = 100 << 20;

/// Why the chunks of a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BinpackError {
    /// The file cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Another process is writing it.
    #[error("{}: another process is writing this file", .0.display())]
    InUse(PathBuf),
    /// No chunk begins where one should.
    #[error("{} is damaged at byte {offset}: no chunk begins there; the {offset} bytes before it \
        are intact", path.display())]
    NoChunk {
        /// The file.
        path: PathBuf,
        /// Where.
        offset: u64,
    },
    /// The file ends within a chunk.
    #[error(
        "{} is truncated in the chunk at byte {offset}, which lacks {missing} bytes; the {offset} \
         bytes before it are intact",
        path.display()
    )]
    Torn {
        /// The file.
        path: PathBuf,
        /// Where the chunk begins.
        offset: u64,
        /// How many bytes of it are missing.
        missing: u64,
    },
    /// A chunk claims to be longer than the maximum.
    #[error("{} is damaged at byte {offset}: a chunk of {length} bytes exceeds the maximum", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// Where the chunk begins.
        offset: u64,
        /// The length that it claims.
        length: u64,
    },
}

/// A chunk.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// Its chains.
    pub payload: Vec<u8>,
    /// Where the chains begin in the file.
    pub offset: u64,
}

/// Reads the chunks of a stream one after another.
pub struct ChunkReader {
    source: Source,
    header: Vec<u8>,
    offset: u64,
}

impl ChunkReader {
    /// A reader of the chunks of a file.
    pub fn new(source: Source) -> Self {
        Self {
            source,
            header: Vec::with_capacity(HEADER),
            offset: 0,
        }
    }

    /// The file.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Reads the next chunk; false if there is none.
    pub fn next(&mut self, chunk: &mut Chunk) -> Result<bool, BinpackError> {
        self.header.clear();
        self.source.read_into(&mut self.header, HEADER)?;
        if self.header.is_empty() {
            return Ok(false);
        }
        let place = Place {
            path: self.source.path(),
            offset: self.offset,
        };
        let length = place.length(&self.header)?;
        chunk.payload.clear();
        let count = self.source.read_into(&mut chunk.payload, length as usize)?;
        if (count as u64) < length {
            return Err(Place {
                path: self.source.path(),
                offset: self.offset,
            }
            .torn(length - count as u64));
        }
        chunk.offset = self.offset + HEADER as u64;
        self.offset = chunk.offset + length;
        Ok(true)
    }
}

/// A place in a file where a chunk should begin.
struct Place<'a> {
    path: &'a Path,
    offset: u64,
}

impl Place<'_> {
    /// The length in a header, of which the file may have only a part.
    fn length(&self, header: &[u8]) -> Result<u64, BinpackError> {
        let (path, offset) = (self.path.to_owned(), self.offset);
        let magic = &MAGIC[..header.len().min(MAGIC.len())];
        if !header.starts_with(magic) {
            return Err(BinpackError::NoChunk { path, offset });
        }
        let Some(&[_, _, _, _, a, b, c, d]) = header.get(..HEADER) else {
            return Err(self.torn((HEADER - header.len()) as u64));
        };
        let length = u64::from(u32::from_le_bytes([a, b, c, d]));
        if length > LONGEST {
            return Err(BinpackError::TooLong {
                path,
                offset,
                length,
            });
        }
        Ok(length)
    }

    fn torn(&self, missing: u64) -> BinpackError {
        BinpackError::Torn {
            path: self.path.to_owned(),
            offset: self.offset,
            missing,
        }
    }
}

/// The place of a chunk in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkPlace {
    /// Where its chains begin.
    pub offset: u64,
    /// How long they are.
    pub length: u32,
}

impl ChunkPlace {
    /// Where the chunk ends.
    pub fn end(&self) -> u64 {
        self.offset + u64::from(self.length)
    }
}

/// Finds the chunks of an uncompressed file. If it is truncated or damaged, it returns
/// an error in addition to the chunks before that point.
pub fn scan(path: &Path, file: &File) -> (Vec<ChunkPlace>, Result<(), BinpackError>) {
    let mut places = Vec::new();
    let outcome = scan_into(path, file, &mut places);
    (places, outcome)
}

fn scan_into(path: &Path, file: &File, places: &mut Vec<ChunkPlace>) -> Result<(), BinpackError> {
    let mut offset = 0;
    let failed = |offset, error| SourceError::Read {
        path: path.to_owned(),
        offset,
        error,
    };
    let size = file.metadata().map_err(|error| failed(0, error))?.len();
    while offset < size {
        let place = Place { path, offset };
        let mut header = [0; HEADER];
        let count = (size - offset).min(HEADER as u64) as usize;
        read_exact_at(file, &mut header[..count], offset).map_err(|error| failed(offset, error))?;
        let length = place.length(&header[..count])?;
        let start = offset + HEADER as u64;
        if start + length > size {
            return Err(place.torn(start + length - size));
        }
        places.push(ChunkPlace {
            offset: start,
            length: length as u32,
        });
        offset = start + length;
    }
    Ok(())
}

/// Reads the chains of one chunk.
pub fn read_chunk(file: &File, place: ChunkPlace, payload: &mut Vec<u8>) -> io::Result<()> {
    payload.resize(place.length as usize, 0);
    read_exact_at(file, payload, place.offset)
}
