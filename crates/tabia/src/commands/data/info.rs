//! `tabia data info`: the contents of files in a few lines.

use super::counts::Count;
use super::inputs::{InputOptions, Inputs};
use crate::exit::Exit;
use crate::output::Output;
use clap::Args;
use data::shard::{GameFinder, Shard};
use serde::Serialize;
use std::fmt::{self, Display};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  tabia data info train.binpack
  tabia data info --json *.binpack | jq '.files[].positions'

Chains are runs of consecutive positions. Positions belong to one game as long
as the ply increases and the result stays the same. Marked positions are
stored only so that the next position can be encoded as a move; they are not
learned from.";

/// Show the format, size and number of positions, chains and games of files
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    #[command(flatten)]
    input: InputOptions,
}

/// The contents of a file.
#[derive(Default, Serialize)]
struct FileReport {
    file: String,
    format: String,
    bytes: u64,
    /// The number of pieces that can be read independently.
    chunks: u64,
    chains: u64,
    games: u64,
    positions: u64,
    marked: u64,
}

#[derive(Serialize)]
struct Report {
    files: Vec<FileReport>,
    seconds: f64,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let inputs = Inputs::open(&options.input, output)?;
    let mut files: Vec<FileReport> = Vec::new();
    let work = |reading: &mut data::shard::Reading<'_>, piece: u64| {
        let mut counted = FileReport::default();
        let mut games = GameFinder::default();
        reading.for_each(|position, begins_chain| {
            counted.positions += 1;
            counted.marked += u64::from(position.is_marked());
            counted.chains += u64::from(begins_chain);
            counted.games += u64::from(games.begins(position));
        });
        (piece >> 40, counted)
    };
    inputs.read(work, |(file, counted)| {
        while files.len() <= file as usize {
            files.push(described(&options.input.files[files.len()]));
        }
        if let Some(file) = files.last_mut() {
            file.add(&counted);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    drop(inputs);
    let seconds = begin.elapsed().as_secs_f64();
    output.report(&Report { files, seconds })?;
    Ok(Exit::Good)
}

fn described(path: &Path) -> FileReport {
    let format = match path == Path::new("-") {
        true => None,
        false => Shard::open(path)
            .ok()
            .map(|shard| shard.format().to_string()),
    };
    FileReport {
        file: path.display().to_string(),
        format: format.unwrap_or_default(),
        bytes: std::fs::metadata(path).map_or(0, |metadata| metadata.len()),
        ..FileReport::default()
    }
}

impl FileReport {
    fn add(&mut self, counted: &FileReport) {
        self.chunks += 1;
        self.chains += counted.chains;
        self.games += counted.games;
        self.positions += counted.positions;
        self.marked += counted.marked;
    }
}

impl Display for FileReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.file, self.format)?;
        for (name, count) in [
            ("bytes", self.bytes),
            ("chunks", self.chunks),
            ("chains", self.chains),
            ("games", self.games),
            ("positions", self.positions),
            ("marked", self.marked),
        ] {
            writeln!(f, "  {name:<18} {:>14}", Count(count))?;
        }
        let each = self.bytes as f64 / self.positions.max(1) as f64;
        writeln!(f, "  {:<18} {each:>14.2}", "bytes per position")
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            file.fmt(f)?;
        }
        let positions: u64 = self.files.iter().map(|file| file.positions).sum();
        let speed = (positions as f64 / self.seconds.max(1e-9)) as u64;
        writeln!(f, "{:<18} {:>14}", "positions/s", Count(speed))
    }
}
