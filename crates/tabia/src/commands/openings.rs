//! `tabia openings`: generates openings for matches.

mod make;

use crate::exit::Exit;
use crate::output::Output;
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  tabia openings make -o book.epd

The help of each command has more.";

/// Generate openings for matches
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Options {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Make(make::Options),
}

pub(crate) fn run(options: Options, output: &Output) -> anyhow::Result<Exit> {
    match options.task {
        Task::Make(options) => make::run(options, output),
    }
}
