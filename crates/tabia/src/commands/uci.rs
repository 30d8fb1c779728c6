//! `tabia uci`: the engine behind the Universal Chess Interface.

use crate::exit::Exit;
use crate::output::Output;
use crate::version;
use anyhow::Context;
use clap::Args;
use engines::alphabeta::Evaluation;
use engines::uci::{self, Identity};
use std::io::{self, BufReader};

const EXAMPLES: &str = "\
Examples:
  tabia uci                                 talk to the engine; `help` lists its words
  tabia < commands.txt                      without a command, input that is no
                                            terminal starts the engine too";

/// Play as a UCI engine, as graphical programs start it
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {}

pub(crate) fn run(Options {}: &Options, output: &Output) -> anyhow::Result<Exit> {
    let identity = Identity {
        name: format!("Tabia {}", version::NUMBER),
        author: "the Tabia developers".to_owned(),
    };
    let input = BufReader::new(io::stdin());
    uci::run(&identity, Evaluation::default(), input, output.stream())
        .context("cannot talk to the client")?;
    Ok(Exit::Good)
}
