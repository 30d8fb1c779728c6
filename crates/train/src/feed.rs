//! The positions of a training: which files and which games of them are learned
//! from, which it is judged by, and how far it has come through them.
//!
//! It must not know what learns.

use crate::settings::{CourseSettings, differences};
use crate::{Counters, Measured, Schedule, TrainError};
use data::loader::{self, Loader, LoaderError, Part, Point, Sample};
use data::packed::PackedPosition;
use data::position::Labels;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Positions to learn from, batch after batch, and those to judge by.
pub(crate) struct Feed<S: Sample = PackedPosition> {
    loader: Loader<S>,
    loaded: loader::Batch<S>,
    pub(crate) validation: Vec<S>,
    pub(crate) counters: Counters,
}

/// Where a training stands in its course, as checkpoints keep it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// What the training depends on; only the same may go on.
    pub(crate) settings: String,
    /// How many steps were made.
    pub(crate) steps: u64,
    /// Where the loader stands.
    pub(crate) point: Point,
    /// The losses of the epoch so far, as bits.
    epoch_loss_bits: u64,
}

impl Mark {
    /// Before the first step of any data.
    pub(crate) fn nowhere() -> Mark {
        Mark {
            settings: String::new(),
            steps: 0,
            point: Point {
                epoch: 0,
                batch: 0,
                window: 0,
                offset: 0,
                fingerprint: 0,
            },
            epoch_loss_bits: 0,
        }
    }

    /// Where a training stands.
    pub(crate) fn new(settings: String, counters: &Counters, point: Point) -> Mark {
        Mark {
            settings,
            steps: counters.steps,
            point,
            epoch_loss_bits: counters.loss_sum.to_bits(),
        }
    }

    /// Sets counters to what they were.
    pub(crate) fn restore(&self, counters: &mut Counters) {
        counters.steps = self.steps;
        counters.loss_sum = f64::from_bits(self.epoch_loss_bits);
    }

    /// Refuses a checkpoint of other settings.
    pub(crate) fn check_settings(&self, now: &str, path: &Path) -> Result<(), TrainError> {
        let differences = differences(&self.settings, now);
        match differences.is_empty() {
            true => Ok(()),
            false => Err(TrainError::OtherSettings {
                path: path.to_owned(),
                differences,
            }),
        }
    }
}

impl<S: Sample> Feed<S> {
    /// Opens the data at their beginning.
    pub(crate) fn open(course: &CourseSettings, threads: usize) -> Result<Feed<S>, TrainError> {
        let [training, validation] = sources(course, threads)?;
        let validation = loader::load(validation, course.validation_positions)?;
        let epoch_positions = match course.epoch_positions {
            Some(positions) => positions,
            None => count(training.clone())?,
        };
        Ok(Feed {
            loader: Loader::open(training)?,
            loaded: loader::Batch::default(),
            validation,
            counters: Counters::new(
                epoch_positions.div_ceil(course.batch as u64),
                course.epochs,
                course.batch,
                course.checkpoint_steps,
            ),
        })
    }

    /// The positions of the next step.
    pub(crate) fn next(&mut self) -> Result<&[S], LoaderError> {
        self.loader.next(&mut self.loaded)?;
        Ok(&self.loaded.positions)
    }

    /// A schedule's value for the next step.
    pub(crate) fn now(&self, schedule: &Schedule) -> f64 {
        let passed = self.counters.steps as f64 / self.counters.epoch_steps as f64;
        schedule.value(passed, self.counters.epochs as f64)
    }

    /// Counts a step that was made with the positions given last.
    pub(crate) fn count(&mut self, loss: f64, learning_rate: f64) -> Measured {
        self.counters.count(loss);
        Measured {
            step: self.counters.steps,
            loss,
            positions: self.loaded.positions.len(),
            learning_rate,
        }
    }

    /// A number that other data hardly have.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.loader.point().fingerprint
    }

    /// Where it stands.
    pub(crate) fn mark(&self, settings: String) -> Mark {
        Mark::new(settings, &self.counters, self.loader.point())
    }

    /// Goes on where a mark was made.
    pub(crate) fn go_to(&mut self, mark: &Mark) -> Result<(), LoaderError> {
        mark.restore(&mut self.counters);
        self.loader.go_to(mark.point)
    }
}

/// What is learned from, and what is judged by.
fn sources(course: &CourseSettings, threads: usize) -> Result<[loader::Settings; 2], TrainError> {
    let filters = course.filters()?;
    let source = |files: &[PathBuf], part| {
        let mut source = loader::Settings::new(files.to_vec());
        source.batch = course.batch;
        source.seed = course.seed;
        source.threads = threads;
        source.filters = filters.clone();
        source.labels = match course.white_labels {
            true => Labels::White,
            false => Labels::SideToMove,
        };
        source.part = part;
        source
    };
    let share = course.validation_share;
    Ok(match &course.validation[..] {
        [] => {
            [Part::Training(share), Part::Validation(share)].map(|part| source(&course.data, part))
        }
        files => [&course.data, files].map(|files| source(files, Part::All)),
    })
}

/// How many positions there are.
fn count(settings: loader::Settings) -> Result<u64, LoaderError> {
    let mut loader: Loader = Loader::open(settings)?;
    let mut batch = loader::Batch::default();
    let mut positions = 0;
    loop {
        loader.next(&mut batch)?;
        if batch.epoch > 0 {
            return Ok(positions);
        }
        positions += batch.positions.len() as u64;
    }
}
