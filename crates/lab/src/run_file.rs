//! The run file of a folder, with what was added after the run had begun.
//!
//! `run.toml` stays as it was when the run began. `extension.toml` next to it holds the additions
//! and is read on top of it, so that finished steps stay valid and an extension changes a single
//! file. This module must not know how steps are done.

use crate::error::LabError;
use crate::matches;
use crate::settings::{self, Experiment, SettingsError, from_table, put};
use crate::verdict::Rule;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use toml::de::DeTable;
use train::Learners;

/// The file name of the settings.
pub(crate) const RUN_FILE: &str = "run.toml";
/// The file name of the additions.
pub(crate) const EXTENSION_FILE: &str = "extension.toml";
/// The file name of the state.
pub(crate) const STATE_FILE: &str = "state.jsonl";

/// What can be added.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Extension {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seeds: Option<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) generations: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) verdict: Option<Verdict>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verdict {
    pub(crate) games: u64,
}

/// Reads the run file of a folder.
pub(crate) fn open(path: &Path, learners: &Learners) -> Result<Experiment, LabError> {
    let (run_file, text) = text_of(path)?;
    let begun = understood(&run_file, &text, settings::read(&text, learners))?;
    extended(path, begun, &text, learners)
}

/// The same, also for a run that an earlier version began: for reading only.
pub(crate) fn open_to_look(path: &Path, learners: &Learners) -> Result<Experiment, LabError> {
    let (run_file, text) = text_of(path)?;
    let begun = understood(&run_file, &text, settings::read_earlier(&text, learners))?;
    extended(path, begun, &text, learners)
}

/// The run file of a folder, and its text.
pub(crate) fn text_of(path: &Path) -> Result<(PathBuf, String), LabError> {
    let run_file = path.join(RUN_FILE);
    match data::file::read_settings(&run_file) {
        Ok(text) => Ok((run_file, text)),
        Err(cause) if cause.kind() == ErrorKind::NotFound => Err(LabError::NoRun(path.to_owned())),
        Err(cause) => Err(LabError::file(&run_file, cause)),
    }
}

pub(crate) fn understood(
    path: &Path,
    text: &str,
    read: Result<Experiment, SettingsError>,
) -> Result<Experiment, LabError> {
    read.map_err(|problem| LabError::Settings {
        path: PathBuf::from(path),
        line: problem.line(text),
        problem,
    })
}

/// Checks what the run file alone does not show: whether there are enough openings.
pub(crate) fn check(experiment: &Experiment) -> Result<(), LabError> {
    for arm in experiment.arms.values() {
        arm.selfplay.book.open()?;
        let conditions = arm.gate.conditions(&arm.selfplay, 1);
        let games = arm.gate.games().max(arm.gate.baseline_games());
        matches::check("gate", &conditions.book, conditions.random_plies, games)?;
    }
    let finals = &experiment.finals;
    let games = experiment.verdict.games;
    matches::check("verdict", &finals.book, finals.random_plies, games)
}

/// The rule for the verdict.
pub(crate) fn rule_of(run_file: &Path, experiment: &Experiment) -> Result<Rule, LabError> {
    let rule = Rule::of(&experiment.verdict, &experiment.field().arms);
    rule.map_err(|error| LabError::Settings {
        path: run_file.to_owned(),
        line: 1,
        problem: SettingsError::new(format_args!("{}: {}", error.key, error.problem), None),
    })
}

/// The experiment of a run file with the additions, if there are any.
fn extended(
    folder: &Path,
    begun: Experiment,
    text: &str,
    learners: &Learners,
) -> Result<Experiment, LabError> {
    let path = folder.join(EXTENSION_FILE);
    let extension = match data::file::read_settings(&path) {
        Ok(extension) => extension,
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(begun),
        Err(cause) => return Err(LabError::file(path, cause)),
    };
    joined(&begun, text, &extension, learners).map_err(|problem| LabError::Settings {
        line: problem.line(&extension),
        path,
        problem,
    })
}

/// A run file with its extension on top; the fingerprint stays that of the run as it was begun.
pub(crate) fn joined(
    begun: &Experiment,
    text: &str,
    extension: &str,
    learners: &Learners,
) -> Result<Experiment, SettingsError> {
    let _: Extension = toml::from_str(extension).map_err(|error| only_these(&error))?;
    let mut table = DeTable::parse(text)?.into_inner();
    put(&mut table, DeTable::parse(extension)?.into_inner());
    // Errors lose their positions, because it is not known which of the two texts they are in.
    let experiment =
        from_table(table, learners).map_err(|error| SettingsError::new(error.message, None))?;
    Ok(Experiment {
        fingerprint: begun.fingerprint.clone(),
        ..experiment
    })
}

pub(crate) fn only_these(error: &toml::de::Error) -> SettingsError {
    SettingsError::new(
        format_args!(
            "{}; only more `seeds`, `generations` and `verdict.games` can be added to a started \
             run",
            error.message()
        ),
        error.span(),
    )
}
