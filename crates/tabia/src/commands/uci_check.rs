//! `tabia uci-check`: checks whether a program conforms to the Universal Chess Interface.

mod report;

use crate::exit::{Exit, Interrupted, WrongInput};
use crate::interruption;
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use engines::StopSignal;
use engines::external::{ProgramOptions, conformity};
use report::{Report, StepReport};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  tabia uci-check stockfish
  tabia uci-check --option Hash=64 --option Threads=2 ./engine
  tabia uci-check --verbose gnuchess --uci  shows the whole conversation
  tabia uci-check --json ./engine | jq .limits

Options of `tabia` go before the program; anything after it is passed to the
program. A program that fails one step is restarted for the next. Time is
measured: on a busy machine a correct program may be reported as late.";

/// Check whether a program conforms to UCI, and which limits it obeys
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The program, as a path or a name on the PATH, and its arguments
    #[arg(required = true, value_name = "PROGRAM")]
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
    /// Set an option of the program; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    /// Timeout for the answer to `uci` or `isready`, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
    patience: u64,
}

/// Parses `NAME=VALUE`; an option of type button has no value.
fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    if name.trim().is_empty() {
        return Err("the name of the option is missing: write NAME=VALUE".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

pub(crate) fn run(options: Options, output: &Output) -> anyhow::Result<Exit> {
    let stop = StopSignal::new();
    interruption::listen_and_give_up(&stop)?;
    let command = options.command.join(" ");
    let program = program_options(options);
    let progress = Progress::new(output, conformity::STEPS as u64, "steps");
    let checked = conformity::check(program, &stop, &mut |step| {
        progress.aside(|| output.detail(StepReport::new(step)));
        progress.advance(1);
    });
    drop(progress);
    let conformity = checked.map_err(|error| WrongInput::new(error.to_string()))?;
    let Some(conformity) = conformity else {
        return Err(Interrupted.into());
    };
    for warning in &conformity.warnings {
        output.warn(warning);
    }
    output.report(&Report::new(command, &conformity))?;
    Ok(if conformity.is_good() {
        Exit::Good
    } else {
        Exit::Failure
    })
}

fn program_options(options: Options) -> ProgramOptions {
    let mut words = options.command.into_iter();
    // The parser requires at least one word.
    let mut program = ProgramOptions::new(words.next().unwrap_or_default());
    program.arguments = words.collect();
    program.settings = options.settings;
    program.patience = Duration::from_secs(options.patience);
    program
}
