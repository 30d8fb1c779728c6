//! `tabia data`: inspects training data and prepares it for training.

mod convert;
mod counts;
mod filter;
mod info;
mod inputs;
mod interleave;
mod label;
mod relabelling;
mod rescore;
mod shuffle;
mod split;
mod stats;
mod validate;
mod view;
mod written;

use crate::exit::Exit;
use crate::interruption;
use crate::output::Output;
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  tabia data stats train.binpack --svg train.svg
  tabia data convert match/games.pgn -o match.binpack
  tabia data rescore train.binpack -o rescored.binpack --nodes 5000
  tabia data split all.binpack --train train.binpack --valid valid.binpack

The help of each command has more.";

/// Inspect, convert, filter, shuffle, split, rescore and label training data
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
    Stats(stats::Options),
    View(view::Options),
    Validate(validate::Options),
    Convert(convert::Options),
    Shuffle(shuffle::Options),
    Interleave(interleave::Options),
    Split(split::Options),
    Filter(filter::Options),
    Rescore(Box<rescore::Options>),
    Label(Box<label::Options>),
}

pub(crate) fn run(options: Options, output: &Output) -> anyhow::Result<Exit> {
    match &options.task {
        Task::Rescore(options) => return rescore::run(options, output),
        Task::Label(options) => return label::run(options, output),
        _ => {}
    }
    interruption::listen()?;
    match options.task {
        Task::Info(options) => info::run(&options, output),
        Task::Stats(options) => stats::run(&options, output),
        Task::View(options) => view::run(&options, output),
        Task::Validate(options) => validate::run(&options, output),
        Task::Convert(options) => convert::run(&options, output),
        Task::Shuffle(options) => shuffle::run(&options, output),
        Task::Interleave(options) => interleave::run(&options, output),
        Task::Split(options) => split::run(&options, output),
        Task::Filter(options) => filter::run(&options, output),
        Task::Rescore(options) => rescore::run(&options, output),
        Task::Label(options) => label::run(&options, output),
    }
}
