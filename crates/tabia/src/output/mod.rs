//! The output of the program: data on standard output, messages on standard error, both coloured
//! only where that is wanted.
//!
//! It must not know what is printed.

mod fit;
mod options;
mod table;

pub(crate) use fit::fitted;
pub(crate) use options::{Json, OutputOptions};
pub(crate) use table::{Flush, Table};

use anstyle::{AnsiColor, Style};
use anyhow::Context;
use clap::ColorChoice;
use console::Term;
use fit::width;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// Standard output was closed by its reader (`tabia ... | head`). The reader has what it wanted, so
/// this is not a failure.
#[derive(Debug, thiserror::Error)]
#[error("standard output is closed")]
pub(crate) struct OutputClosed;

/// How a command prints data and messages.
#[derive(Clone)]
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
        match print_data(text) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(OutputClosed.into()),
            written => written.context("cannot write to standard output"),
        }
    }

    /// Standard output for a command that speaks its own protocol.
    pub(crate) fn stream(&self) -> impl Write {
        io::stdout().lock()
    }

    /// Whether to print data as JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints data as text or, with `--json`, as one line of JSON.
    pub(crate) fn report(&self, report: &(impl Display + Serialize)) -> anyhow::Result<()> {
        if self.json {
            self.data(&format!("{}\n", serde_json::to_string(report)?))
        } else {
            self.show(&report.to_string())
        }
    }

    /// Prints text for people, wrapped to the terminal.
    pub(crate) fn show(&self, text: &str) -> anyhow::Result<()> {
        self.data(&fitted(&harmless(text), width(&Term::stdout())))
    }

    /// Prints a warning, unless `--quiet`.
    pub(crate) fn warn(&self, words: impl Display) {
        self.note(format_args!("{WARNING}warning:{WARNING:#} {words}"));
    }

    /// Prints a note, unless `--quiet`.
    pub(crate) fn note(&self, words: impl Display) {
        if !self.quiet {
            print_words(words);
        }
    }

    /// Prints details, if `--verbose`.
    pub(crate) fn detail(&self, words: impl Display) {
        if self.verbose {
            print_words(words);
        }
    }

    /// Whether to show progress.
    pub(crate) fn shows_progress(&self) -> bool {
        self.progress
    }
}

/// Writes data in pieces, each of which must be complete UTF-8.
impl Write for &Output {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        print_data(&String::from_utf8_lossy(text))?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn print_data(text: &str) -> io::Result<()> {
    let text = match io::stdout().is_terminal() {
        true => harmless(text),
        false => text.into(),
    };
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// Prints an error; never silenced.
pub(crate) fn print_error(words: impl Display) {
    print_words(format_args!("{ERROR}error:{ERROR:#} {words}"));
}

/// Prints a message, whatever the options are.
pub(crate) fn print_words(words: impl Display) {
    let words = words.to_string();
    let lines = fitted(&harmless(&words), width(&Term::stderr()));
    // If standard error cannot be written, nothing can be done about it.
    let _ = writeln!(anstream::stderr(), "{lines}");
}

/// A number of things, in words.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

/// A text without invisible characters that change what a reader sees: those that reverse the
/// direction of writing, break lines or have no width, and control characters except newlines and
/// colours.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let is_harmful = |letter: char| match letter {
        '\n' | '\t' | '\u{1b}' => false,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        letter => letter.is_control(),
    };
    match text.contains(is_harmful) {
        true => text.replace(is_harmful, "\u{fffd}").into(),
        false => text.into(),
    }
}

/// The beginning of a foreign text, for use within a line of a message: short, and without anything
/// that would confuse a terminal.
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

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn what_is_not_seen_is_made_visible() {
        assert_eq!(
            harmless("plain, accents é ü, 中文 ♔\n\t\u{1b}[1m"),
            "plain, accents é ü, 中文 ♔\n\t\u{1b}[1m"
        );
        for hidden in [
            '\u{202e}', '\u{2028}', '\u{2066}', '\u{200b}', '\u{feff}', '\u{7}', '\u{9b}', '\r',
        ] {
            assert_eq!(harmless(&format!("a{hidden}b")), "a\u{fffd}b", "{hidden:?}");
        }
    }
}
