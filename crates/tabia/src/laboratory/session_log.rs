//! Messages about a run in progress: on the terminal, and in a log file in the run's folder, named
//! by the start of the session.
//!
//! Lines of the file begin with the time and reach the disk every few seconds. A file that cannot
//! be written does not end the run.

use crate::output::Output;
use jiff::Timestamp;
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// The folder of the log files.
const FOLDER: &str = "logs";
/// The interval at which lines are synced to the disk.
const PATIENCE: Duration = Duration::from_secs(5);

/// The log of a session.
pub(crate) struct SessionLog<'a> {
    output: &'a Output,
    file: Option<File>,
    synced: Instant,
}

impl<'a> SessionLog<'a> {
    /// Creates a log file in the folder of a run.
    pub(crate) fn new(output: &'a Output, folder: &Path) -> SessionLog<'a> {
        let name = format!("{:.0}.log", Timestamp::now()).replace(':', "-");
        let path = folder.join(FOLDER).join(name);
        let opened = fs::create_dir_all(folder.join(FOLDER))
            .and_then(|()| OpenOptions::new().append(true).create(true).open(&path));
        if let Err(error) = &opened {
            output.warn(format_args!("cannot write {}: {error}", path.display()));
        }
        SessionLog {
            output,
            file: opened.ok(),
            synced: Instant::now(),
        }
    }

    /// Prints and logs a note.
    pub(crate) fn note(&mut self, words: impl Display) {
        let text = words.to_string();
        self.output.note(&text);
        self.keep(&text);
    }

    /// Prints and logs a warning.
    pub(crate) fn warn(&mut self, words: impl Display) {
        let text = words.to_string();
        self.output.warn(&text);
        self.keep(&format!("warning: {text}"));
    }

    /// Prints details with `--verbose`; they are always logged.
    pub(crate) fn detail(&mut self, words: impl Display) {
        let text = words.to_string();
        self.output.detail(&text);
        self.keep(&text);
    }

    /// Logs a line without printing it.
    pub(crate) fn keep(&mut self, text: &str) {
        let Some(file) = &mut self.file else {
            return;
        };
        let line = format!("{:.0} {text}\n", Timestamp::now());
        let written = file.write_all(line.as_bytes());
        let is_due = self.synced.elapsed() >= PATIENCE;
        let synced = match is_due {
            true => file.sync_data(),
            false => Ok(()),
        };
        if is_due {
            self.synced = Instant::now();
        }
        if written.and(synced).is_err() {
            self.file = None;
        }
    }
}

impl Drop for SessionLog<'_> {
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            let _ = file.sync_data();
        }
    }
}
