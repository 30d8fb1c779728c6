//! The one definition of the command line: help, completions and manual pages
//! are all made from it.
//!
//! It must not know what a command does: each sub-command's own options live in
//! its file under `commands/`.

use crate::commands::Command;
use crate::version;
use clap::builder::{BoolValueParser, TypedValueParser};
use clap::{ArgAction, Args, ColorChoice, CommandFactory, FromArgMatches, Parser};
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Data goes to standard output, words for people to standard error.

Exit codes:
    0  good
    1  failure
    2  wrong usage or input
  130  interrupted";

/// A laboratory for chess engines that teach themselves
#[derive(Parser)]
#[command(
    name = "tabia",
    version = version::short(),
    long_version = version::long(),
    after_help = EXIT_CODES,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) output: OutputOptions,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// How a command speaks; the same for every command.
#[derive(Args)]
#[command(next_help_heading = "Output options")]
pub(crate) struct OutputOptions {
    /// Print data as JSON, one object
    #[arg(long, global = true, action = ArgAction::SetTrue)]
    #[arg(value_parser = BoolValueParser::new().map(Json::of_flag))]
    pub(crate) json: Json,
    /// Say only what went wrong
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say more of what is being done
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,
    /// When to use colors; `auto` obeys the variable NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub(crate) color: ColorChoice,
    /// Do not show how far long work has come
    #[arg(long, global = true)]
    pub(crate) no_progress: bool,
}

/// Where data goes as JSON. A command may define the option anew, with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Json {
    No,
    Printed,
    File(PathBuf),
}

impl Json {
    fn of_flag(is_given: bool) -> Json {
        if is_given { Json::Printed } else { Json::No }
    }

    /// Reads the name of a file; `-` is standard output.
    pub(crate) fn of_file(name: &str) -> Result<Json, std::convert::Infallible> {
        Ok(match name {
            "-" => Json::Printed,
            _ => Json::File(name.into()),
        })
    }
}

impl Arguments {
    /// Reads the program's arguments; wrong usage, `--help` and `--version` end
    /// the program here.
    pub(crate) fn read() -> Self {
        let line = completed(std::env::args_os().collect(), io::stdin().is_terminal());
        let color = color_asked_for(line.iter().skip(1).cloned());
        let matches = Self::command().color(color).get_matches_from(line);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// The command line, with the command that a bare one means: programs that play
/// chess start an engine without arguments and talk to it through pipes.
fn completed(mut line: Vec<OsString>, is_terminal: bool) -> Vec<OsString> {
    if line.len() == 1 && !is_terminal {
        line.push("uci".into());
    }
    line
}

/// What `--color` says, found before parsing: help and usage errors are printed
/// by the parser itself, and should obey it too.
fn color_asked_for(arguments: impl Iterator<Item = OsString>) -> ColorChoice {
    let mut value_follows = false;
    let mut choice = ColorChoice::Auto;
    for argument in arguments.take_while(|argument| argument != "--") {
        let value = match argument
            .to_str()
            .and_then(|text| text.strip_prefix("--color="))
        {
            Some(value) => Some(OsStr::new(value)),
            None => value_follows.then_some(argument.as_os_str()),
        };
        match value.and_then(OsStr::to_str) {
            Some("always") => choice = ColorChoice::Always,
            Some("never") => choice = ColorChoice::Never,
            _ => {}
        }
        value_follows = argument == "--color";
    }
    choice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn without_a_terminal_no_command_means_uci() {
        let complete = |line: &[&str], is_terminal| {
            completed(line.iter().map(OsString::from).collect(), is_terminal)
        };
        assert_eq!(complete(&["tabia"], false), ["tabia", "uci"]);
        assert_eq!(complete(&["tabia"], true), ["tabia"]);
        assert_eq!(complete(&["tabia", "--help"], false), ["tabia", "--help"]);
    }

    #[test]
    fn color_is_known_before_parsing() {
        let asked_for = |line: &str| color_asked_for(line.split(' ').map(OsString::from));
        assert_eq!(asked_for("--color never --help"), ColorChoice::Never);
        assert_eq!(asked_for("man --color=always"), ColorChoice::Always);
        assert_eq!(asked_for("man --color"), ColorChoice::Auto);
        assert_eq!(asked_for("man -- --color never"), ColorChoice::Auto);
        assert_eq!(asked_for("never"), ColorChoice::Auto);
    }
}
