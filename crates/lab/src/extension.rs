//! What a run was given after it had begun: more seeds, generations or verdict games.
//!
//! `run.toml` stays as it was when the run began. `extension.toml` beside it holds what was
//! added and is read on top of it, so that finished steps stay valid and one file changes at
//! once. It must not know how steps are done.

use crate::error::LabError;
use crate::experiment::{self, STATE_FILE};
use crate::settings::{Experiment, SettingsError, from_table, put};
use crate::state;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::Path;
use toml::de::DeTable;
use train::Learners;

/// The file.
pub(crate) const FILE: &str = "extension.toml";

/// What can grow.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Extension {
    #[serde(skip_serializing_if = "Option::is_none")]
    seeds: Option<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generations: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdict {
    games: u64,
}

/// The experiment of a run file with what was added to it since.
pub(crate) fn extended(
    folder: &Path,
    begun: Experiment,
    text: &str,
    learners: &Learners,
) -> Result<Experiment, LabError> {
    let path = folder.join(FILE);
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

/// Adds to the run of a folder what a text of TOML says.
pub(crate) fn extend(folder: &Path, additions: &str, learners: &Learners) -> Result<(), LabError> {
    let refused = |problem: SettingsError| LabError::Extension(problem.message);
    let additions: Extension =
        toml::from_str(additions).map_err(|error| refused(only_these(&error)))?;
    let before = experiment::open(folder, learners)?;
    let (_, text) = experiment::run_file(folder)?;
    let extension = Extension {
        seeds: Some(additions.seeds.unwrap_or(before.seeds.clone())),
        generations: Some(additions.generations.unwrap_or(before.generations)),
        verdict: Some(additions.verdict.unwrap_or(Verdict {
            games: before.verdict.games,
        })),
    };
    let extension =
        toml::to_string(&extension).map_err(|error| refused(SettingsError::new(error, None)))?;
    let after = joined(&before, &text, &extension, learners).map_err(refused)?;
    grown(&before, &after).map_err(LabError::Extension)?;
    experiment::check(&after)?;
    data::journal::check_unused(&folder.join(STATE_FILE), &state::KIND)?;
    let path = folder.join(FILE);
    data::file::write(&path, extension.as_bytes()).map_err(|cause| LabError::file(path, cause))
}

/// A run file with its extension on top; for the state it is still the run that was begun.
fn joined(
    begun: &Experiment,
    text: &str,
    extension: &str,
    learners: &Learners,
) -> Result<Experiment, SettingsError> {
    let _: Extension = toml::from_str(extension).map_err(|error| only_these(&error))?;
    let mut table = DeTable::parse(text)?.into_inner();
    put(&mut table, DeTable::parse(extension)?.into_inner());
    // Places in two texts cannot be told apart.
    let experiment =
        from_table(table, learners).map_err(|error| SettingsError::new(error.message, None))?;
    Ok(Experiment {
        fingerprint: begun.fingerprint.clone(),
        ..experiment
    })
}

fn only_these(error: &toml::de::Error) -> SettingsError {
    SettingsError::new(
        format_args!(
            "{}; a run that has begun can be given more `seeds`, `generations` and \
             `verdict.games`, and nothing else",
            error.message()
        ),
        error.span(),
    )
}

/// Whether nothing became less.
fn grown(before: &Experiment, after: &Experiment) -> Result<(), String> {
    if let Some(seed) = (before.seeds.iter()).find(|seed| !after.seeds.contains(seed)) {
        return Err(format!(
            "seeds: {seed} is missing; name all old seeds and the new ones: {:?}",
            before.seeds
        ));
    }
    if after.generations < before.generations {
        let Experiment { generations, .. } = before;
        return Err(format!("generations: the run has {generations} already"));
    }
    if after.verdict.games < before.verdict.games {
        let games = before.verdict.games;
        return Err(format!("verdict.games: the run plays {games} already"));
    }
    Ok(())
}
