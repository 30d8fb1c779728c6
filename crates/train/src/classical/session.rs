//! A fit from its first step to its last: positions in, weights out.
//!
//! It goes as the training of a net does: it can be stopped after any step and
//! go on from a checkpoint, and the weights at the end are the same. It writes
//! no file but checkpoints.

use super::adam::Adam;
use super::objective::Objective;
use super::samples::blocks;
use super::scale::{OneScale, Values, one_scale};
use super::settings::Settings;
use super::{Vector, to_vector, to_weights};
use crate::nnue::settings::{differences, wrong};
use crate::nnue::{Measured, SessionError};
use crate::sealed::{self, CheckpointError, Magic};
use crate::sources::{Sources, count};
use data::loader::{self, Loader, Point};
use data::packed::PackedPosition;
use nets::classical::{FEATURES, Weights};
use nets::{Model, WeightsFile};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

const MAGIC: &Magic = b"TABIACC1";

/// What a checkpoint says beside numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Header {
    /// What the fit depends on; only the same may go on.
    settings: String,
    /// The hash of the weights with which it began.
    start: String,
    steps: u64,
    point: Point,
    /// The losses of the epoch so far, as bits: a number in JSON may lose some.
    epoch_loss_bits: u64,
}

/// How well weights predict the held-out positions, each time with the scale
/// that is best for it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Verdict {
    /// The mixture of score and result that is learned.
    pub blend: OneScale,
    /// Results alone.
    pub results: OneScale,
    /// Scores alone.
    pub scores: OneScale,
}

/// A fit that is going on.
pub struct Session {
    settings: Settings,
    start: WeightsFile,
    objective: Objective,
    vector: Vector,
    adam: Adam,
    loader: Loader,
    loaded: loader::Batch,
    validation: Vec<PackedPosition>,
    steps: u64,
    epoch_steps: u64,
    epoch_loss: f64,
}

impl Session {
    /// A fit from its beginning; the scale is fitted at once, with the weights
    /// as they are.
    ///
    /// # Errors
    /// If settings or data are not fit for it.
    pub fn begin(settings: Settings, loader_threads: usize) -> Result<Session, SessionError> {
        settings.check()?;
        let start = starting_weights(&settings)?;
        let sources = Sources::new(&settings.wanted()?, loader_threads);
        let validation = loader::load(sources.validation, settings.validation_positions)?;
        let epoch_positions = match settings.epoch_positions {
            Some(positions) => positions,
            None => count(sources.training.clone())?,
        };
        let all = settings.epochs as f64;
        let lambda = settings.lambda.value(0.0, all) as f32;
        let present = one_scale(&validation, &start.weights, &settings.loss, lambda);
        let vector = to_vector(&start.weights);
        Ok(Session {
            objective: Objective {
                loss: settings.loss,
                scale: present.scale,
                anchor: settings.anchor,
                start: vector.clone(),
                free: settings.free()?,
            },
            adam: Adam::new(vector.len()),
            vector,
            start,
            loader: Loader::open(sources.training)?,
            loaded: loader::Batch::default(),
            validation,
            steps: 0,
            epoch_steps: epoch_positions.div_ceil(settings.batch as u64),
            epoch_loss: 0.0,
            settings,
        })
    }

    /// A fit that goes on from a checkpoint.
    ///
    /// # Errors
    /// If the checkpoint is damaged or belongs to something else.
    pub fn resume(
        settings: Settings,
        loader_threads: usize,
        path: &Path,
    ) -> Result<Session, SessionError> {
        let (header, numbers): (Header, _) = sealed::read(path, MAGIC)?;
        let mut session = Session::begin(settings, loader_threads)?;
        let text = session.settings_text();
        if header.settings != text || header.start != session.start.hash() {
            let mut differences = differences(&header.settings, &text);
            if differences.is_empty() {
                differences = "the weights to begin with are others".to_owned();
            }
            return Err(SessionError::OtherSettings {
                path: path.to_owned(),
                differences,
            });
        }
        session.restore(&numbers, path)?;
        session.steps = header.steps;
        session.epoch_loss = f64::from_bits(header.epoch_loss_bits);
        session.loader.go_to(header.point)?;
        Ok(session)
    }

