//! What a run is made of: settings, seeds, programs, machine, and the hash of every
//! net and shard.

use crate::error::LabError;
use crate::folder::{FileRecord, Folder};
use crate::machine::Machine;
use crate::seeds::{Purpose, seed};
use crate::settings::Experiment;
use crate::state::{Line, Step};
use crate::steps::{Beginning, Played, Promotion, Trained};
use crate::verdict::{Conclusion, Ruling};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The file.
pub(crate) const FILE: &str = "manifest.json";
/// The version of the format.
const FORMAT: u32 = 1;

/// The program that works.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Which build it is.
    pub version: String,
}

/// What a run is made of.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Manifest {
    format: u32,
    pub(crate) name: String,
    /// Every build that worked on it.
    pub(crate) programs: Vec<String>,
    pub(crate) machine: Machine,
    pub(crate) begun: Option<Timestamp>,
    pub(crate) latest: Option<Timestamp>,
    /// Seconds of all finished steps.
    pub(crate) seconds: f64,
    pub(crate) finished: bool,
    /// Whether the same file gives other games elsewhere.
    pub(crate) is_timed: bool,
    pub(crate) fingerprint: String,
    pub(crate) experiment: Experiment,
    /// By seed: what decides the first weights, and the games of each generation.
    seeds: BTreeMap<u64, Seeds>,
    /// Nets and shards.
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
        lines: &[Line],
        conclusion: &Conclusion,
    ) -> Manifest {
        let mut programs = programs(folder);
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

/// Whether all steps are there.
pub(crate) fn is_finished(
    experiment: &Experiment,
    lines: &[Line],
    conclusion: &Conclusion,
) -> bool {
    let wanted = experiment.arms.len() * experiment.seeds.len() * experiment.generations as usize;
    let is_promotion = |line: &&Line| line.place.step == Step::Promotion;
    let is_raised = lines.iter().filter(is_promotion).count() == wanted;
    let is_judged = conclusion.seeds.len() == experiment.seeds.len();
    is_raised
        && (is_judged && conclusion.ruling != Ruling::Unfinished || experiment.verdict.games == 0)
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

/// The nets and shards of a step.
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

/// The builds that have worked on the run before.
fn programs(folder: &Folder) -> Vec<String> {
    let text = std::fs::read_to_string(folder.path(FILE)).unwrap_or_default();
    let manifest: Value = serde_json::from_str(&text).unwrap_or_default();
    serde_json::from_value(manifest["programs"].clone()).unwrap_or_default()
}

/// What to say if another build has worked on the run.
pub(crate) fn another_program(folder: &Folder, program: &Program) -> Option<String> {
    let before = programs(folder);
    (!before.is_empty() && !before.contains(&program.version)).then(|| {
        format!(
            "this run was begun with {}, and this is {}: the same run file may give other games",
            before.join(", "),
            program.version
        )
    })
}
