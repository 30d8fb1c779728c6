//! What every training can do, whatever learns.
//!
//! It must not know any kind of training.

use crate::TrainError;
use crate::baseline::Comparison;
use nets::Provenance;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A training that is going on: data in, a model out.
///
/// It can be stopped after any step and go on from a checkpoint; the model at the
/// end is the same, bit for bit. It writes no file but checkpoints; who runs it
/// decides when, and what becomes of the models.
pub trait Training {
    /// How far it has come.
    fn counters(&self) -> &Counters;

    /// Learns from the next positions.
    ///
    /// # Errors
    /// If data cannot be read, or the loss is not a finite number.
    fn step(&mut self) -> Result<Measured, TrainError>;

    /// Judges the model, as it would be exported, on positions that are not learned
    /// from.
    fn validate(&mut self) -> Judged;

    /// The model as it is now, with a description and a provenance as far as its file
    /// has a place for them.
    ///
    /// # Errors
    /// If there is no memory for it, or weights are not finite numbers.
    fn export(
        &mut self,
        description: &str,
        provenance: Provenance,
    ) -> Result<ModelFile, TrainError>;

    /// How far an exported model is from what was trained, if something is lost on
    /// the way.
    ///
    /// # Errors
    /// If the model cannot be read.
    fn check(&mut self, _model: &ModelFile) -> Result<Option<ExportCheck>, TrainError> {
        Ok(None)
    }

    /// Writes all that is needed to go on.
    ///
    /// # Errors
    /// If the file cannot be written, or weights are not finite numbers: what is
    /// saved is good.
    fn save(&mut self, path: &Path) -> Result<(), TrainError>;

    /// Where the model comes from, as far as the training itself knows.
    fn provenance(&self) -> Provenance;

    /// What the validation losses are to be compared with, if there is something.
    fn comparison(&self) -> Option<Comparison> {
        None
    }

    /// The name of the judged number by which the best epoch is chosen, of which more is
    /// better; none if epochs are chosen by other means, as by matches.
    fn criterion(&self) -> Option<&'static str> {
        None
    }

    /// The name of its arithmetic: results with one name are the same.
    fn arithmetic(&self) -> &'static str;

    /// Steps made so far.
    fn steps(&self) -> u64 {
        self.counters().steps
    }

    /// Steps per epoch.
    fn epoch_steps(&self) -> u64 {
        self.counters().epoch_steps
    }

    /// Epochs that are over.
    fn epochs(&self) -> u64 {
        self.counters().finished_epochs()
    }

    /// Whether all steps are made.
    fn is_over(&self) -> bool {
        self.counters().is_over()
    }
}

/// How far a training has come, and how far it will go.
#[derive(Clone, Debug)]
pub struct Counters {
    /// Steps made so far.
    pub steps: u64,
    /// Steps per epoch.
    pub epoch_steps: u64,
    /// How many epochs there will be.
    pub epochs: u64,
    /// Positions per step (batch size).
    pub batch: usize,
    /// Number of steps between checkpoints.
    pub checkpoint_steps: u64,
    /// The losses of the present epoch's steps, or of the last one's if it has just
    /// ended.
    pub(crate) loss_sum: f64,
}

impl Counters {
    /// Those of a training that begins.
    pub fn new(epoch_steps: u64, epochs: u64, batch: usize, checkpoint_steps: u64) -> Counters {
        Counters {
            steps: 0,
            epoch_steps,
            epochs,
            batch,
            checkpoint_steps,
            loss_sum: 0.0,
        }
    }

    /// Steps of the whole training.
    pub fn all_steps(&self) -> u64 {
        self.epoch_steps * self.epochs
    }

    /// Epochs that are over.
    pub fn finished_epochs(&self) -> u64 {
        self.steps / self.epoch_steps
    }

    /// Whether all steps are made.
    pub fn is_over(&self) -> bool {
        self.steps >= self.all_steps()
    }

    /// Whether the last step was the last of an epoch.
    pub fn ends_epoch(&self) -> bool {
        self.steps > 0 && self.steps.is_multiple_of(self.epoch_steps)
    }

    /// The mean loss of the steps of the epoch that has just ended.
    pub fn epoch_loss(&self) -> f64 {
        self.loss_sum / self.epoch_steps as f64
    }

    /// Counts a step and its loss. The sum begins anew with each epoch's first step
    /// and not with the last one's end, so that checkpoints of that moment have it.
    pub fn count(&mut self, loss: f64) {
        if self.ends_epoch() {
            self.loss_sum = 0.0;
        }
        self.steps += 1;
        self.loss_sum += loss;
    }
}

/// What a step gave.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// Steps made so far.
    pub step: u64,
    /// The mean loss.
    pub loss: f64,
    /// Positions it was measured on.
    pub positions: usize,
    /// The learning rate of the step.
    pub learning_rate: f64,
}

/// What the judgement of a model gave.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The mean loss.
    pub loss: f64,
    /// Positions it was measured on.
    pub positions: usize,
    /// What else was measured, with the names that metrics give it.
    pub numbers: Vec<(&'static str, f64)>,
}

/// How far what a net says in integers is from what it said in floats: values in
/// units of the scores that were learned, shares and chances in per cent.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ExportCheck {
    /// Positions that were looked at.
    pub positions: usize,
    /// The mean difference.
    pub mean: f64,
    /// Of 100 differences, 95 are not larger.
    pub percentile_95: f64,
    /// The largest difference.
    pub largest: f64,
}

impl ExportCheck {
    /// What these differences come to, one for each position.
    pub(crate) fn of(mut differences: Vec<f64>) -> ExportCheck {
        let count = differences.len();
        let mean = differences.iter().sum::<f64>() / count.max(1) as f64;
        differences.sort_by(f64::total_cmp);
        let at = |index: usize| differences.get(index).copied().unwrap_or_default();
        ExportCheck {
            positions: count,
            mean,
            percentile_95: at((count * 95).div_ceil(100).saturating_sub(1)),
            largest: at(count.saturating_sub(1)),
        }
    }
}

/// An exported model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelFile {
    /// The bytes of its file.
    pub bytes: Vec<u8>,
    /// How the name of the file ends.
    pub ending: &'static str,
}
