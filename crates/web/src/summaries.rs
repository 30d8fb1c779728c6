//! Summaries of runs, selections, studies and trainings, and the progress of running steps, as
//! lists and the event stream show them. It must not know about requests.

use lab::catalog::{Work, WorkKind};
use lab::events::Event;
use lab::runs::Overview;
use lab::{selection, study};
use serde::Serialize;
use std::time::SystemTime;

/// A number with its 95 % interval; an end that is infinite is not told.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Interval {
    pub(crate) value: Option<f64>,
    pub(crate) lower: Option<f64>,
    pub(crate) upper: Option<f64>,
}

impl Interval {
    pub(crate) fn new(value: f64, lower: f64, upper: f64) -> Interval {
        let [value, lower, upper] = [value, lower, upper].map(finite);
        Interval {
            value,
            lower,
            upper,
        }
    }
}

/// JSON cannot say that a number is infinite.
pub(crate) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// How some work stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Standing {
    /// Its files were not read yet.
    Unread,
    /// A process works on it.
    Running,
    /// Everything is done.
    Finished,
    /// Nobody works on it, and it can go on.
    Interrupted,
    /// Nobody works on it, and its files do not say whether everything is done.
    Unknown,
    /// Its files cannot be understood.
    Broken,
}

/// Some work in a line.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorkSummary {
    pub(crate) id: String,
    pub(crate) name: String,
    /// run, selection, study or training.
    pub(crate) kind: String,
    pub(crate) title: Option<String>,
    pub(crate) standing: Standing,
    /// What is wrong with its files.
    pub(crate) problem: Option<String>,
    pub(crate) arms: Vec<String>,
    pub(crate) seeds: usize,
    /// What `done` and `of` count.
    pub(crate) unit: String,
    pub(crate) done: usize,
    /// 0 if that is not known.
    pub(crate) of: usize,
    /// The step that ended last, in words.
    pub(crate) latest: Option<String>,
    /// The strength that was measured last.
    pub(crate) elo: Option<Interval>,
    /// Whose strength that is.
    pub(crate) elo_of: Option<String>,
    pub(crate) ruling: Option<String>,
    /// Seconds of all finished steps, if they were noted.
    pub(crate) seconds: Option<f64>,
    /// Seconds that the rest will take if it goes on like this.
    pub(crate) seconds_left: Option<f64>,
    pub(crate) bytes: u64,
    /// When something changed last, in milliseconds since 1970.
    pub(crate) changed: f64,
    pub(crate) tags: Vec<String>,
}

/// How far a running step is.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Progress {
    pub(crate) arm: String,
    pub(crate) seed: u64,
    pub(crate) generation: u32,
    /// Which step, in words.
    pub(crate) step: String,
    pub(crate) unit: String,
    pub(crate) done: f64,
    pub(crate) of: f64,
    pub(crate) loss: Option<f64>,
    /// The match in play.
    pub(crate) elo: Option<Interval>,
    /// When this was so, in milliseconds since 1970.
    pub(crate) at: f64,
}

pub(crate) fn unread(work: &Work) -> WorkSummary {
    let changed = work
        .changed()
        .and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    WorkSummary {
        id: work.id.clone(),
        name: work.name().to_owned(),
        kind: kind_word(work.kind).to_owned(),
        title: None,
        standing: Standing::Unread,
        problem: None,
        arms: Vec::new(),
        seeds: 0,
        unit: "generations".to_owned(),
        done: 0,
        of: 0,
        latest: None,
        elo: None,
        elo_of: None,
        ruling: None,
        seconds: None,
        seconds_left: None,
        bytes: 0,
        changed: changed.map_or(0.0, |since| since.as_secs_f64() * 1000.0),
        tags: Vec::new(),
    }
}

pub(crate) fn kind_word(kind: WorkKind) -> &'static str {
    match kind {
        WorkKind::Run => "run",
        WorkKind::Selection => "selection",
        WorkKind::Study => "study",
        WorkKind::Training => "training",
    }
}

