//! `tabia data label`: labels positions with the best move.

use super::relabelling::{self, Files, Request};
use crate::exit::Exit;
use crate::output::Output;
use crate::player::PlayerOptions;
use crate::relabelling::Task;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  tabia data label games.pgn -o labelled.binpack --nodes 20000
  tabia data label games.pgn.zst -o labelled.binpack --nodes 20000 --every 10
  tabia data label mine.pgn -o mine.binpack --human

Every position gets the move and the score that Tabia's search with the
hand-written evaluation finds within the limit; choose another model or player
with --model or --player. With --human it keeps the played move, with the
score of its comment, or 0 without one. This is the training data for
`tabia train` with kind = \"comparison\".

Each game is searched from its first position on, starting with an empty hash
table, so that the output is the same, byte for byte, for any number of
threads. Finished work is kept in FILE.part next to the output. After an
interruption, the same command resumes.";

/// Label positions with their best move, for comparison training
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    #[command(flatten)]
    files: Files,
    /// Nodes per search
    #[arg(long, value_name = "N", required_unless_present_any = ["depth", "human"])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of each search
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Use the moves that were played, without a search
    #[arg(long, conflicts_with_all = ["nodes", "depth", "player", "model"])]
    human: bool,
    /// Keep only every Nth position
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=256))]
    every: u32,
    #[command(flatten)]
    player: PlayerOptions,
}

/// The default player: the hand-written evaluation, from which others are to learn.
const PLAYER: &str = "hash=4 model=classical";

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let every = options.every;
    let request = Request {
        task: match options.human {
            true => Task::PlayedMoves { every },
            false => Task::Moves { every },
        },
        nodes: options.nodes,
        depth: options.depth,
        player: options.player.inside(PLAYER)?,
    };
    relabelling::run(&options.files, request, output)
}
