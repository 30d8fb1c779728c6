//! What the commands about runs, selections, studies and ladders have in common: their folders,
//! names and settings files, and the display of a step.
//!
//! It must not know how a run or a selection works.

pub(crate) mod file;
mod line_wrap;
mod options;
mod session_log;
mod step;

pub(crate) use line_wrap::wrapped;
pub(crate) use options::{Opened, Undertaking, WorkOptions};
pub(crate) use session_log::SessionLog;
pub(crate) use step::StepBar;

use crate::exit::{Interrupted, WrongInput};
use crate::group::ClusterOptions;
use crate::output::{Output, fitted};
use crate::progress::Progress;
use crate::version;
use crate::version::BuildOptions;
use engines::words::meant;
use lab::presets::Preset;
use lab::{Ending, LabError, Program};
use std::path::{Path, PathBuf};

/// The folder of runs.
pub(crate) const RUNS: Collection = Collection {
    root: "runs",
    command: "run",
};
/// The folder of selections.
pub(crate) const SELECTIONS: Collection = Collection {
    root: "selections",
    command: "select",
};

/// The folder of studies.
pub(crate) const STUDIES: Collection = Collection {
    root: "studies",
    command: "study",
};

/// The folder of ladders.
pub(crate) const LADDERS: Collection = Collection {
    root: "ladders",
    command: "ladder",
};

/// The folders of one kind of work.
#[derive(Clone, Copy)]
pub(crate) struct Collection {
    /// The folder that contains them.
    pub(crate) root: &'static str,
    /// The command that works on them.
    command: &'static str,
}

/// This program, for manifests.
pub(crate) fn program(build: &BuildOptions) -> Program {
    Program {
        version: version::short(),
        author: build.author(),
    }
}

/// Errors that the user can correct become wrong input.
pub(crate) fn explained(error: LabError) -> anyhow::Error {
    match error.is_wrong_input() {
        true => WrongInput::new(error.to_string()).into(),
        false => error.into(),
    }
}

/// The duration of a dry run's trials; games in progress are then finished.
pub(crate) const TRIAL_SECONDS: f64 = 10.0;

/// Runs a trial while progress is shown.
pub(crate) fn tried<T>(
    output: &Output,
    trial: impl FnOnce() -> Result<T, LabError>,
) -> anyhow::Result<T> {
    let progress = Progress::new(output, 1, "trial");
    let tried = trial();
    drop(progress);
    match tried {
        Err(LabError::Stopped) => Err(Interrupted.into()),
        tried => tried.map_err(explained),
    }
}

/// A duration as hours, minutes and seconds.
pub(crate) fn time(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours}:{minutes:02}:{:02}", seconds % 60)
}

/// The parser would wrap longer lines of help again on a terminal of 80 columns.
const HELP_COLUMNS: usize = 78;

/// The examples of a command's help, and its presets.
pub(crate) fn help(examples: &str, presets: &[Preset]) -> String {
    let width = presets.iter().map(|preset| preset.name.len()).max();
    let width = width.unwrap_or_default();
    let mut text = examples.to_owned();
    for preset in presets {
        let line = format!("  {:width$}  {}\n", preset.name, preset.summary);
        text += &fitted(&line, Some(HELP_COLUMNS));
    }
    text
}

impl Collection {
    /// The folder with this name or path.
    fn folder_of(self, name: &Path) -> PathBuf {
        let below = Path::new(self.root).join(name);
        match name.components().count() == 1 && below.is_dir() {
            true => below,
            false => name.to_owned(),
        }
    }

    /// The existing folder with this name or path.
    pub(crate) fn existing(self, name: &Path) -> Result<PathBuf, WrongInput> {
        let folder = self.folder_of(name);
        if folder.is_dir() {
            return Ok(folder);
        }
        let below = Path::new(self.root).join(name);
        let places = match name.components().count() {
            1 => format!(
                "neither {} nor {} is a folder",
                below.display(),
                name.display()
            ),
            _ => format!("{} is not a folder", name.display()),
        };
        Err(WrongInput::new(format!("{places}; {}", self.advice(name))))
    }

    /// Suggests similar names, or lists existing ones.
    fn advice(self, name: &Path) -> String {
        /// Longer lists would not help.
        const MOST_NAMES: usize = 8;
        let entries = std::fs::read_dir(self.root).into_iter().flatten();
        let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let folders = folders.filter(|path| path.is_dir());
        let mut names: Vec<String> = folders.map(|folder| self.name_of(&folder)).collect();
        names.sort();
        let shown = name.display().to_string();
        let more = names.len().saturating_sub(MOST_NAMES);
        match (meant(&shown, names.iter().map(String::as_str)), more) {
            (Some(meant), _) => format!("did you mean '{meant}'?{}", self.where_listed()),
            _ if names.is_empty() => format!("{} holds nothing yet", self.root),
            (None, 0) => format!(
                "{} holds {}{}",
                self.root,
                names.join(", "),
                self.where_listed()
            ),
            (None, more) => {
                let first = names[..MOST_NAMES].join(", ");
                let listed = self.where_listed();
                format!("{} holds {first} and {more} more{listed}", self.root)
            }
        }
    }

    /// A hint at the command that lists all of them, if there is one.
    fn where_listed(self) -> &'static str {
        match self.root == RUNS.root {
            true => " (`tabia runs list` shows all)",
            false => "",
        }
    }

    /// The name of a folder on the command line.
    pub(crate) fn name_of(self, folder: &Path) -> String {
        let short = folder.strip_prefix(self.root).unwrap_or(folder);
        let text = short.display().to_string();
        match shlex::try_quote(&text) {
            Ok(quoted) => quoted.into_owned(),
            Err(_) => text,
        }
    }

    /// The command that resumes the work.
    pub(crate) fn to_go_on(self, folder: &Path) -> String {
        let cluster = ClusterOptions::as_typed();
        format!(
            "tabia {} --resume {}{cluster}",
            self.command,
            self.name_of(folder)
        )
    }

    /// The result of the work in a folder; if it is unfinished, the command to resume is printed.
    pub(crate) fn finished<T>(
        self,
        folder: &Path,
        ending: Result<Ending<T>, LabError>,
        output: &Output,
    ) -> anyhow::Result<T> {
        let to_go_on = self.to_go_on(folder);
        match ending {
            Ok(Ending::Finished(result)) => Ok(*result),
            Ok(Ending::Stopped) => {
                output.note(format_args!("to resume: {to_go_on}"));
                Err(Interrupted.into())
            }
            Err(error) => {
                output.note(format_args!("finished work is kept; to resume: {to_go_on}"));
                Err(explained(error))
            }
        }
    }

    /// A folder with this name, or with a number added if it exists.
    pub(crate) fn free_folder(
        self,
        out: Option<&Path>,
        name: &str,
        is_unfinished: impl Fn(&Path) -> bool,
        output: &Output,
    ) -> Result<PathBuf, WrongInput> {
        if let Some(out) = out {
            return Ok(out.to_owned());
        }
        let root = Path::new(self.root);
        let names =
            std::iter::once(name.to_owned()).chain((2..).map(|number| format!("{name}-{number}")));
        for name in names {
            let folder = root.join(name);
            if !folder.exists() {
                return Ok(folder);
            }
            if is_unfinished(&folder) {
                output.note(format_args!(
                    "{} is not finished; to resume it: {}",
                    folder.display(),
                    self.to_go_on(&folder)
                ));
            }
        }
        Err(WrongInput::new(
            "no free name for the folder; give one with --out",
        ))
    }
}
