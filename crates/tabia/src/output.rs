//! The two voices of the program: data on standard output, words for people on
//! standard error, both colored only where that is wanted.
//!
//! It must not know what is being said.

use crate::arguments::OutputOptions;
use crate::exit::OutputClosed;
use anstyle::{AnsiColor, Style};
use anyhow::Context;
use clap::ColorChoice;
use std::fmt::Display;
use std::io::{self, Write};

const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Where a command's data and words go.
pub(crate) struct Output {
    quiet: bool,
    verbose: bool,
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
            quiet: options.quiet,
            verbose: options.verbose > 0,
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
}

/// Says what went wrong; never silenced.
pub(crate) fn print_error(words: impl Display) {
    print_words(format_args!("{ERROR}error:{ERROR:#} {words}"));
}

fn print_words(words: impl Display) {
    // If nobody can hear that something went wrong, nothing is left to be done.
    let _ = writeln!(anstream::stderr(), "{words}");
}
