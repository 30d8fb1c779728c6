//! What `tabia train` keeps of a training beside its checkpoint: the model of each epoch,
//! metrics, curves, events and how far it is. It does not know where settings come from.

use crate::interruption;
use crate::output::Output;
use crate::progress::{Progress, Standing};
use anyhow::Context;
use nets::Provenance;
use std::path::{Path, PathBuf};
use std::time::Instant;
use train::metrics::{Epoch, Metrics};
use train::status::{STATUS_FILE, Status};
use train::tensorboard::EventFile;
use train::{Counters, Ending, Event, Measured, TrainError, Training};

/// The name of the best model, for trainings that have a criterion.
const BEST_FILE: &str = "best";
/// The number of steps between flushes of the TensorBoard file.
const FLUSHED_STEPS: u64 = 20;

/// What is kept of a training, beside its checkpoint.
pub(super) struct Keeper {
    metrics: Metrics,
    folder: PathBuf,
    /// What models say of their training: nothing in them depends on the folder.
    name: String,
    /// The steps of the checkpoint, if there is one.
    saved: Option<u64>,
    /// When the first step of this process began.
    begin: Instant,
    /// Seconds of earlier processes, if they are known.
    earlier: Option<f64>,
    /// Positions learned from since then.
    positions: usize,
    /// Where TensorBoard looks, if it does.
    events: Option<EventFile>,
}

impl Keeper {
    /// Opens the metrics in the folder of a training that resumes from a checkpoint of so many
    /// steps, or begins.
    pub(super) fn open(
        folder: PathBuf,
        name: String,
        training: &dyn Training,
        saved: Option<u64>,
        events: Option<EventFile>,
    ) -> anyhow::Result<Keeper> {
        let earlier = match saved {
            Some(_) => Status::read(&folder).and_then(|status| status.seconds),
            None => Some(0.0),
        };
        let keeper = Keeper {
            metrics: Metrics::open(&folder, training.epochs())?,
            folder,
            name,
            saved,
            begin: Instant::now(),
            earlier,
            positions: 0,
            events,
        };
        keeper.note_status(training, false)?;
        Ok(keeper)
    }

    /// The metrics of all epochs so far.
    pub(super) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The folder, when all is done.
    pub(super) fn into_folder(self) -> PathBuf {
        self.folder
    }

    /// Trains until all is done or the user wants to stop.
    pub(super) fn train(
        &mut self,
        training: &mut dyn Training,
        checkpoint: &Path,
        output: &Output,
    ) -> anyhow::Result<Ending> {
        let progress = Progress::new(output, training.counters().all_steps(), "steps");
        progress.advance(training.steps());
        self.begin = Instant::now();
        let ending = train::run(
            &mut *training,
            checkpoint,
            &interruption::requested,
            &mut |event| {
                match event {
                    Event::Stepped(training, measured) => {
                        self.positions += measured.positions;
                        self.note_step(&measured)?;
                        progress.advance(1);
                        progress.stand(&self.standing(training.counters(), measured.loss));
                    }
                    Event::EpochEnded(training) => self.end_epoch(training)?,
                    Event::Saved(steps) => self.saved = Some(steps),
                }
                Ok(())
            },
        );
        let noted = self.note_status(training, matches!(ending, Ok(Ending::Finished)));
        // What failed before is what is told.
        ending.and_then(|ending| noted.map(|()| ending))
    }

    /// Notes for those who look how far the training is.
    fn note_status(&self, training: &dyn Training, finished: bool) -> anyhow::Result<()> {
        let own = self.begin.elapsed().as_secs_f64();
        let status = Status {
            epochs: training.counters().epochs,
            seconds: self.earlier.map(|earlier| earlier + own),
            finished,
        };
        let path = self.folder.join(STATUS_FILE);
        let noted = status.write(&self.folder);
        noted.with_context(|| format!("cannot write {}", path.display()))
    }

    /// What is left after an error.
    pub(super) fn remedy(&self, error: &anyhow::Error, checkpoint: &Path) -> String {
        let Some(steps) = self.saved else {
            return "there is no checkpoint yet".to_owned();
        };
        let good = format!("{} of step {steps} is intact", checkpoint.display());
        match (error.downcast_ref(), self.metrics.epochs().last()) {
            // The same settings would lead there again.
            (Some(TrainError::NotANumber(_) | TrainError::Export(_)), Some(epoch)) => format!(
                "{good}; to start another training from it, set start = \"{}\"",
                self.folder.join(&epoch.net).display()
            ),
            _ => format!("{good}: to resume from it, repeat the command"),
        }
    }

