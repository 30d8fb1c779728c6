//! The one definition of the command line: help, completions and manual pages
//! are all made from it.
//!
//! It must not know what a command does: each sub-command's own options live in
//! its file under `commands/`.

use crate::commands::Command;
use crate::output::OutputOptions;
use crate::version;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser};
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};

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

impl Arguments {
    /// Reads the program's arguments; wrong usage, `--help` and `--version` end
    /// the program here.
    pub(crate) fn read() -> Self {
        let line = completed(std::env::args_os().collect(), io::stdin().is_terminal());
        let color = color_asked_for(line.iter().skip(1).cloned());
        let mut command = Self::command().color(color);
        let read = command
            .try_get_matches_from_mut(line)
            .and_then(|matches| Self::from_arg_matches(&matches));
        read.unwrap_or_else(|error| reworded(&mut command, error).exit())
    }
}

/// Options that have a new name, or are now words of a player, with what to say
/// instead.
const RENAMED: [(&str, &str); 7] = [
    ("--net", "--model"),
    ("--eval", "--model"),
    ("--output", "--out"),
    ("--hash", "--player hash=MB"),
    ("--param", "--player param.NAME=VALUE"),
    ("--engine", "--player cmd=PROGRAM"),
    ("--option", "--player option.NAME=VALUE"),
];

/// The same error, or one that helps more with a word that is not known.
fn reworded(command: &mut clap::Command, error: clap::Error) -> clap::Error {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::UnknownArgument => match word(ContextKind::InvalidArg) {
            Some(option) => renamed(command, error, &option),
            None => error,
        },
        ErrorKind::InvalidSubcommand => match word(ContextKind::InvalidSubcommand) {
            Some(name) => misspelt(command, error, &name),
            None => error,
        },
        _ => error,
    }
}

/// A command of the program that was perhaps meant: the parser counts swapped letters as two
/// mistakes, and finds `runs` nearer to `rnu` than `run`.
fn misspelt(command: &mut clap::Command, error: clap::Error, name: &str) -> clap::Error {
    let names = command.get_subcommands().map(clap::Command::get_name);
    let near = names
        .map(|known| (strsim::damerau_levenshtein(name, known), known.to_owned()))
        .min()
        .filter(|(distance, known)| *distance <= known.len().max(3) / 3);
    match near {
        Some((_, known)) => command.error(
            ErrorKind::InvalidSubcommand,
            format!("there is no command '{name}'; did you mean '{known}'?"),
        ),
        None => error,
    }
}

/// The same error, or one that tells the new name of an option.
fn renamed(command: &mut clap::Command, error: clap::Error, unknown: &str) -> clap::Error {
    match RENAMED.iter().find(|(old, _)| *old == unknown) {
        Some((old, new)) => command.error(
            ErrorKind::UnknownArgument,
            format!("'{old}' is no longer known: say {new}"),
        ),
        None => error,
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
