//! The single definition of the command line: help, completions and manual pages are generated from
//! it.
//!
//! It must not know what a command does: each sub-command's own options are in its file under
//! `commands/`.

use crate::commands::Command;
use crate::output::OutputOptions;
use crate::version;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser};
use engines::words::meant;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};

const AFTER_HELP: &str = "\
Examples:
  tabia run quickstart                two ways of learning, in minutes
  tabia serve --open                  watch them on a web page
  tabia play                          play against the built-in net
  tabia help run                      each command has examples of its own

Data goes to standard output, messages to standard error.

Exit codes:
    0  success
    1  failure
    2  wrong usage or input
  130  interrupted";

/// A laboratory for chess engines that teach themselves
#[derive(Parser)]
#[command(
    name = "tabia",
    version = version::short(),
    long_version = version::long(),
    after_help = AFTER_HELP,
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
    /// Reads the program's arguments; on wrong usage, `--help` and `--version` the program exits
    /// here.
    pub(crate) fn read() -> Self {
        let line = completed(std::env::args_os().collect(), io::stdin().is_terminal());
        let color = color_asked_for(line.iter().skip(1).cloned());
        let mut command = Self::command().color(color);
        let read = command
            .try_get_matches_from_mut(&line)
            .and_then(|matches| Self::from_arg_matches(&matches));
        read.unwrap_or_else(|error| reworded(&mut command, error, &line).exit())
    }
}

/// Options that were renamed or became keys of a player, with their replacements.
const RENAMED: [(&str, &str); 7] = [
    ("--net", "--model"),
    ("--eval", "--model"),
    ("--output", "--out"),
    ("--hash", "--player hash=MB"),
    ("--param", "--player param.NAME=VALUE"),
    ("--engine", "--player cmd=PROGRAM"),
    ("--option", "--player option.NAME=VALUE"),
];

/// The same error, or a more helpful one if it is about an unknown word.
fn reworded(command: &mut clap::Command, error: clap::Error, line: &[OsString]) -> clap::Error {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::UnknownArgument => match word(ContextKind::InvalidArg) {
            Some(option) => renamed(command, error, line, &option),
            None => error,
        },
        ErrorKind::InvalidSubcommand => match word(ContextKind::InvalidSubcommand) {
            Some(name) => misspelt(command, error, line, &name),
            None => error,
        },
        _ => error,
    }
}

/// The same error, or one that suggests the command that may have been meant: the parser counts
/// swapped letters as two mistakes and finds `runs` closer to `rnu` than `run`. Only commands that
/// are possible at this place are suggested, which may be those of a sub-command.
fn misspelt(
    command: &clap::Command,
    error: clap::Error,
    line: &[OsString],
    name: &str,
) -> clap::Error {
    let mut place = place_of(command, line, name).clone();
    let names = place.get_subcommands().map(clap::Command::get_name);
    match meant(name, names).map(str::to_owned) {
        Some(known) => place.error(
            ErrorKind::InvalidSubcommand,
            format!("there is no command '{name}'; did you mean '{known}'?"),
        ),
        None => error,
    }
}

/// The command or sub-command to which a word of the line belongs.
fn place_of<'a>(command: &'a clap::Command, line: &[OsString], word: &str) -> &'a clap::Command {
    let before = line.iter().skip(1).take_while(|before| *before != word);
    before.fold(command, |place, before| {
        place.find_subcommand(before).unwrap_or(place)
    })
}

/// The same error, or one that names the replacement of a renamed option.
fn renamed(
    command: &clap::Command,
    error: clap::Error,
    line: &[OsString],
    unknown: &str,
) -> clap::Error {
    match RENAMED.iter().find(|(old, _)| *old == unknown) {
        Some((old, new)) => place_of(command, line, unknown).clone().error(
            ErrorKind::UnknownArgument,
            format!("there is no option '{old}'; use {new}"),
        ),
        None => error,
    }
}

/// The command line, with a command added if there is none: chess GUIs start an engine without
/// arguments and talk to it through pipes.
fn completed(mut line: Vec<OsString>, is_terminal: bool) -> Vec<OsString> {
    if line.len() == 1 && !is_terminal {
        line.push("uci".into());
    }
    line
}

/// The value of `--color`, found before parsing: the parser itself prints help and usage errors,
/// which should obey it too.
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

    /// Collects the example lines of a command and of its sub-commands.
    fn examples(command: &clap::Command, found: &mut Vec<String>) {
        let help = command.get_after_help().map(ToString::to_string);
        let help = help.unwrap_or_default();
        if let Some((_, text)) = help.split_once("Examples:\n") {
            let text = text.split("\n\n").next().unwrap_or_default();
            let whole = text.replace("\\\n      ", "");
            let lines = whole.lines().filter_map(|line| {
                // The explanation of an example follows after two blanks.
                let example = line[line.find("tabia ")?..].split("  ").next()?;
                Some(example.to_owned())
            });
            found.extend(lines);
        }
        for below in command.get_subcommands() {
            examples(below, found);
        }
    }

    #[test]
    fn examples_are_understood() {
        let mut found = Vec::new();
        examples(&Arguments::command(), &mut found);
        assert!(found.len() > 150, "only {} examples", found.len());
        for line in found {
            let all = shlex::split(&line).expect("words of a shell");
            let is_shell = |word: &String| ["|", ">", "<", "&&"].contains(&word.as_str());
            let words: Vec<String> = all.into_iter().take_while(|word| !is_shell(word)).collect();
            let read = Arguments::command().try_get_matches_from(&words);
            // Models are opened when they are parsed, and these files do not exist.
            let is_missing = |error: &clap::Error| error.to_string().contains("No such file");
            let is_help = |error: &clap::Error| error.kind() == ErrorKind::DisplayHelp;
            match read {
                Err(error) if is_help(&error) => {}
                Err(error) if words.len() > 1 && !is_missing(&error) => panic!("{line}\n{error}"),
                _ => {}
            }
        }
    }

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