    fn restore(&mut self, bytes: &[u8], path: &Path) -> Result<(), CheckpointError> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        if numbers.len() != 3 * 2 * FEATURES || !rest.is_empty() {
            return Err(CheckpointError::Shape(path.to_owned()));
        }
        let numbers = numbers.iter().map(|&number| f64::from_le_bytes(number));
        let places = self.vector.iter_mut();
        let places = places.chain(&mut self.adam.means);
        let places = places.chain(&mut self.adam.squares);
        for (place, number) in places.zip(numbers) {
            *place = number;
        }
        Ok(())
    }

    /// Writes all that is needed to go on.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), SessionError> {
        let header = Header {
            settings: self.settings_text(),
            start: self.start.hash(),
            steps: self.steps,
            point: self.loader.point(),
            epoch_loss_bits: self.epoch_loss.to_bits(),
        };
        let bytes: Vec<_> = [&self.vector, &self.adam.means, &self.adam.squares]
            .into_iter()
            .flatten()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        let numbers = std::iter::once(&bytes[..]);
        Ok(sealed::write(path, MAGIC, &header, numbers)?)
    }

    /// A text that only the same settings have.
    fn settings_text(&self) -> String {
        serde_json::to_string(&self.settings).unwrap_or_default()
    }

    /// Steps made so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Steps of an epoch.
    pub fn epoch_steps(&self) -> u64 {
        self.epoch_steps
    }

    /// Steps of the whole fit.
    pub fn all_steps(&self) -> u64 {
        self.epoch_steps * self.settings.epochs
    }

    /// Epochs that are over.
    pub fn epochs(&self) -> u64 {
        self.steps / self.epoch_steps.max(1)
    }

    /// Whether all steps are made.
    pub fn is_over(&self) -> bool {
        self.steps >= self.all_steps()
    }

    /// A schedule's value now.
    fn now(&self, schedule: &crate::nnue::Schedule) -> f64 {
        let passed = self.steps as f64 / self.epoch_steps.max(1) as f64;
        schedule.value(passed, self.settings.epochs as f64)
    }

    /// The mean loss of the steps since it was asked for: an epoch's, if that is
    /// done at the end of each.
    pub fn take_epoch_loss(&mut self) -> f64 {
        std::mem::take(&mut self.epoch_loss) / self.epoch_steps.max(1) as f64
    }

    /// Learns from the next positions.
    ///
    /// # Errors
    /// If data cannot be read, or the loss is no number.
    pub fn step(&mut self) -> Result<Measured, SessionError> {
        self.loader.next(&mut self.loaded)?;
        let lambda = self.now(&self.settings.lambda) as f32;
        let rate = self.now(&self.settings.rate);
        let blocks = blocks(
            &self.loaded.positions,
            &self.start.weights,
            &self.objective.start,
            &self.settings.loss,
            lambda,
        );
        let slope = self.objective.slope(&blocks, &self.vector);
        if !slope.loss.is_finite() {
            return Err(SessionError::NotANumber(self.steps + 1));
        }
        self.steps += 1;
        self.adam
            .step(&mut self.vector, &slope.gradient, self.steps, rate);
        self.epoch_loss += slope.loss;
        Ok(Measured {
            step: self.steps,
            loss: slope.loss,
            positions: self.loaded.positions.len(),
            rate,
        })
    }

    /// The weights as they are now, in whole centipawns.
    pub fn weights(&self) -> Weights {
        to_weights(&self.vector, &self.start.weights)
    }

    /// The loss of the evaluation with these weights, as it would play, on
    /// positions that are not learned from.
    pub fn validate(&self) -> OneScale {
        let lambda = self.now(&self.settings.lambda) as f32;
        let weights = Arc::new(self.weights());
        one_scale(&self.validation, &weights, &self.settings.loss, lambda)
    }

    /// How well the evaluation predicts with the weights of the beginning, and
    /// with those of now.
    pub fn verdicts(&self) -> [Verdict; 2] {
        let lambda = self.now(&self.settings.lambda) as f32;
        [self.start.weights.clone(), Arc::new(self.weights())].map(|weights| {
            let values = Values::new(&self.validation, &weights);
            let [blend, results, scores] = [lambda, 0.0, 1.0]
                .map(|lambda| values.one_scale(&self.validation, &self.settings.loss, lambda));
            Verdict {
                blend,
                results,
                scores,
            }
        })
    }
}

fn starting_weights(settings: &Settings) -> Result<WeightsFile, SessionError> {
    let Some(path) = &settings.start else {
        return Ok(WeightsFile::new(Weights::default()));
    };
    let problem = match Model::open(path) {
        Ok(Model::Classical(file)) => return Ok(file),
        Ok(Model::Nnue(_)) => "it is a net".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(wrong("start", format!("{}: {problem}", path.display())).into())
}
