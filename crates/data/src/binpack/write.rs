//! Writes chains into the chunks of a file.
//!
//! This module must not know the contents of chains.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Write},
    path::Path,
};

use super::{
    encode::Chains,
    read::{BinpackError, ChunkPlace, HEADER, MAGIC, scan},
};
use crate::pgn::SourceError;

/// A chunk ends with the first chain that reaches this many bytes, as in other writers.
pub const SUGGESTED_CHUNK: usize = 1 << 20;

/// Collects chains into chunks and writes these to a stream.
///
/// [`ChunkWriter::finish`] writes the last, incomplete chunk.
#[derive(Debug)]
pub struct ChunkWriter<W> {
    output: W,
    /// The header and the chains of the current chunk.
    chunk: Vec<u8>,
}

impl<W: Write> ChunkWriter<W> {
    /// A writer of chunks.
    pub fn new(output: W) -> Self {
        Self {
            output,
            chunk: vec![0; HEADER],
        }
    }

    /// Adds chains.
    pub fn add(&mut self, chains: &Chains) -> io::Result<()> {
        chains.iter().try_for_each(|chain| self.add_bytes(chain))
    }

    /// Adds the bytes of whole chains.
    pub fn add_bytes(&mut self, chains: &[u8]) -> io::Result<()> {
        if self.chunk.len() - HEADER >= SUGGESTED_CHUNK {
            self.write_chunk()?;
        }
        self.chunk.extend(chains);
        Ok(())
    }

    /// Writes the last chunk and returns the stream.
    pub fn finish(mut self) -> io::Result<W> {
        if self.chunk.len() > HEADER {
            self.write_chunk()?;
        }
        self.output.flush()?;
        Ok(self.output)
    }

    fn write_chunk(&mut self) -> io::Result<()> {
        fill_header(&mut self.chunk)?;
        self.output.write_all(&self.chunk)?;
        self.chunk.truncate(HEADER);
        Ok(())
    }
}

/// Writes the header of a chunk into its first bytes.
fn fill_header(chunk: &mut [u8]) -> io::Result<()> {
    let length = u32::try_from(chunk.len() - HEADER).map_err(io::Error::other)?;
    chunk[..4].copy_from_slice(MAGIC);
    chunk[4..HEADER].copy_from_slice(&length.to_le_bytes());
    Ok(())
}

/// Appends whole chunks to a file and syncs each, so that a kill at any moment
/// loses at most the chunk that was being written.
#[derive(Debug)]
pub struct Appender {
    file: File,
    chunks: Vec<ChunkPlace>,
}

impl Appender {
    /// Opens a file, or creates it, and locks it against other processes. A last chunk that a
    /// kill left incomplete is cut off.
    pub fn open(path: &Path) -> Result<Self, BinpackError> {
        let failed = |error| {
            let path = path.to_owned();
            BinpackError::Source(SourceError::Open { path, error })
        };
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => BinpackError::InUse(path.to_owned()),
            TryLockError::Error(error) => failed(error),
        })?;
        let (chunks, outcome) = scan(path, &file);
        match outcome {
            Ok(()) => {}
            Err(BinpackError::Torn { offset, .. }) => file.set_len(offset).map_err(failed)?,
            Err(error) => return Err(error),
        }
        Ok(Self { file, chunks })
    }

    /// The chunks in the file.
    pub fn chunks(&self) -> &[ChunkPlace] {
        &self.chunks
    }

    /// Keeps only the first `chunks` chunks.
    pub fn truncate(&mut self, chunks: usize) -> io::Result<()> {
        self.chunks.truncate(chunks);
        let end = self.chunks.last().map_or(0, ChunkPlace::end);
        self.file.set_len(end)?;
        self.file.sync_data()
    }

    /// Appends a chunk of whole chains, and returns when it is on disk.
    pub fn append(&mut self, chains: &[u8]) -> io::Result<()> {
        let mut chunk = vec![0; HEADER];
        chunk.extend(chains);
        fill_header(&mut chunk)?;
        let end = self.chunks.last().map_or(0, ChunkPlace::end);
        let written = self.file.write_all(&chunk);
        if let Err(error) = written.and_then(|()| self.file.sync_data()) {
            // Part of it may have been written, and must not precede the next chunk.
            let _ = self.file.set_len(end);
            return Err(error);
        }
        self.chunks.push(ChunkPlace {
            offset: end + HEADER as u64,
            length: chains.len() as u32,
        });
        Ok(())
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
