//! Writes game files: plain, gzip or zstd by their names, under which they do not appear
//! before they are complete.
//!
//! This module must not know games.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use crate::file;
use flate2::{Compression, write::GzEncoder};
use tempfile::NamedTempFile;

/// The level of zstd: the strongest that keeps up with reading.
const ZSTD_LEVEL: i32 = 3;

/// A file that gets its name when it is finished, and is removed if it is not.
pub(super) struct OutputFile {
    path: PathBuf,
    file: NamedTempFile,
    /// Compression needs much memory, so it can be suspended and started again; the
    /// parts form one file.
    encoder: Option<Encoder>,
}

enum Encoder {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    Zstd(zstd::Encoder<'static, BufWriter<File>>),
}

impl OutputFile {
    /// Begins a file in its final folder.
    pub(super) fn create(path: PathBuf) -> io::Result<Self> {
        Ok(Self {
            file: file::begin(&path)?,
            path,
            encoder: None,
        })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let encoder = match &mut self.encoder {
            Some(encoder) => encoder,
            None => self
                .encoder
                .insert(Encoder::new(&self.path, self.file.as_file())?),
        };
        match encoder {
            Encoder::Plain(writer) => writer.write_all(bytes),
            Encoder::Gzip(writer) => writer.write_all(bytes),
            Encoder::Zstd(writer) => writer.write_all(bytes),
        }
    }

    /// Whether it holds memory for compression.
    pub(super) fn is_active(&self) -> bool {
        self.encoder.is_some()
    }

    /// Suspends compression and frees its memory.
    pub(super) fn rest(&mut self) -> io::Result<()> {
        self.encoder.take().map_or(Ok(()), Encoder::finish)
    }

    /// Completes the file and gives it its name.
    pub(super) fn finish(mut self) -> io::Result<PathBuf> {
        if !self.is_active() {
            // A compressed file without games must still be a valid compressed file.
            self.write(b"")?;
        }
        self.rest()?;
        file::finish(self.file, &self.path)?;
        Ok(self.path)
    }
}

impl Encoder {
    fn new(path: &Path, file: &File) -> io::Result<Self> {
        let writer = BufWriter::with_capacity(1 << 16, file.try_clone()?);
        Ok(
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("gz") => Encoder::Gzip(GzEncoder::new(writer, Compression::default())),
                Some("zst") => {
                    let mut encoder = zstd::Encoder::new(writer, ZSTD_LEVEL)?;
                    encoder.include_checksum(true)?;
                    Encoder::Zstd(encoder)
                }
                _ => Encoder::Plain(writer),
            },
        )
    }

    fn finish(self) -> io::Result<()> {
        let mut writer = match self {
            Encoder::Plain(writer) => writer,
            Encoder::Gzip(encoder) => encoder.finish()?,
            Encoder::Zstd(encoder) => encoder.finish()?,
        };
        writer.flush()
    }
}
