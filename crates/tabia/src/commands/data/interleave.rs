//! `tabia data interleave`: mixes files chunk by chunk.

use super::counts::Count;
use crate::exit::{Exit, Interrupted, WrongInput};
use crate::interruption;
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use data::arrange::{InterleaveError, interleave};
use data::binpack::BinpackError;
use data::pgn::SourceError;
use serde::Serialize;
use std::fmt::{self, Display};
use std::ops::ControlFlow;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia data interleave a.binpack b.binpack c.binpack -o all.binpack --seed 1

The chunks of each file keep their order and their bytes; the next chunk is
taken from a random file, with a probability proportional to what is left of
it. This is as fast as copying. To shuffle games, use `tabia data shuffle`.";

/// Mix binpack files chunk by chunk
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// The binpack files, uncompressed
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Random seed of the order
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let bytes = checked_size(options)?;
    let progress = Progress::new(output, bytes, "bytes");
    let outcome = interleave(&options.files, &options.out, options.seed, |copied| {
        progress.advance(copied);
        match interruption::requested() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    drop(progress);
    let chunks = outcome.map_err(described)?;
    output.report(&Report {
        files: options.files.len(),
        chunks,
        bytes,
        file: options.out.display().to_string(),
    })?;
    Ok(Exit::Good)
}

/// The total size of the files; refuses those that cannot be used.
fn checked_size(options: &Options) -> Result<u64, WrongInput> {
    let output = options.out.canonicalize().ok();
    let mut bytes = 0;
    for path in &options.files {
        let name = path.display();
        let metadata = std::fs::metadata(path)
            .map_err(|error| WrongInput::new(format!("cannot open {name}: {error}")))?;
        if output.is_some() && path.canonicalize().ok() == output {
            return Err(WrongInput::new(format!(
                "{name} is both input and output; give the output another name"
            )));
        }
        bytes += metadata.len();
    }
    Ok(bytes)
}

fn described(error: InterleaveError) -> anyhow::Error {
    match error {
        InterleaveError::Stopped => Interrupted.into(),
        InterleaveError::Binpack(BinpackError::NoChunk { path, offset: 0 }) => {
            let words = format!(
                "{} is not a binpack file; convert it with `tabia data convert`",
                path.display()
            );
            WrongInput::new(words).into()
        }
        InterleaveError::Binpack(BinpackError::Source(SourceError::Open { .. })) => {
            WrongInput::new(error.to_string()).into()
        }
        other => other.into(),
    }
}

#[derive(Serialize)]
struct Report {
    files: usize,
    chunks: u64,
    bytes: u64,
    file: String,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "files   {}", self.files)?;
        writeln!(f, "chunks  {}", Count(self.chunks))?;
        writeln!(f, "bytes   {}", Count(self.bytes))?;
        writeln!(f, "file    {}", self.file)
    }
}
