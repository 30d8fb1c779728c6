//! The sub-commands, one file each: options, examples and what it does.
//!
//! A command must not know another command.

mod completions;
mod fen;
mod man;
mod perft;

use crate::exit::Exit;
use crate::output::Output;
use clap::Subcommand;

/// Everything `tabia` can be asked to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Perft(perft::Options),
    Fen(fen::Options),
    Completions(completions::Options),
    Man(man::Options),
}

/// Runs one sub-command.
pub(crate) fn run(command: Command, output: &Output) -> anyhow::Result<Exit> {
    match command {
        Command::Perft(options) => perft::run(&options, output),
        Command::Fen(options) => fen::run(&options, output),
        Command::Completions(options) => completions::run(&options, output),
        Command::Man(options) => man::run(&options, output),
    }
}
