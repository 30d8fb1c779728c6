//! A training from its first step to its last: data in, nets out.
//!
//! A session can be stopped after any step and go on from a checkpoint; the net
//! at the end is the same, bit for bit. It writes no file but checkpoints; who
//! runs it decides when, and what becomes of the nets.

use super::arithmetic;
use super::batch::Batch;
use super::beginning::{open_start, take_weights};
use super::check::ExportCheck;
use super::checkpoint::{self, CheckpointError, Header};
use super::loss::{Loss, Targets};
use super::net::{Exported, Learner};
use super::settings::{Settings, WrongSetting, differences};
use super::trainer::{StepSettings, Trainee, Trainer};
use crate::classical::{OneScale, one_scale};
use crate::sources::{Sources, count};
use data::loader::{self, Loader, LoaderError};
use data::packed::PackedPosition;
use nets::nnue::{Net, NetError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a training cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The settings make no sense.
    #[error(transparent)]
    Setting(#[from] WrongSetting),
    /// The data cannot be read.
    #[error(transparent)]
    Data(#[from] LoaderError),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The checkpoint belongs to another training.
    #[error(
        "{} was made with other settings ({differences}): write to another folder, or take the old settings back",
        path.display()
    )]
    OtherSettings {
        /// The checkpoint.
        path: PathBuf,
        /// What was said, and what is said now.
        differences: String,
    },
    /// The checkpoint was made on another kind of CPU.
    #[error(
        "the checkpoint was made with {0} arithmetic, which this CPU does not use; the bytes would differ"
    )]
    OtherArithmetic(String),
    /// The net to begin with cannot be read.
    #[error("cannot start from {}: {cause}", path.display())]
    Start {
        /// Its file.
        path: PathBuf,
        /// Why.
        cause: NetError,
    },
    /// The net to begin with has another shape.
    #[error(
        "{} has another shape: it is {found}; the settings say {wanted}{}",
        path.display(),
        if found == wanted { " with other king buckets" } else { "" }
    )]
    StartShape {
        /// Its file.
        path: PathBuf,
        /// Its shape.
        found: String,
        /// The shape of the settings.
        wanted: String,
    },
    /// There is no memory.
    #[error("there is no memory for the net: {0}")]
    Memory(#[from] io::Error),
    /// A loss or a weight is no number, or infinite.
    #[error("step {0} led to numbers that are none; try a lower rate")]
    NotANumber(u64),
}

/// What a step, or the judgement of a net, gave.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// Steps made so far.
    pub step: u64,
    /// The mean loss.
    pub loss: f64,
    /// Positions it was measured on.
    pub positions: usize,
    /// The rate of the step.
    pub rate: f64,
}

/// A training that is going on.
pub struct Session {
    settings: Settings,
    loss: Loss,
    net: Learner,
    loader: Loader,
    loaded: loader::Batch,
    batch: Batch,
    targets: Targets,
    trainer: Trainer,
    validation: Vec<PackedPosition>,
    steps: u64,
    epoch_steps: u64,
    /// The losses of the epoch's steps.
    epoch_loss: f64,
    /// The name by its hash of the net with which the training began.
    parent: Option<String>,
    /// Steps of the trainings that this one follows, as far as the optimiser
    /// remembers them.
    steps_before: u64,
}

/// What the optimiser of a training that follows another remembers of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// Everything, as if one training went on.
    Kept,
    /// Nothing.
    Fresh,
}

impl Session {
    /// A training from its beginning.
    ///
    /// # Errors
    /// If settings or data are not fit for it.
    pub fn begin(settings: Settings, loader_threads: usize) -> Result<Session, SessionError> {
        settings.check()?;
        // The data may take long; a wrong net is told at once.
        let start = open_start(&settings)?;
        let mut session = Session::prepare(settings, loader_threads)?;
        if let Some(file) = start {
            take_weights(&mut session.net, &session.settings, &file)?;
            session.parent = Some(file.usual_name());
        }
        Ok(session)
    }