/// Fills in what is known of a run; whether it is finished.
pub(crate) fn of_run(item: &mut WorkSummary, run: &Overview) -> bool {
    let experiment = &run.experiment;
    item.title = experiment.title.clone();
    item.arms = experiment.arms.keys().cloned().collect();
    item.seeds = experiment.seeds.len();
    item.done = run.rows.len();
    item.of = item.arms.len() * item.seeds * experiment.generations as usize;
    item.seconds = Some(run.seconds);
    item.bytes = run.bytes;
    item.latest = run.latest.as_ref().map(|place| {
        let lab::Place {
            arm,
            seed,
            generation,
            step,
            ..
        } = place;
        format!("{arm}, seed {seed}, generation {generation}: {step}")
    });
    let strength = |row: &lab::Row| {
        let rating = row
            .rating
            .or_else(|| row.baseline.as_ref().map(lab::Bench::estimate))?;
        Some((
            rating,
            format!("{}, generation {}", row.arm, row.generation),
        ))
    };
    if let Some((rating, whose)) = run.rows.iter().rev().find_map(strength) {
        item.elo = Some(Interval::new(rating.value, rating.lower, rating.upper));
        item.elo_of = Some(whose);
    }
    item.ruling = run.finished.then(|| run.conclusion.ruling.to_string());
    run.finished
}

pub(crate) fn of_selection(item: &mut WorkSummary, course: Option<selection::Course>) -> bool {
    item.unit = "stages".to_owned();
    item.of = selection::Stage::PLAYED.len();
    let Some(course) = course else {
        return false;
    };
    item.done = course.stages.len();
    item.seconds = Some(course.seconds);
    item.title = Some(format!(
        "The best of {} nets",
        course.field.candidates.len()
    ));
    if let Some(best) = course
        .standings()
        .and_then(|standings| standings.rows.first())
    {
        item.elo = Some(Interval::new(
            best.elo.value,
            best.elo.lower,
            best.elo.upper,
        ));
        let candidate = course.field.candidates.get(best.candidate);
        item.elo_of = candidate.map(|candidate| candidate.name.clone());
    }
    if course.choice.is_some() {
        item.done = item.of;
    }
    course.choice.is_some()
}

pub(crate) fn of_study(item: &mut WorkSummary, study: &study::Conclusion) -> bool {
    item.unit = "matches".to_owned();
    let matches: Vec<_> = study
        .claims
        .iter()
        .flat_map(|claim| &claim.matches)
        .collect();
    item.of = matches.len();
    item.done = matches.iter().filter(|row| row.games > 0).count();
    item.arms = study.arms.iter().map(|arm| arm.arm.clone()).collect();
    item.seconds = Some(study.arms.iter().map(|arm| arm.seconds).sum());
    let ruled = study
        .claims
        .iter()
        .map(|claim| format!("{}: {}", claim.name, claim.ruling));
    item.ruling = study.finished.then(|| ruled.collect::<Vec<_>>().join(", "));
    study.finished
}

/// Fills in what is known of a training: whether it is finished, if that was noted.
pub(crate) fn of_training(item: &mut WorkSummary, work: &Work) -> Option<bool> {
    item.unit = "epochs".to_owned();
    let trainings = lab::catalog::trainings(work);
    // Its own epochs, not those of a training in a folder below.
    let own = trainings.iter().find(|(folder, _)| folder.is_empty());
    let epochs = own.map_or(&[][..], |(_, epochs)| epochs);
    item.done = epochs.len();
    item.latest = epochs.last().map(|epoch| {
        format!(
            "epoch {}: validation loss {:.5}",
            epoch.epoch, epoch.validation_loss
        )
    });
    let status = lab::catalog::status(work)?;
    item.of = usize::try_from(status.epochs).unwrap_or(usize::MAX);
    item.seconds = status.seconds;
    Some(status.finished)
}

pub(crate) fn begun_step(place: &lab::Place, at: i64) -> Progress {
    Progress {
        arm: place.arm.clone(),
        seed: place.seed,
        generation: place.generation,
        step: place.step.to_string(),
        unit: String::new(),
        done: 0.0,
        of: 0.0,
        loss: None,
        elo: None,
        at: at as f64,
    }
}

pub(crate) fn progress(place: &lab::Place, event: &Event, at: i64) -> Option<Progress> {
    let told = event.progress()?;
    Some(Progress {
        unit: told.unit.to_owned(),
        done: told.done,
        of: told.of,
        loss: match event {
            Event::Training { loss, .. } => finite(*loss),
            _ => None,
        },
        elo: match event {
            Event::Match { counts, .. } => {
                let elo = lab::Bench::new(*counts).estimate();
                Some(Interval::new(elo.value, elo.lower, elo.upper))
            }
            _ => None,
        },
        ..begun_step(place, at)
    })
}
