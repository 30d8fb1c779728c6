//! `tabia uci`: the engine with the Universal Chess Interface.

use crate::exit::Exit;
use crate::output::Output;
use crate::player::PlayerOptions;
use crate::version;
use anyhow::Context;
use clap::Args;
use engines::uci::{self, Identity};
use std::io::{self, BufReader};

const EXAMPLES: &str = "\
Examples:
  tabia uci                                   `help` lists the commands
  tabia uci --model nets/a.tabianet           with your own net
  tabia uci --player mcts                     by Monte-Carlo tree search
  tabia uci --player \"sequence model=FILE\"    human-like play
  tabia < commands.txt                        without a command, tabia is an
                                              engine if its input is not a
                                              terminal";

/// Run as a UCI engine, for graphical interfaces
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(flatten)]
    player: PlayerOptions,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let recipe = options.player.inside("")?;
    let player = recipe
        .engine()
        .context("this player cannot be used as an engine")?;
    let identity = Identity {
        name: format!("Tabia {}", version::NUMBER),
        author: "the Tabia developers".to_owned(),
    };
    let input = BufReader::new(io::stdin());
    uci::run(&identity, player, input, output.stream()).context(
        "cannot communicate with the \
        client",
    )?;
    Ok(Exit::Good)
}
