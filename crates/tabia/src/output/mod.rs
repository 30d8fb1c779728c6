//! The two voices of the program: data on standard output, words for people on
//! standard error, both colored only where that is wanted.
//!
//! It must not know what is being said.

mod options;

pub(crate) use options::{Json, OutputOptions};

use anstyle::{AnsiColor, Style};
use anyhow::Context;
use clap::ColorChoice;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Write};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// Nobody reads standard output any more (`tabia ... | head`). The reader has
/// what it wanted, so this is a good end.
#[derive(Debug, thiserror::Error)]
#[error("standard output is closed")]
pub(crate) struct OutputClosed;

/// Where a command's data and words go.
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    verbose: bool,
    progress: bool,
}

impl Output {
    pub(crate) fn new(options: &OutputOptions) -> Self {
        match options.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        Self {
            json: options.json == Json::Printed,
            quiet: options.quiet,
            verbose: options.verbose > 0,
            progress: !options.quiet && !options.no_progress,
        }
    }

    /// Prints data.
    pub(crate) fn data(&self, text: &str) -> anyhow::Result<()> {
        let mut stdout = anstream::stdout().lock();
        match stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush())
        {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(OutputClosed.into()),
            written => written.context("cannot write to standard output"),
        }
    }

    /// Standard output for a command that speaks a protocol of its own.
    pub(crate) fn stream(&self) -> impl Write {
        io::stdout().lock()
    }

    /// Whether data is wanted as JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints data as text or, with `--json`, as one line of JSON.
    pub(crate) fn report(&self, report: &(impl Display + Serialize)) -> anyhow::Result<()> {
        if self.json {
            self.data(&format!("{}\n", serde_json::to_string(report)?))
        } else {
            self.data(&report.to_string())
        }
    }

    /// Tells a person of something odd, unless `--quiet`.
    pub(crate) fn warn(&self, words: impl Display) {
        self.note(format_args!("{WARNING}warning:{WARNING:#} {words}"));
    }

    /// Tells a person what was done, unless `--quiet`.
    pub(crate) fn note(&self, words: impl Display) {
        if !self.quiet {
            print_words(words);
        }
    }

    /// Tells a person more, if `--verbose`.
    pub(crate) fn detail(&self, words: impl Display) {
        if self.verbose {
            print_words(words);
        }
    }

    /// Whether to show how far long work has come.
    pub(crate) fn shows_progress(&self) -> bool {
        self.progress
    }
}

/// Says what went wrong; never silenced.
pub(crate) fn print_error(words: impl Display) {
    print_words(format_args!("{ERROR}error:{ERROR:#} {words}"));
}

/// Says something to a person, whatever the options say.
pub(crate) fn print_words(words: impl Display) {
    // If nobody can hear that something went wrong, nothing is left to be done.
    let _ = writeln!(anstream::stderr(), "{words}");
}

/// The beginning of a foreign text, fit to stand within one line of words: short,
/// and without anything that would confuse a terminal.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 100;
    let beginning: String = text.chars().take(LONGEST).collect();
    let rest = if beginning.len() < text.len() {
        "…"
    } else {
        ""
    };
    format!("{}{rest}", beginning.escape_debug())
}