    /// A training whose net has random weights.
    fn prepare(settings: Settings, loader_threads: usize) -> Result<Session, SessionError> {
        settings.check()?;
        let shape = settings.shape()?;
        let loss = settings.loss();
        let sources = Sources::new(&settings.wanted()?, loader_threads);
        let validation = loader::load(sources.validation, settings.validation_positions)?;
        let epoch_positions = match settings.epoch_positions {
            Some(positions) => positions,
            None => count(sources.training.clone())?,
        };
        Ok(Session {
            loss,
            net: Learner::new(&shape, settings.keeping(), settings.seed)?,
            loader: Loader::open(sources.training)?,
            loaded: loader::Batch::default(),
            batch: Batch::new(shape.inputs()),
            targets: Targets::default(),
            trainer: Trainer::default(),
            validation,
            steps: 0,
            epoch_steps: epoch_positions.div_ceil(settings.batch as u64),
            epoch_loss: 0.0,
            parent: None,
            steps_before: 0,
            settings,
        })
    }

    /// A training that begins with the net of another one's checkpoint, of the
    /// same shape. Data, steps and schedules are its own and begin anew; the
    /// optimiser may remember the other's steps.
    ///
    /// # Errors
    /// If settings, data or checkpoint are not fit for it.
    pub fn follow(
        settings: Settings,
        loader_threads: usize,
        path: &Path,
        memory: Memory,
    ) -> Result<Session, SessionError> {
        let checkpoint = checkpoint::open(path)?;
        let mut session = Session::begin(settings, loader_threads)?;
        let header = &checkpoint.header;
        if header.arithmetic != arithmetic() {
            return Err(SessionError::OtherArithmetic(header.arithmetic.clone()));
        }
        checkpoint.restore(&mut session.net)?;
        match memory {
            Memory::Kept => session.steps_before = header.steps_before + header.steps,
            Memory::Fresh => session.net.forget(),
        }
        Ok(session)
    }

    /// A training that goes on from a checkpoint.
    ///
    /// # Errors
    /// If the checkpoint is damaged or belongs to something else.
    pub fn resume(
        settings: Settings,
        loader_threads: usize,
        path: &Path,
    ) -> Result<Session, SessionError> {
        settings.check()?;
        let checkpoint = checkpoint::open(path)?;
        let header = &checkpoint.header;
        let text = settings.text();
        if header.settings != text {
            return Err(SessionError::OtherSettings {
                path: path.to_owned(),
                differences: differences(&header.settings, &text),
            });
        }
        if header.arithmetic != arithmetic() {
            return Err(SessionError::OtherArithmetic(header.arithmetic.clone()));
        }
        let mut session = Session::prepare(settings, loader_threads)?;
        checkpoint.restore(&mut session.net)?;
        session.steps = header.steps;
        session.steps_before = header.steps_before;
        session.epoch_loss = f64::from_bits(header.epoch_loss_bits);
        session.parent.clone_from(&header.parent);
        session.loader.go_to(header.point)?;
        Ok(session)
    }

    /// Steps made so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Steps of an epoch.
    pub fn epoch_steps(&self) -> u64 {
        self.epoch_steps
    }

    /// Steps of the whole training.
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

    fn passed_epochs(&self) -> f64 {
        self.steps as f64 / self.epoch_steps.max(1) as f64
    }

    fn lambda(&self) -> f32 {
        let all = self.settings.epochs as f64;
        self.settings.lambda.value(self.passed_epochs(), all) as f32
    }

    /// The mean loss of the steps since it was asked for: an epoch's, if that is
    /// done at the end of each.
    pub fn take_epoch_loss(&mut self) -> f64 {
        std::mem::take(&mut self.epoch_loss) / self.epoch_steps.max(1) as f64
    }

    /// The name by its hash of the net with which the training began, if it was given one.
    pub fn parent(&self) -> Option<&str> {
        self.parent.as_deref()
    }

    /// A number that other data hardly have.
    pub fn data_fingerprint(&self) -> u64 {
        self.loader.point().fingerprint
    }

