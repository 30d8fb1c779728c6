//! `tabia data shuffle`: puts games into random order, also more than fit in memory.

use super::counts::Count;
use super::inputs::{InputOptions, Inputs};
use super::written::{cannot_write, format_of};
use crate::exit::{Exit, WrongInput};
use crate::output::Output;
use anyhow::Context;
use clap::Args;
use data::arrange::Shuffler;
use data::binpack::{ChunkWriter, EncodeError, Encoder};
use data::shard::{Format, GameFinder, Reading};
use serde::Serialize;
use std::fmt::{self, Display};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  tabia data shuffle train.binpack -o shuffled.binpack --seed 1
  tabia data shuffle *.binpack -o all.binpack --memory 4096

Games are shuffled as a whole, so that chains stay long and `tabia data split`
can still separate games; the data loader of a training shuffles positions
itself. Every order of games is equally likely. It depends on the seed, the
files and --memory, not on the number of threads. Files larger than the memory
temporarily need their size again in disk space.";

/// Shuffle games
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    #[command(flatten)]
    input: InputOptions,
    /// The binpack file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Random seed of the order
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Memory for games, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    if format_of(&options.out)? != Format::Binpack {
        let words = "the output format is binpack; end the name with .binpack";
        return Err(WrongInput::new(words).into());
    }
    let inputs = Inputs::open(&options.input, output)?;
    inputs.refuse(&options.out)?;
    let folder = match options.out.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let context = || cannot_write(&options.out);
    // Half of it, because games in memory have some overhead.
    let memory = options.memory << 19;
    let mut shuffler =
        Shuffler::new(folder, options.seed, inputs.bytes, memory).with_context(context)?;
    let mut counted = Counted::default();
    inputs.read(
        |reading, _| games(reading),
        |games| {
            let games = games?;
            counted.positions += games.positions;
            counted.games += games.list.len() as u64;
            let added = games.list.iter().try_for_each(|game| shuffler.add(game));
            added.with_context(context)?;
            Ok(ControlFlow::Continue(()))
        },
    )?;
    drop(inputs);
    let written = data::file::write_with(&options.out, |file| -> io::Result<()> {
        let mut writer = ChunkWriter::new(file);
        shuffler.finish(|game| writer.add_bytes(game))?;
        writer.finish().map(drop)
    });
    written.with_context(context)?;
    output.report(&Report {
        games: counted.games,
        positions: counted.positions,
        file: options.out.display().to_string(),
    })?;
    Ok(Exit::Good)
}

#[derive(Default)]
struct Counted {
    games: u64,
    positions: u64,
}

/// The games of a piece, each as its chains.
#[derive(Default)]
struct Games {
    list: Vec<Vec<u8>>,
    positions: u64,
}

fn games(reading: &mut Reading<'_>) -> Result<Games, EncodeError> {
    let mut games = Games::default();
    let mut finder = GameFinder::default();
    let mut encoder = Encoder::new();
    let mut outcome = Ok(());
    reading.try_for_each(|position, _| {
        if finder.begins(position) {
            games.take(&mut encoder);
        }
        outcome = encoder.push(position);
        match outcome {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    games.take(&mut encoder);
    outcome.map(|()| games)
}

impl Games {
    fn take(&mut self, encoder: &mut Encoder) {
        let chains = encoder.finish();
        if !chains.is_empty() {
            self.positions += chains.positions();
            self.list.push(chains.bytes().to_vec());
            chains.clear();
        }
    }
}

#[derive(Serialize)]
struct Report {
    games: u64,
    positions: u64,
    file: String,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "games      {}", Count(self.games))?;
        writeln!(f, "positions  {}", Count(self.positions))?;
        writeln!(f, "file       {}", self.file)
    }
}
