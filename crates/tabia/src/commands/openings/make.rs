//! `tabia openings make`: random openings that a search considers balanced.

use crate::exit::{Exit, Interrupted, WrongInput};
use crate::interruption;
use crate::output::Output;
use crate::progress::Progress;
use anyhow::Context;
use arena::openings::{self, MakeError, MakeOptions, Window};
use chess::Epd;
use clap::Args;
use engines::StopSignal;
use serde::Serialize;
use std::fmt::{self, Display};
use std::path::PathBuf;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  tabia openings make -o book.epd
  tabia openings make --count 5000 --seed 7 --plies 6 \\
      --window 0.4..0.7 -o sharp.epd
  tabia openings make --count 500 --chess960 -o frc.epd

Each opening is a number of random plies from the start position; a search
with a node limit must find the advantage of either side within the window.
The openings depend on the seed, not on the number of threads, and the first
ones do not depend on the count. The file appears once it is complete.";

/// Generate random openings that a search considers balanced
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Random seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of random plies
    #[arg(long, value_name = "N", default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    plies: u32,
    /// Start from random Chess960 positions
    #[arg(long)]
    chess960: bool,
    /// Accepted advantage of either side, in centipawns, or in pawns if the numbers have a
    /// decimal point
    #[arg(long, value_name = "FROM..TO", default_value = "0..50")]
    window: Window,
    /// Nodes per search
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Number of search threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(options: Options, output: &Output) -> anyhow::Result<Exit> {
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    let threads = match options.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism()
            .context("cannot count the CPUs")?
            .get(),
    };
    output.detail(format_args!("threads: {threads}"));
    let wanted = MakeOptions {
        count: options.count as usize,
        seed: options.seed,
        plies: options.plies,
        chess960: options.chess960,
        window: options.window,
        nodes: options.nodes,
        threads,
    };
    let begin = Instant::now();
    let progress = Progress::new(output, u64::from(options.count), "openings");
    let mut shown = 0;
    let mut show = |found: usize| {
        progress.advance((found - shown) as u64);
        shown = found;
    };
    let made = openings::make(&wanted, &stop, &mut show);
    drop(progress);
    let made = made.map_err(described)?;
    let lines = made
        .boards
        .iter()
        .map(|&board| format!("{}\n", Epd::new(board)));
    let text: String = lines.collect();
    let name = options.out.display();
    data::file::write(&options.out, text.as_bytes())
        .with_context(|| format!("cannot write {name}"))?;
    output.report(&Report {
        file: name.to_string(),
        openings: made.boards.len(),
        tried: made.tried,
        seconds: begin.elapsed().as_secs_f64(),
    })?;
    Ok(Exit::Good)
}

fn described(error: MakeError) -> anyhow::Error {
    match error {
        MakeError::Stopped => Interrupted.into(),
        MakeError::TooFew { .. } => WrongInput::new(error.to_string()).into(),
        MakeError::Threads(_) => error.into(),
    }
}

/// The result.
#[derive(Serialize)]
struct Report {
    file: String,
    openings: usize,
    tried: u64,
    seconds: f64,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "openings  {}", self.openings)?;
        writeln!(f, "tried     {}", self.tried)?;
        writeln!(f, "time      {:.3} s", self.seconds)?;
        writeln!(f, "file      {}", self.file)
    }
}
