//! `tabia data label`: gives positions the move that should be found there.

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

Every position gets the move and the score that our own search with the hand-written
evaluation finds within the limit; --model or --player name another one. With --human it
keeps the move that was played, and its score if a comment tells one, else 0. This is what
`tabia train` learns from with kind = \"comparison\".

A game is searched from its first position on and begins with empty tables. So the new
file is the same, byte for byte, for any number of threads. Finished work is kept in FILE.part
beside the new file. If the work is stopped, or killed, the same command resumes it.";

/// Label positions with the move that should be found, for comparison training
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    #[command(flatten)]
    files: Files,
    /// How many nodes a search looks at
    #[arg(long, value_name = "N", required_unless_present_any = ["depth", "human"])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How deep a search looks
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Take the moves that were played, without a search
    #[arg(long, conflicts_with_all = ["nodes", "depth", "player", "model"])]
    human: bool,
    /// Keep one of so many positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=256))]
    every: u32,
    #[command(flatten)]
    player: PlayerOptions,
}

/// What searches if nothing else is said: the hand-written evaluation, of which others
/// are to learn.
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
