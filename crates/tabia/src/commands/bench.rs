//! `tabia bench`: searches a fixed set of positions, for the signature of the
//! search and its speed.

use crate::exit::{Exit, Interrupted};
use crate::interruption;
use crate::net;
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use engines::{StopSignal, bench};
use serde::Serialize;
use std::fmt::{self, Display};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia bench                               the signature, as test servers read it
  tabia bench --depth 8 --verbose           each position too
  tabia bench --net nn-ad9b42354671.nnue    the search with a net

The last line is the number of nodes and the nodes a second. With one thread the
first number changes only if the search or the evaluation does.";

/// Search a fixed set of positions and count nodes
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// How deep to search each position
    #[arg(long, value_name = "D", default_value_t = bench::Options::default().depth)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,
    /// Mebibytes of the transposition table
    #[arg(long, value_name = "MB", default_value_t = bench::Options::default().hash as u32)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// How many threads search
    #[arg(long, value_name = "N", default_value_t = bench::Options::default().threads as u32)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// classical, or the file of a net or of weights [default: the net that came with the program]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let stop = StopSignal::new();
    let signal = stop.clone();
    interruption::listen_and(move || signal.stop())?;
    let evaluation = net::evaluation(options.net.as_deref())?;
    let options = bench::Options {
        depth: options.depth,
        hash: options.hash as usize,
        threads: options.threads as usize,
    };
    let progress = Progress::new(output, bench::POSITION_COUNT as u64, "positions");
    let summary = bench::run(&evaluation, &options, &stop, &mut |position| {
        progress.aside(|| output.detail(position));
        progress.advance(1);
    });
    drop(progress);
    if stop.is_stopped() {
        return Err(Interrupted.into());
    }
    output.report(&Report::new(&options, &summary))?;
    Ok(Exit::Good)
}

/// What came of the bench.
#[derive(Serialize)]
struct Report {
    depth: u32,
    hash: usize,
    threads: usize,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
    #[serde(skip)]
    line: String,
}

impl Report {
    fn new(options: &bench::Options, summary: &bench::Summary) -> Self {
        Self {
            depth: options.depth,
            hash: options.hash,
            threads: options.threads,
            nodes: summary.nodes,
            seconds: summary.time.as_secs_f64(),
            nodes_per_second: summary.nodes_per_second(),
            line: summary.to_string(),
        }
    }
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}", self.line)
    }
}
