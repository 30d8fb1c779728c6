//! Gives a run more seeds, generations or verdict games after it has begun.

use crate::error::LabError;
use crate::run_file::{
    self, EXTENSION_FILE, Extension, STATE_FILE, Verdict, check, joined, only_these,
};
use crate::settings::{Experiment, SettingsError};
use crate::state;
use std::path::Path;
use train::Learners;

/// Adds the settings of a TOML text to the run in a folder.
pub(crate) fn extend(folder: &Path, additions: &str, learners: &Learners) -> Result<(), LabError> {
    let refused = |problem: SettingsError| LabError::Extension(problem.message);
    let additions: Extension =
        toml::from_str(additions).map_err(|error| refused(only_these(&error)))?;
    let before = run_file::open(folder, learners)?;
    let (_, text) = run_file::text_of(folder)?;
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
    check(&after)?;
    data::journal::check_unused(&folder.join(STATE_FILE), &state::KIND)?;
    let path = folder.join(EXTENSION_FILE);
    data::file::write(&path, extension.as_bytes()).map_err(|cause| LabError::file(path, cause))
}

/// Checks that nothing was reduced.
fn grown(before: &Experiment, after: &Experiment) -> Result<(), String> {
    if let Some(seed) = (before.seeds.iter()).find(|seed| !after.seeds.contains(seed)) {
        return Err(format!(
            "seeds: {seed} is missing; give all old seeds and the new ones: {:?}",
            before.seeds
        ));
    }
    if after.generations < before.generations {
        let Experiment { generations, .. } = before;
        return Err(format!("generations: the run already has {generations}"));
    }
    if after.verdict.games < before.verdict.games {
        let games = before.verdict.games;
        return Err(format!("verdict.games: the run already plays {games}"));
    }
    Ok(())
}
