//! `tabia pgn`: checks and converts game files, and extracts openings and sequences from them.

mod check;
mod chosen;
mod convert;
mod files;
mod openings;
mod sequences;

use crate::exit::Exit;
use crate::interruption;
use crate::output::Output;
use anyhow::Context;
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  tabia pgn check games.pgn.zst               replay every game
  tabia pgn convert games.pgn -o games.pgn.zst
  tabia pgn openings games.pgn.zst -o openings.epd
  tabia pgn sequences games.pgn.zst -o games.sequences

The help of each command has more.";

/// Check and convert game files: plain, gzip, zstd or xz, of any size
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Options {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Check(check::Options),
    Convert(convert::Options),
    Openings(openings::Options),
    Sequences(sequences::Options),
}

pub(crate) fn run(options: Options, output: &Output) -> anyhow::Result<Exit> {
    interruption::listen()?;
    match options.task {
        Task::Check(options) => check::run(&options, output),
        Task::Convert(options) => convert::run(options, output),
        Task::Openings(options) => openings::run(options, output),
        Task::Sequences(options) => sequences::run(options, output),
    }
}

/// The number of threads: as asked for, or one per CPU.
fn threads(asked: Option<u16>) -> anyhow::Result<usize> {
    match asked {
        Some(threads) => Ok(usize::from(threads)),
        None => std::thread::available_parallelism()
            .map(usize::from)
            .context("cannot count the CPUs"),
    }
}