    /// Learns from the next positions.
    ///
    /// # Errors
    /// If data cannot be read, or the loss is no number.
    pub fn step(&mut self) -> Result<Measured, SessionError> {
        self.loader.next(&mut self.loaded)?;
        let lambda = self.lambda();
        self.batch.set(&self.loaded.positions);
        self.targets.set(&self.batch, &self.loss, lambda);
        let all = self.settings.epochs as f64;
        let rate = self.settings.rate.value(self.passed_epochs(), all);
        let step = StepSettings {
            optimiser: self.settings.optimiser,
            number: self.steps_before + self.steps + 1,
            rate: rate as f32,
            average_share: self.settings.average.map_or(0.0, |decay| 1.0 - decay),
        };
        let loss = self
            .trainer
            .learn(&mut self.net, &self.batch, &self.targets, &self.loss, &step);
        if !loss.is_finite() {
            return Err(SessionError::NotANumber(self.steps + 1));
        }
        self.steps += 1;
        self.epoch_loss += loss;
        Ok(Measured {
            step: self.steps,
            loss,
            positions: self.batch.len(),
            rate,
        })
    }

    /// The loss of the net, as it would be exported, on positions that are not
    /// learned from.
    pub fn validate(&mut self) -> Measured {
        self.net.swap_averages();
        let measured = self.measure_validation();
        self.net.swap_averages();
        measured
    }

    fn measure_validation(&mut self) -> Measured {
        let lambda = self.lambda();
        let (mut sum, mut weights) = (0.0, 0.0);
        for positions in self.validation.chunks(self.settings.batch) {
            self.batch.set(positions);
            self.targets.set(&self.batch, &self.loss, lambda);
            let loss = self
                .trainer
                .measure(&mut self.net, &self.batch, &self.targets, &self.loss);
            sum += loss * f64::from(self.targets.total);
            weights += f64::from(self.targets.total);
        }
        Measured {
            step: self.steps,
            loss: sum / weights,
            positions: self.validation.len(),
            rate: 0.0,
        }
    }

    /// What a net should undercut: the loss of the hand-written evaluation, with one
    /// scale fitted, on the same positions.
    pub fn baseline(&self) -> OneScale {
        one_scale(&self.validation, &Arc::default(), &self.loss, self.lambda())
    }

    /// How far the integers of a net are from the floats of this training, which
    /// they were made of, on positions that are not learned from.
    pub fn check_export(&mut self, net: &Net) -> ExportCheck {
        let positions = &self.validation[..self.validation.len().min(ExportCheck::MOST_POSITIONS)];
        let scale = self.net.value_scale();
        let (mut outputs, mut floats) = (Vec::new(), Vec::new());
        self.net.swap_averages();
        for positions in positions.chunks(self.settings.batch) {
            self.batch.set(positions);
            self.net.forward(&self.batch, &mut outputs);
            floats.extend(outputs.iter().map(|output| output * scale));
        }
        self.net.swap_averages();
        ExportCheck::new(net, positions, &floats)
    }

    /// Writes all that is needed to go on.
    ///
    /// # Errors
    /// If the file cannot be written, or the training has gone astray: what is
    /// saved is good.
    pub fn save(&mut self, path: &Path) -> Result<(), SessionError> {
        self.check_numbers()?;
        let point = self.loader.point();
        let settings = self.settings.text();
        let mut header = Header::new(&mut self.net, settings, arithmetic(), self.steps, point);
        header.epoch_loss_bits = self.epoch_loss.to_bits();
        header.parent.clone_from(&self.parent);
        header.steps_before = self.steps_before;
        Ok(checkpoint::write(path, &mut self.net, &header)?)
    }

    /// Weights that are none may hide behind a good loss for a step.
    fn check_numbers(&mut self) -> Result<(), SessionError> {
        match self.net.is_finite() {
            true => Ok(()),
            false => Err(SessionError::NotANumber(self.steps)),
        }
    }

    /// The net in integers.
    ///
    /// # Errors
    /// If there is no memory for it, or weights are no numbers.
    pub fn export(&mut self) -> Result<Exported, SessionError> {
        self.check_numbers()?;
        Ok(self.net.export(self.settings.average.is_some())?)
    }
}
