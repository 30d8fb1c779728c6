//! Output files of positions.

use crate::exit::WrongInput;
use anyhow::Context;
use data::shard::{Encoded, Format, ShardWriter};
use serde::Serialize;
use std::path::Path;

/// A file that is being written.
pub(super) struct Written(ShardWriter);

/// A file that was written.
#[derive(Serialize)]
pub(super) struct WrittenReport {
    pub(super) file: String,
    pub(super) positions: u64,
    pub(super) bytes: u64,
}

/// The format of an output file, by its name.
pub(super) fn format_of(path: &Path) -> Result<Format, WrongInput> {
    Format::of_name(path).map_err(|error| WrongInput::new(error.to_string()))
}

impl Written {
    pub(super) fn begin(path: &Path, format: Format) -> anyhow::Result<Self> {
        ShardWriter::begin(path, format)
            .map(Self)
            .with_context(|| cannot_write(path))
    }

    pub(super) fn add(&mut self, encoded: &Encoded) -> anyhow::Result<()> {
        let outcome = self.0.add(encoded);
        outcome.with_context(|| cannot_write(self.0.path()))
    }

    /// Moves the file to its final name; returns its contents for the report.
    pub(super) fn finish(self) -> anyhow::Result<WrittenReport> {
        let path = self.0.path().to_owned();
        let positions = self.0.positions();
        self.0.finish().with_context(|| cannot_write(&path))?;
        let bytes = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
        Ok(WrittenReport {
            file: path.display().to_string(),
            positions,
            bytes,
        })
    }
}

pub(super) fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
