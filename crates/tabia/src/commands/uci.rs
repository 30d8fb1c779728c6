//! `tabia uci`: the engine behind the Universal Chess Interface.

use crate::exit::Exit;
use crate::net;
use crate::output::Output;
use crate::version;
use anyhow::Context;
use clap::Args;
use engines::uci::{self, Identity};
use std::io::{self, BufReader};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia uci                                 talk to the engine; `help` lists its words
  tabia uci --net nets/a.tabianet           with a net of your own
  tabia < commands.txt                      without a command, input that is no
                                            terminal starts the engine too";

/// Play as a UCI engine, as graphical programs start it
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// classical, or the file of a net or of weights [default: the net that came with the program]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let evaluation = net::evaluation(options.net.as_deref())?;
    let identity = Identity {
        name: format!("Tabia {}", version::NUMBER),
        author: "the Tabia developers".to_owned(),
    };
    let input = BufReader::new(io::stdin());
    uci::run(&identity, evaluation, input, output.stream()).context("cannot talk to the client")?;
    Ok(Exit::Good)
}
