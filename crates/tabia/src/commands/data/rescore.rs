//! `tabia data rescore`: gives positions new scores by a search.

use super::relabelling::{self, Files, Request};
use crate::exit::Exit;
use crate::output::Output;
use crate::player::PlayerOptions;
use crate::relabelling::Task;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  tabia data rescore train.binpack -o rescored.binpack --nodes 5000
  tabia data rescore games.pgn -o games.binpack --depth 8 --marked
  tabia data rescore train.binpack -o new.binpack --nodes 5000 --threads 4

Every position is searched with this limit, in the order of its chain and with
the preceding moves; each chain starts with an empty hash table, so that the
output is the same, byte for byte, for any number of threads.

Finished work is kept in FILE.part next to the output. After an interruption,
the same command resumes.";

/// Rescore positions with Tabia's search
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    #[command(flatten)]
    files: Files,
    /// Nodes per search
    #[arg(long, value_name = "N", required_unless_present = "depth")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of each search
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Search only positions that are marked as having no score
    #[arg(long)]
    marked: bool,
    #[command(flatten)]
    player: PlayerOptions,
}

/// The default player.
const PLAYER: &str = "hash=4";

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let request = Request {
        task: Task::Scores {
            only_marked: options.marked,
        },
        nodes: options.nodes,
        depth: options.depth,
        player: options.player.inside(PLAYER)?,
    };
    relabelling::run(&options.files, request, output)
}
