//! `tabia net`: shows, compares, converts, hashes and judges the files of nets.

mod compare;
mod convert;
mod hash;
mod info;
mod judge;

use crate::exit::Exit;
use crate::output::Output;
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  tabia net info                              the built-in net
  tabia net compare a.tabianet b.nnue --positions valid.binpack
  tabia net convert a.tabianet -o a.onnx      a ResNet for other runtimes
  tabia net judge model.tabianet --games games-test.sequences

The help of each command has more.";

/// Show, compare, convert, hash and judge nets: Stockfish's .nnue files and Tabia's own
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
    Info(info::Options),
    Compare(compare::Options),
    Convert(convert::Options),
    Hash(hash::Options),
    Judge(judge::Options),
}

pub(crate) fn run(options: Options, output: &Output) -> anyhow::Result<Exit> {
    match options.task {
        Task::Info(options) => info::run(&options, output),
        Task::Compare(options) => compare::run(&options, output),
        Task::Convert(options) => convert::run(&options, output),
        Task::Hash(options) => hash::run(&options, output),
        Task::Judge(options) => judge::run(&options, output),
    }
}
