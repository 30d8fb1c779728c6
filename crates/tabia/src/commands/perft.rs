//! `tabia perft`: counts the leaves of the tree of legal moves, for one position or for every
//! position of a suite.
//!
//! The counts of many positions are known exactly, so they verify a move generator, and its speed
//! can be measured with them.

mod check;
mod count;
mod suite;

use crate::exit::{Exit, WrongInput};
use crate::output::Output;
use crate::{interruption, position};
use anyhow::Context;
use chess::{Board, CastlingStyle, File, Move};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  tabia perft 6                             count from the start position
  tabia perft 5 --divide --fen '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1'
  tabia perft --suite FILE.epd --max-nodes 1000000

A line of a suite is a position with its leaf counts by depth:
  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400";

/// Count the leaves of the tree of legal moves (perft)
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Depth in plies
    #[arg(required_unless_present = "suite", conflicts_with = "suite")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..))]
    depth: Option<u8>,
    /// Count from this FEN instead of the start position
    #[arg(long, conflicts_with = "suite")]
    fen: Option<String>,
    /// Write castling as king takes rook, even where that is not needed
    #[arg(long, conflicts_with = "suite")]
    chess960: bool,
    /// Also print the leaf count of each root move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Check all positions of this EPD suite
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,
    /// Skip depths of the suite that have more leaves than this
    #[arg(long, value_name = "N", conflicts_with = "depth")]
    max_nodes: Option<u64>,
    /// Number of threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    interruption::listen()?;
    let threads = match options.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism()
            .context("cannot count the CPUs")?
            .get(),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .context("cannot start the threads")?;
    output.detail(format_args!("threads: {threads}"));
    match (&options.suite, options.depth) {
        (Some(file), _) => pool.install(|| check::run(file, options.max_nodes, output)),
        (None, Some(depth)) => pool.install(|| count_one(options, depth, output)),
        (None, None) => Err(WrongInput::new("give a depth or a suite").into()),
    }
}

fn count_one(options: &Options, depth: u8, output: &Output) -> anyhow::Result<Exit> {
    let board = match &options.fen {
        Some(fen) => position::read(fen, output)?,
        None => Board::start(),
    };
    let begin = Instant::now();
    let counts = count::divide(&board, depth, output)?;
    let nodes = counts.iter().map(|(_, nodes)| nodes).sum();
    let style = if options.chess960 || !counts.iter().all(|&(mv, _)| is_ordinary(mv)) {
        CastlingStyle::Chess960
    } else {
        CastlingStyle::Standard
    };
    output.report(&Report {
        fen: board.fen(),
        depth,
        threads: rayon::current_num_threads(),
        speed: Speed::new(nodes, begin.elapsed()),
        divide: options.divide.then(|| named(&board, style, &counts)),
    })?;
    Ok(Exit::Good)
}

/// Whether a castling move can be written in the ordinary style. From other squares, the king's
/// target may also be that of a normal king move.
fn is_ordinary(mv: Move) -> bool {
    let from_corner = matches!(mv.to().file(), File::A | File::H);
    !mv.is_castling() || (mv.from().file() == File::E && from_corner)
}

fn named(board: &Board, style: CastlingStyle, counts: &[(Move, u64)]) -> BTreeMap<String, u64> {
    let name = |&(mv, nodes)| (board.uci(mv, style).to_string(), nodes);
    counts.iter().map(name).collect()
}

/// The count and the speed.
#[derive(Serialize)]
struct Report {
    fen: String,
    depth: u8,
    threads: usize,
    #[serde(flatten)]
    speed: Speed,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<BTreeMap<String, u64>>,
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (mv, nodes) in self.divide.iter().flatten() {
            writeln!(formatter, "{mv}: {nodes}")?;
        }
        if self.divide.is_some() {
            writeln!(formatter)?;
        }
        writeln!(formatter, "nodes    {}", self.speed.nodes)?;
        writeln!(formatter, "time     {:.3} s", self.speed.seconds)?;
        writeln!(formatter, "nodes/s  {}", self.speed.nodes_per_second)
    }
}

/// The number of nodes, and the time they took.
#[derive(Clone, Copy, Serialize)]
struct Speed {
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

impl Speed {
    fn new(nodes: u64, time: Duration) -> Self {
        // A coarse clock must not make the speed infinite.
        let seconds = time.as_secs_f64().max(1e-9);
        let nodes_per_second = (nodes as f64 / seconds) as u64;
        Self {
            nodes,
            seconds,
            nodes_per_second,
        }
    }
}