    /// Positions a second, if there were any.
    fn speed(&self) -> Option<f64> {
        let speed = self.positions as f64 / self.begin.elapsed().as_secs_f64();
        (self.positions > 0).then_some(speed)
    }

    fn standing(&self, counters: &Counters, loss: f64) -> Standing {
        let judged = match self.metrics.epochs().last() {
            None => String::new(),
            Some(epoch) => format!(", validation {:.6}", epoch.validation_loss),
        };
        let line = format!(
            "epoch {} of {}, loss {loss:.6}{judged}, {:.0} positions/s",
            counters.current_epoch(),
            counters.epochs,
            self.speed().unwrap_or_default()
        );
        Standing {
            lines: line.clone(),
            line,
        }
    }

    /// Judges the model, writes it, and notes both.
    fn end_epoch(&mut self, training: &mut dyn Training) -> anyhow::Result<()> {
        let number = training.epochs();
        let noted = self.metrics.epochs().last();
        if noted.is_some_and(|epoch| epoch.epoch == number) {
            return self.draw();
        }
        let provenance = Provenance {
            run: Some(self.name.clone()),
            ..training.provenance()
        };
        let description = match &provenance.parent {
            None => format!("Trained by Tabia, epoch {number}"),
            Some(parent) => format!("Trained by Tabia, epoch {number}, from {parent}"),
        };
        let model = training.export(&description, provenance)?;
        let name = format!("epoch-{number:03}.{}", model.ending);
        let path = self.folder.join(&name);
        data::file::write(&path, &model.bytes)
            .with_context(|| format!("cannot write {}", path.display()))?;
        let epoch = Epoch {
            export: training.check(&model)?,
            positions_a_second: self.speed(),
            ..Epoch::judge(training, name)
        };
        self.note_epoch(&epoch)?;
        self.metrics.add(epoch)?;
        self.note_status(training, false)?;
        self.draw()?;
        self.keep_best(training, model.ending)
    }

    /// Tells TensorBoard of a step.
    fn note_step(&mut self, measured: &Measured) -> anyhow::Result<()> {
        let Some(events) = &mut self.events else {
            return Ok(());
        };
        let numbers = [
            ("train/loss", measured.loss),
            ("train/learning_rate", measured.learning_rate),
            ("train/positions", measured.positions as f64),
        ];
        let noted = events.add(measured.step, &numbers);
        // A viewer need not see every step at once.
        let flushed = match measured.step % FLUSHED_STEPS {
            0 => events.flush(),
            _ => Ok(()),
        };
        noted.and(flushed).context("cannot write event files")
    }

    /// Tells TensorBoard of an epoch.
    fn note_epoch(&mut self, epoch: &Epoch) -> anyhow::Result<()> {
        let Some(events) = &mut self.events else {
            return Ok(());
        };
        let names: Vec<(String, f64)> =
            [("train_loss", epoch.loss), ("loss", epoch.validation_loss)]
                .into_iter()
                .chain(
                    epoch
                        .numbers
                        .iter()
                        .map(|(name, number)| (name.as_str(), *number)),
                )
                .map(|(name, number)| (format!("epoch/{name}"), number))
                .collect();
        let numbers: Vec<(&str, f64)> = names
            .iter()
            .map(|(name, number)| (name.as_str(), *number))
            .collect();
        let noted = events.add(epoch.step, &numbers);
        noted
            .and_then(|()| events.flush())
            .context("cannot write event files")
    }

    /// Draws the learning curves anew, and the weights of the last epoch's evaluation.
    fn draw(&self) -> anyhow::Result<()> {
        for picture in lab::training_pictures(&self.folder, self.metrics.epochs()) {
            let path = self.folder.join(picture.file);
            data::file::write(&path, picture.svg.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    /// Keeps a copy of the best model so far, if the training says what that is.
    fn keep_best(&self, training: &dyn Training, ending: &str) -> anyhow::Result<()> {
        let criterion = training.criterion();
        let Some(best) = criterion.and_then(|criterion| self.metrics.best(criterion)) else {
            return Ok(());
        };
        let from = self.folder.join(&best.net);
        let bytes =
            std::fs::read(&from).with_context(|| format!("cannot read {}", from.display()))?;
        let to = self.folder.join(format!("{BEST_FILE}.{ending}"));
        data::file::write(&to, &bytes).with_context(|| format!("cannot write {}", to.display()))
    }
}
