//! Interleaves files chunk by chunk, without looking into the chunks.

use std::{
    fs::File,
    io::{self, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use crate::{
    binpack::{self, BinpackError, ChunkPlace},
    file,
    pgn::SourceError,
    random::{self, Generator},
};

/// Why files cannot be interleaved.
#[derive(Debug, thiserror::Error)]
pub enum InterleaveError {
    /// A file cannot be read.
    #[error(transparent)]
    Binpack(#[from] BinpackError),
    /// The new file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// `follow` stopped it.
    #[error("stopped")]
    Stopped,
}

/// A file and its remaining chunks.
struct Rest {
    path: PathBuf,
    file: File,
    /// The remaining chunks, the last one first.
    chunks: Vec<ChunkPlace>,
    bytes: u64,
}

/// Writes the chunks of some binpack files into one and returns their number. The
/// chunks of each file keep their order; the file of the next chunk is chosen at
/// random, in proportion to what is left of each. `follow` is called with the number
/// of bytes copied so far, and may stop.
pub fn interleave(
    inputs: &[PathBuf],
    output: &Path,
    seed: u64,
    follow: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<u64, InterleaveError> {
    let rests = inputs
        .iter()
        .map(|path| open(path))
        .collect::<Result<Vec<Rest>, BinpackError>>()?;
    let mut mixer = Mixer {
        rests,
        generator: random::generator(seed, 0),
        chunks: 0,
        follow,
    };
    let outcome = file::write_with(output, |writer| mixer.write(writer));
    match outcome {
        Ok(()) => Ok(mixer.chunks),
        Err(WriteError::Other(error)) => Err(error),
        Err(WriteError::Io(error)) => Err(InterleaveError::Write {
            path: output.to_owned(),
            error,
        }),
    }
}

struct Mixer<F> {
    rests: Vec<Rest>,
    generator: Generator,
    /// How many chunks were written.
    chunks: u64,
    follow: F,
}

impl<F: FnMut(u64) -> ControlFlow<()>> Mixer<F> {
    fn write(&mut self, writer: &mut dyn Write) -> Result<(), WriteError> {
        let mut buffer = Vec::new();
        while let Some((chosen, chunk)) = self.choose() {
            self.rests[chosen].read(chunk, &mut buffer)?;
            writer.write_all(b"BINP")?;
            writer.write_all(&chunk.length.to_le_bytes())?;
            writer.write_all(&buffer)?;
            self.chunks += 1;
            if (self.follow)(u64::from(chunk.length)).is_break() {
                return Err(WriteError::Other(InterleaveError::Stopped));
            }
        }
        Ok(())
    }

    /// Chooses the file of the next chunk, and takes the chunk.
    fn choose(&mut self) -> Option<(usize, ChunkPlace)> {
        let left = self.rests.iter().map(|rest| rest.bytes).sum();
        if left == 0 {
            return None;
        }
        let mut place = random::below(&mut self.generator, left);
        let chosen = self.rests.iter().position(|rest| {
            let is_here = place < rest.bytes;
            place = place.saturating_sub(rest.bytes);
            is_here
        })?;
        let rest = &mut self.rests[chosen];
        let chunk = rest.chunks.pop()?;
        rest.bytes -= u64::from(chunk.length);
        Some((chosen, chunk))
    }
}

/// Why a file could not be written.
enum WriteError {
    Io(io::Error),
    Other(InterleaveError),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        WriteError::Io(error)
    }
}

fn open(path: &Path) -> Result<Rest, BinpackError> {
    let file = File::open(path).map_err(|error| SourceError::Open {
        path: path.to_owned(),
        error,
    })?;
    let (mut chunks, outcome) = binpack::scan(path, &file);
    outcome?;
    chunks.retain(|chunk| chunk.length > 0);
    chunks.reverse();
    Ok(Rest {
        path: path.to_owned(),
        file,
        bytes: chunks.iter().map(|chunk| u64::from(chunk.length)).sum(),
        chunks,
    })
}

impl Rest {
    fn read(&self, chunk: ChunkPlace, buffer: &mut Vec<u8>) -> Result<(), WriteError> {
        let failed = |error| {
            let (path, offset) = (self.path.clone(), chunk.offset);
            let error = SourceError::Read {
                path,
                offset,
                error,
            };
            WriteError::Other(InterleaveError::Binpack(error.into()))
        };
        binpack::read_chunk(&self.file, chunk, buffer).map_err(failed)
    }
}
