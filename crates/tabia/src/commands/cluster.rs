//! `tabia cluster`: sets up and runs the server of a cluster, and shows its status.

mod init;
mod status;
mod up;

use crate::exit::Exit;
use crate::output::Output;
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  tabia cluster init group                    credentials and server settings
  tabia cluster up group                      start the server
  tabia cluster status --cluster tls://localhost:4222 \\
      --creds group/credentials/coordinator.toml

The help of each command has more.";

/// Set up a cluster of machines, run its server, and show its status
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
    Init(init::Options),
    Up(up::Options),
    Status(status::Options),
}

pub(crate) fn run(options: Options, output: &Output) -> anyhow::Result<Exit> {
    match options.task {
        Task::Init(options) => init::run(&options, output),
        Task::Up(options) => up::run(&options, output),
        Task::Status(options) => status::run(&options, output),
    }
}
