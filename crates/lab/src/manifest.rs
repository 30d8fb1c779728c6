//! The manifest of a run: settings, seeds, programs, machine, and the hash of every model and
//! shard.

use crate::error::LabError;
use crate::folder::{FileRecord, Folder};
use crate::machine::Machine;
use crate::seeds::{Purpose, seed};
use crate::settings::Experiment;
use crate::state::{Line, Step};
use crate::steps::{Beginning, Played, Promotion, Trained};
use crate::verdict::{Conclusion, Ruling};
use data::journal::{Author, Build};
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;

/// The file name of the manifest.
pub(crate) const FILE: &str = "manifest.json";
/// The version of the format.
const FORMAT: u32 = 1;

/// A version of this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its version and commit.
    pub version: String,
    /// The build, identified by what its results depend on.
    pub author: Author,
}

/// The manifest of a run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Manifest {
    format: u32,
    pub(crate) name: String,
    /// The version of every program that worked on the run.
    pub(crate) programs: Vec<String>,
    /// Those builds that may give different results.
    pub(crate) builds: Vec<Build>,
    pub(crate) machine: Machine,
    pub(crate) begun: Option<Timestamp>,
    pub(crate) latest: Option<Timestamp>,
    /// The seconds of all finished steps.
    pub(crate) seconds: f64,
    pub(crate) finished: bool,
    /// Whether the games depend on the speed of the machine.
    pub(crate) is_timed: bool,
    pub(crate) fingerprint: String,
    pub(crate) experiment: Experiment,
    /// By run seed: the seeds of the first weights and of each generation's games.
    seeds: BTreeMap<u64, Seeds>,
    /// Models and shards.
    files: Vec<FileRecord>,
}

#[derive(Clone, Debug, Serialize)]
struct Seeds {
    weights: u64,
    selfplay: Vec<u64>,
}

impl Manifest {
    pub(crate) fn new(
        folder: &Folder,
        experiment: &Experiment,
        program: &Program,
        builds: Vec<Build>,
        lines: &[Line],
        conclusion: &Conclusion,
    ) -> Manifest {
        let mut programs: Vec<String> = noted(folder, "programs");
        if !programs.contains(&program.version) {
            programs.push(program.version.clone());
        }
        let first = lines.first();
        let begun = first.map(|line| {
            let before = jiff::SignedDuration::try_from_secs_f64(line.seconds);
            let begun = before
                .ok()
                .and_then(|before| line.at.checked_sub(before).ok());
            begun.unwrap_or(line.at)
        });
        let name = folder.root().file_name().unwrap_or_default();
        Manifest {
            format: FORMAT,
            name: name.display().to_string(),
            programs,
            builds,
            machine: Machine::here(),
            begun,
            latest: lines.last().map(|line| line.at),
            seconds: lines.iter().map(|line| line.seconds).sum(),
            finished: is_finished(experiment, lines, conclusion),
            is_timed: experiment.is_timed(),
            fingerprint: experiment.fingerprint.clone(),
            experiment: experiment.clone(),
            seeds: seeds(experiment),
            files: lines.iter().flat_map(files).collect(),
        }
    }

    pub(crate) fn write(&self, folder: &Folder) -> Result<(), LabError> {
        let path = folder.path(FILE);
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        data::file::write(&path, format!("{text}\n").as_bytes())
            .map_err(|cause| LabError::file(path, cause))
    }
}

/// Whether all steps are done.
pub(crate) fn is_finished(
    experiment: &Experiment,
    lines: &[Line],
    conclusion: &Conclusion,
) -> bool {
    let mut lanes = experiment
        .arms
        .keys()
        .flat_map(|arm| experiment.seeds.iter().map(move |&seed| (arm, seed)));
    let is_raised = lanes.all(|(arm, seed)| {
        let is_promotion = |line: &&Line| {
            let place = &line.place;
            place.step == Step::Promotion && place.arm == *arm && place.seed == seed
        };
        let done = lines.iter().filter(is_promotion).count() as u32;
        done >= experiment.generations || is_time_over(experiment, lines, (arm, seed), done + 1)
    });
    let is_judged = conclusion.seeds.len() == experiment.seeds.len();
    is_raised
        && (is_judged && conclusion.ruling != Ruling::Unfinished || experiment.verdict.games == 0)
}

/// Whether the time of an arm with a seed is over before this generation begins. Only earlier
/// generations count, so that a generation that was begun is completed.
pub(crate) fn is_time_over(
    experiment: &Experiment,
    lines: &[Line],
    (arm, seed): (&str, u64),
    generation: u32,
) -> bool {
    let before = |line: &&Line| {
        let place = &line.place;
        place.arm == arm && place.seed == seed && place.generation < generation
    };
    let seconds = lines.iter().filter(before).map(|line| line.seconds);
    experiment
        .hours
        .is_some_and(|hours| seconds.sum::<f64>() >= 3600.0 * hours)
}

fn seeds(experiment: &Experiment) -> BTreeMap<u64, Seeds> {
    let of = |&run: &u64| {
        let generations = 1..=experiment.generations;
        let seeds = Seeds {
            weights: seed(run, 0, Purpose::Weights),
            selfplay: generations
                .map(|generation| seed(run, generation, Purpose::SelfPlay))
                .collect(),
        };
        (run, seeds)
    };
    experiment.seeds.iter().map(of).collect()
}

/// The latest records of all files of finished steps, those that are kept and those that may have
/// been removed.
pub(crate) fn noted_files(lines: &[Line]) -> BTreeMap<String, FileRecord> {
    let checkpoint = |line: &Line| match line.place.step {
        Step::Beginning => line.result().map(|step: Beginning| step.checkpoint),
        Step::Training => line.result().map(|step: Trained| step.checkpoint),
        _ => None,
    };
    let all = lines
        .iter()
        .flat_map(|line| files(line).into_iter().chain(checkpoint(line)));
    all.map(|file| (file.path.clone(), file)).collect()
}

/// The models and shards of a step.
fn files(line: &Line) -> Vec<FileRecord> {
    match line.place.step {
        Step::Beginning => line.result().map(|step: Beginning| vec![step.model.file]),
        Step::Selfplay => line.result().map(|step: Played| vec![step.shard]),
        Step::Training => line.result().map(|step: Trained| vec![step.candidate.file]),
        Step::Promotion => line.result().map(|step: Promotion| vec![step.version.file]),
        _ => None,
    }
    .unwrap_or_default()
}

/// A list in the manifest that was written last; empty if there is none.
fn noted<T: DeserializeOwned>(folder: &Folder, key: &str) -> Vec<T> {
    let text = std::fs::read_to_string(folder.path(FILE)).unwrap_or_default();
    let manifest: Value = serde_json::from_str(&text).unwrap_or_default();
    serde_json::from_value(manifest[key].clone()).unwrap_or_default()
}

/// The builds that have worked on a run, according to its manifest.
pub(crate) fn builds(folder: &Folder) -> Vec<Build> {
    noted(folder, "builds")
}
