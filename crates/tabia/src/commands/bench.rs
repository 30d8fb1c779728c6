//! `tabia bench`: searches a fixed set of positions, for the signature of the
//! search and its speed.

use crate::exit::{Exit, Interrupted};
use crate::interruption;
use crate::output::Output;
use crate::player::PlayerOptions;
use crate::progress::Progress;
use clap::Args;
use engines::recipe::{Pace, Recipe};
use engines::{StopSignal, bench};
use serde::Serialize;
use std::fmt::{self, Display};

const EXAMPLES: &str = "\
Examples:
  tabia bench                               nodes, the signature, and speed
  tabia bench --depth 8 --verbose           also prints each position
  tabia bench --model nn-ad9b42354671.nnue  the search with a net
  tabia bench --player 'threads=2 hash=64'  with other player settings
  tabia bench --player mcts                 the tree search instead

The last line is the number of nodes and the nodes per second. With one thread
the node count changes only if the search or the evaluation changes.";

/// Search a fixed set of positions and count nodes
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Search depth per position
    #[arg(long, value_name = "D", default_value_t = bench::DEPTH)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,
    #[command(flatten)]
    player: PlayerOptions,
}

/// The signature depends on this size of the hash table.
const PLAYER: &str = "hash=16";

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    let recipe = options.player.inside(PLAYER)?;
    let progress = Progress::new(output, bench::POSITION_COUNT as u64, "positions");
    let mut player = recipe.player(Pace::MARGIN.0)?;
    let summary = bench::run(player.as_mut(), options.depth, &stop, &mut |position| {
        progress.aside(|| output.detail(position));
        progress.advance(1);
    })?;
    drop(progress);
    if stop.is_stopped() {
        return Err(Interrupted.into());
    }
    output.report(&Report::new(options.depth, &recipe, &summary))?;
    Ok(Exit::Good)
}

/// The result of the bench.
#[derive(Serialize)]
struct Report {
    depth: u32,
    player: Recipe,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
    #[serde(skip)]
    line: String,
}

impl Report {
    fn new(depth: u32, player: &Recipe, summary: &bench::Summary) -> Self {
        Self {
            depth,
            player: player.clone(),
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
