//! The `tabia` program: reads the command line, runs one sub-command and turns its result into an
//! exit code.
//!
//! It must not know the rules of chess, nor how anything is trained: it calls the libraries and
//! shows their results.

mod arguments;
mod commands;
mod contest;
mod evidence;
mod exit;
mod group;
mod interruption;
mod kind;
mod laboratory;
mod output;
mod picture;
mod player;
mod position;
mod progress;
mod relabelling;
mod settings;
mod stream;
mod version;

use arguments::Arguments;
use clap::CommandFactory;
use output::Output;

fn main() -> std::process::ExitCode {
    exit::report_panics_in_one_line();
    exit::guard(run)
}

fn run() -> anyhow::Result<exit::Exit> {
    let arguments = Arguments::read();
    let output = Output::new(&arguments.output);
    commands::run(arguments.command, Arguments::command(), &output)
}
