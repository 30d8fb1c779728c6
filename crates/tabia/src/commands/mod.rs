//! The sub-commands, one file each: options, examples and what it does.
//!
//! A command must not know another command.

mod completions;
mod man;

use crate::exit::Exit;
use crate::output::Output;
use clap::Subcommand;

/// Everything `tabia` can be asked to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Completions(completions::Options),
    Man(man::Options),
}

/// Runs one sub-command.
pub(crate) fn run(command: Command, output: &Output) -> anyhow::Result<Exit> {
    match command {
        Command::Completions(options) => completions::run(&options, output),
        Command::Man(options) => man::run(&options, output),
    }
}
