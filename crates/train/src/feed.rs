//! The positions of a training: which files and which of their games are used for training and
//! which for validation, and how far the training has got.
//!
//! It must not know what is trained.

use crate::settings::{CourseSettings, differences};
use crate::{Counters, Measured, Schedule, TrainError};
use data::loader::{self, Loader, LoaderError, Part, Point, Sample};
use data::packed::PackedPosition;
use data::position::Labels;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Training positions, batch after batch, and validation positions.
pub(crate) struct Feed<S: Sample = PackedPosition> {
    loader: Loader<S>,
    loaded: loader::Batch<S>,
    pub(crate) validation: Vec<S>,
    pub(crate) counters: Counters,
}

/// The progress of a training, as checkpoints store it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// The settings that affect the result; a training resumes only with the same ones.
    pub(crate) settings: String,
    /// The number of steps made.
    pub(crate) steps: u64,
    /// The position of the loader.
    pub(crate) point: Point,
    /// The sum of the losses of this epoch so far, as bits.
    epoch_loss_bits: u64,
}

impl Mark {
    /// The mark before the first step.
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

    /// The mark of a training with these counters.
    pub(crate) fn new(settings: String, counters: &Counters, point: Point) -> Mark {
        Mark {
            settings,
            steps: counters.steps,
            point,
            epoch_loss_bits: counters.loss_sum.to_bits(),
        }
    }

    /// Restores the counters.
    pub(crate) fn restore(&self, counters: &mut Counters) {
        counters.steps = self.steps;
        counters.loss_sum = f64::from_bits(self.epoch_loss_bits);
    }

    /// Rejects a checkpoint made with other settings.
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
    /// Opens the data at the beginning.
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

    /// Counts a step on the positions that were returned last.
    pub(crate) fn count(&mut self, loss: f64, learning_rate: f64) -> Measured {
        self.counters.count(loss);
        Measured {
            step: self.counters.steps,
            loss,
            positions: self.loaded.positions.len(),
            learning_rate,
        }
    }

    /// A hash that identifies the data.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.loader.point().fingerprint
    }

    /// The present progress.
    pub(crate) fn mark(&self, settings: String) -> Mark {
        Mark::new(settings, &self.counters, self.loader.point())
    }

    /// Continues from a mark.
    pub(crate) fn go_to(&mut self, mark: &Mark) -> Result<(), LoaderError> {
        mark.restore(&mut self.counters);
        self.loader.go_to(mark.point)
    }
}

/// The sources of training and of validation positions.
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
