//! Runs in folders, for reading only.
//!
//! Nothing here works on a run, but its report can be written again from its state.

use crate::error::LabError;
use crate::finals::conclude;
use crate::folder::{Folder, size};
use crate::manifest::{self, Manifest, Program};
use crate::metrics::{self, Row};
use crate::report;
use crate::run_file::{self, RUN_FILE, STATE_FILE, rule_of};
use crate::settings::Experiment;
use crate::state::{self, Line, Place};
use crate::verdict::Conclusion;
use serde::Serialize;
use std::path::{Path, PathBuf};
use train::Learners;

/// A run with its results so far.
#[derive(Debug)]
pub struct Overview {
    /// The name of its folder.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Its settings.
    pub experiment: Experiment,
    /// Its finished generations.
    pub rows: Vec<Row>,
    /// The conclusion from its final matches.
    pub conclusion: Conclusion,
    /// Whether all steps are done.
    pub finished: bool,
    /// The step that ended last.
    pub latest: Option<Place>,
    /// Seconds of all finished steps.
    pub seconds: f64,
    /// The size of all files.
    pub bytes: u64,
}

/// The run in a folder.
///
/// # Errors
/// If there is no run, or it cannot be read.
pub fn look(path: &Path, learners: &Learners) -> Result<Overview, LabError> {
    let experiment = run_file::open_to_look(path, learners)?;
    let folder = Folder::open(path)?;
    let lines = lines(&folder)?;
    let conclusion = conclusion(path, &experiment, &lines)?;
    let name = folder.root().file_name().unwrap_or_default();
    Ok(Overview {
        name: name.display().to_string(),
        rows: metrics::rows(&lines),
        finished: manifest::is_finished(&experiment, &lines, &conclusion),
        latest: lines.last().map(|line| line.place.clone()),
        seconds: lines.iter().map(|line| line.seconds).sum(),
        bytes: size(path),
        folder: path.to_owned(),
        experiment,
        conclusion,
    })
}

/// The model that an arm with a seed had after some hours of work.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Checkpoint {
    /// The arm.
    pub arm: String,
    /// The seed.
    pub seed: u64,
    /// The hours asked for.
    pub hours: f64,
    /// The last generation that had ended by then.
    pub generation: u32,
    /// When it ended, in hours of work.
    pub ended: f64,
    /// The number of games of all generations up to it.
    pub games: u64,
    /// The number of their positions.
    pub positions: u64,
    /// The number of positions that models evaluated for them; 0 without exploration.
    pub evaluations: u64,
    /// The file of the model that plays after it.
    pub net: PathBuf,
}

impl Overview {
    /// The models that each arm and seed had after these hours of work, where it went that far.
    /// Only the time of finished steps counts, not pauses.
    pub fn checkpoints(&self, hours: &[f64]) -> Vec<Checkpoint> {
        let mut checkpoints = Vec::new();
        for arm in self.experiment.arms.keys() {
            for &seed in &self.experiment.seeds {
                let is_own = |row: &&Row| row.arm == *arm && row.seed == seed;
                let own: Vec<&Row> = self.rows.iter().filter(is_own).collect();
                let found = hours
                    .iter()
                    .filter_map(|&hours| self.checkpoint(&own, hours));
                checkpoints.extend(found);
            }
        }
        checkpoints
    }

    /// `None` if the work did not go that far.
    fn checkpoint(&self, rows: &[&Row], hours: f64) -> Option<Checkpoint> {
        let ended = |row: &Row| row.elapsed / 3600.0;
        let count = rows.iter().filter(|row| ended(row) <= hours).count();
        let last = rows[..count].last()?;
        // The generation that was in progress does not count. A run whose last generation ended
        // shortly before the time counts as having gone that far.
        let goes_on = rows.len() > count || ended(last) >= 0.9 * hours;
        goes_on.then(|| Checkpoint {
            arm: last.arm.clone(),
            seed: last.seed,
            hours,
            generation: last.generation,
            ended: ended(last),
            games: rows[..count].iter().map(|row| row.games).sum(),
            positions: rows[..count].iter().map(|row| row.positions).sum(),
            evaluations: (rows[..count].iter())
                .filter_map(|row| Some(row.explored.as_ref()?.evaluations))
                .sum(),
            net: self.folder.join(&last.version),
        })
    }
}

/// The files of a run that have changed since they were written. Missing files are not listed: they
/// are no longer needed.
///
/// # Errors
/// If there is no run, or its state cannot be read.
pub fn damaged_files(path: &Path) -> Result<Vec<PathBuf>, LabError> {
    let folder = Folder::open(path)?;
    let files = manifest::noted_files(&lines(&folder)?);
    let found = files.values().map(|file| folder.find(file));
    let damaged = found.filter_map(|found| match found {
        Ok(_) | Err(LabError::Missing(_)) => None,
        Err(LabError::Damaged(path)) => Some(Ok(path)),
        Err(error) => Some(Err(error)),
    });
    damaged.collect()
}

/// The finished steps of the run of a folder.
pub(crate) fn state_lines(path: &Path) -> Result<Vec<Line>, LabError> {
    lines(&Folder::open(path)?)
}

fn lines(folder: &Folder) -> Result<Vec<Line>, LabError> {
    let path = folder.path(STATE_FILE);
    match path.exists() {
        true => state::look(&path),
        false => Ok(Vec::new()),
    }
}

fn conclusion(
    path: &Path,
    experiment: &Experiment,
    lines: &[Line],
) -> Result<Conclusion, LabError> {
    let rule = rule_of(&path.join(RUN_FILE), experiment)?;
    Ok(conclude(experiment, &rule, lines))
}

/// The folders directly below this one that hold runs, by name.
///
/// # Errors
/// If the folder cannot be read.
pub fn list(root: &Path) -> Result<Vec<PathBuf>, LabError> {
    let wrong = |cause| LabError::file(root, cause);
    let mut runs = Vec::new();
    for entry in std::fs::read_dir(root).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.join(RUN_FILE).is_file() {
            runs.push(path);
        }
    }
    runs.sort();
    Ok(runs)
}

/// Writes the report, pictures and tables of a run again; returns the path of the page.
///
/// # Errors
/// If there is no run, or files cannot be written.
pub fn report(path: &Path, program: &Program, learners: &Learners) -> Result<PathBuf, LabError> {
    let experiment = run_file::open_to_look(path, learners)?;
    let folder = Folder::open(path)?;
    let lines = lines(&folder)?;
    let rows = metrics::rows(&lines);
    let conclusion = conclusion(path, &experiment, &lines)?;
    let manifest = Manifest::new(
        &folder,
        &experiment,
        program,
        manifest::builds(&folder),
        &lines,
        &conclusion,
    );
    report::write(&folder, &experiment, &manifest, &rows, &conclusion)?;
    Ok(path.join(report::PAGE))
}

/// Deletes a run that no process works on.
///
/// # Errors
/// If there is no run, or it cannot be deleted.
pub fn remove(path: &Path) -> Result<(), LabError> {
    if !path.join(RUN_FILE).is_file() {
        return Err(LabError::NoRun(path.to_owned()));
    }
    let state = path.join(STATE_FILE);
    data::journal::check_unused(&state, &state::KIND)?;
    std::fs::remove_dir_all(path).map_err(|cause| LabError::file(path, cause))
}
