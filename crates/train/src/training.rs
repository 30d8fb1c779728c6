//! The interface of all trainings.
//!
//! It must not know any kind of training.

use crate::TrainError;
use crate::baseline::Comparison;
use nets::Provenance;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A training in progress: data in, a model out.
///
/// It can be stopped after any step and resumed from a checkpoint; the final model is the same, bit
/// for bit. It writes no files but checkpoints; its caller decides when, and what happens to the
/// models.
pub trait Training {
    /// Its progress.
    fn counters(&self) -> &Counters;

    /// Trains on the next positions.
    ///
    /// # Errors
    /// If data cannot be read, or the loss is not a finite number.
    fn step(&mut self) -> Result<Measured, TrainError>;

    /// Evaluates the model, as it would be exported, on held-out positions.
    fn validate(&mut self) -> Judged;

    /// The present model, with description and provenance as far as its file format can hold them.
    ///
    /// # Errors
    /// If there is not enough memory, or weights are not finite.
    fn export(
        &mut self,
        description: &str,
        provenance: Provenance,
    ) -> Result<ModelFile, TrainError>;

    /// How far an exported model is from the trained one, if the export loses anything.
    ///
    /// # Errors
    /// If the model cannot be read.
    fn check(&mut self, _model: &ModelFile) -> Result<Option<ExportCheck>, TrainError> {
        Ok(None)
    }

    /// Writes everything that is needed to resume.
    ///
    /// # Errors
    /// If the file cannot be written, or weights are not finite: a saved checkpoint is always
    /// usable.
    fn save(&mut self, path: &Path) -> Result<(), TrainError>;

    /// The provenance of the model, as far as the training itself knows it.
    fn provenance(&self) -> Provenance;

    /// What the validation losses are to be compared with, if anything.
    fn comparison(&self) -> Option<Comparison> {
        None
    }

    /// The name of the validation measurement whose maximum selects the best epoch; `None` if
    /// epochs are selected by other means, such as matches.
    fn criterion(&self) -> Option<&'static str> {
        None
    }

    /// The name of its arithmetic; the same name means the same results.
    fn arithmetic(&self) -> &'static str;

    /// Steps made so far.
    fn steps(&self) -> u64 {
        self.counters().steps
    }

    /// Steps per epoch.
    fn epoch_steps(&self) -> u64 {
        self.counters().epoch_steps
    }

    /// Completed epochs.
    fn epochs(&self) -> u64 {
        self.counters().finished_epochs()
    }

    /// Whether all steps are made.
    fn is_over(&self) -> bool {
        self.counters().is_over()
    }
}

/// The progress of a training, and its length.
#[derive(Clone, Debug)]
pub struct Counters {
    /// Steps made so far.
    pub steps: u64,
    /// Steps per epoch.
    pub epoch_steps: u64,
    /// The total number of epochs.
    pub epochs: u64,
    /// Positions per step (batch size).
    pub batch: usize,
    /// Number of steps between checkpoints.
    pub checkpoint_steps: u64,
    /// The sum of the losses of the present epoch's steps, or of the last epoch's if it has just
    /// ended.
    pub(crate) loss_sum: f64,
}

impl Counters {
    /// The counters at the beginning of a training.
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

    /// The total number of steps.
    pub fn all_steps(&self) -> u64 {
        self.epoch_steps * self.epochs
    }

    /// Completed epochs.
    pub fn finished_epochs(&self) -> u64 {
        self.steps / self.epoch_steps
    }

    /// The number of the epoch at hand, from 1; of a finished training that of the last.
    pub fn current_epoch(&self) -> u64 {
        (self.finished_epochs() + 1).min(self.epochs)
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

    /// Counts a step and its loss. The sum is reset by the first step of an epoch, not at the end
    /// of the last one, so that a checkpoint written in between still has it.
    pub fn count(&mut self, loss: f64) {
        if self.ends_epoch() {
            self.loss_sum = 0.0;
        }
        self.steps += 1;
        self.loss_sum += loss;
    }
}

/// The result of a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// Steps made so far.
    pub step: u64,
    /// The mean loss.
    pub loss: f64,
    /// The number of positions it was measured on.
    pub positions: usize,
    /// The learning rate of the step.
    pub learning_rate: f64,
}

/// The result of a validation.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The mean loss.
    pub loss: f64,
    /// The number of positions it was measured on.
    pub positions: usize,
    /// Other measurements, with their names in the metrics.
    pub numbers: Vec<(&'static str, f64)>,
}

/// How far the outputs of a net in integers are from those in floats: values in the units of the
/// training scores, probabilities in per cent.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ExportCheck {
    /// The number of positions compared.
    pub positions: usize,
    /// The mean difference.
    pub mean: f64,
    /// The 95th percentile of the differences.
    pub percentile_95: f64,
    /// The largest difference.
    pub largest: f64,
}

impl ExportCheck {
    /// Summarises the differences, one for each position.
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
    /// The contents of its file.
    pub bytes: Vec<u8>,
    /// The extension of the file.
    pub ending: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_epoch_comes_after_the_last() {
        let mut counters = Counters::new(10, 2, 64, 5);
        let at = [0, 9, 10, 19, 20].map(|steps| {
            counters.steps = steps;
            counters.current_epoch()
        });
        assert_eq!(at, [1, 1, 2, 2, 2]);
        assert!(counters.is_over());
    }
}
