//! The training of a net from its first step to its last.

use super::batch::Batch;
use super::beginning::{open_start, take_weights};
use super::checkpoint::{self, Header};
use super::net::{Exported, Learner};
use super::settings::Settings;
use super::targets::Targets;
use super::trainer::{StepSettings, Trainee, Trainer};
use crate::ExportCheck;
use crate::feed::Feed;
use crate::settings::text;
use crate::{
    Comparison, Counters, Judged, Loss, Measured, ModelFile, TrainError, Training, arithmetic,
    one_scale,
};
use nets::Provenance;
use nets::nnue::{Net, NetFile};
use std::path::Path;
use std::sync::Arc;

/// A training in progress.
pub struct Session {
    settings: Settings,
    loss: Loss,
    net: Learner,
    feed: Feed,
    batch: Batch,
    targets: Targets,
    trainer: Trainer,
    /// The initial net of the training, named by its hash.
    parent: Option<String>,
    /// The number of steps in the trainings that this one continues, as far as the optimiser state
    /// includes them.
    steps_before: u64,
}

/// The optimiser state with which a training continues another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// That of the other training, as if it had not ended.
    Kept,
    /// A fresh one.
    Fresh,
}

impl Session {
    /// Begins a training.
    ///
    /// # Errors
    /// If settings or data are invalid for it.
    pub fn begin(settings: Settings, loader_threads: usize) -> Result<Session, TrainError> {
        settings.check()?;
        // Opened first, because the data may take long: an invalid net is reported at once.
        let start = open_start(&settings)?;
        let mut session = Session::prepare(settings, loader_threads)?;
        if let Some(file) = start {
            take_weights(&mut session.net, &session.settings, &file)?;
            session.parent = Some(file.usual_name());
        }
        Ok(session)
    }

    /// A training whose net has random weights.
    fn prepare(settings: Settings, loader_threads: usize) -> Result<Session, TrainError> {
        let shape = settings.shape()?;
        let feed = Feed::open(&settings.course, loader_threads)?;
        Ok(Session {
            loss: settings.loss(),
            net: Learner::new(&shape, settings.keeping(), settings.course.seed)?,
            feed,
            batch: Batch::new(shape.inputs()),
            targets: Targets::default(),
            trainer: Trainer::default(),
            parent: None,
            steps_before: 0,
            settings,
        })
    }

    /// A training that begins with the net of another one's checkpoint, which must have the same
    /// shape. Data, steps and schedules start anew; the optimiser state may be kept.
    ///
    /// # Errors
    /// If settings, data or checkpoint are invalid for it.
    pub fn follow(
        settings: Settings,
        loader_threads: usize,
        path: &Path,
        memory: Memory,
    ) -> Result<Session, TrainError> {
        let checkpoint = checkpoint::open(path)?;
        let mut session = Session::begin(settings, loader_threads)?;
        let header = &checkpoint.header;
        header.check_arithmetic()?;
        checkpoint.restore(&mut session.net)?;
        match memory {
            Memory::Kept => session.steps_before = header.steps_before + header.mark.steps,
            Memory::Fresh => session.net.forget(),
        }
        Ok(session)
    }

    /// Resumes a training from a checkpoint.
    ///
    /// # Errors
    /// If the checkpoint is damaged or belongs to another training.
    pub fn resume(
        settings: Settings,
        loader_threads: usize,
        path: &Path,
    ) -> Result<Session, TrainError> {
        settings.check()?;
        let checkpoint = checkpoint::open(path)?;
        let header = &checkpoint.header;
        header.mark.check_settings(&text(&settings)?, path)?;
        header.check_arithmetic()?;
        let mut session = Session::prepare(settings, loader_threads)?;
        checkpoint.restore(&mut session.net)?;
        session.steps_before = header.steps_before;
        session.parent.clone_from(&header.parent);
        session.feed.go_to(&header.mark)?;
        Ok(session)
    }

    fn lambda(&self) -> f32 {
        self.feed.now(&self.settings.lambda) as f32
    }

    /// The initial net of the training, named by its hash, if one was given.
    pub fn parent(&self) -> Option<&str> {
        self.parent.as_deref()
    }

    fn measure_validation(&mut self) -> Judged {
        let lambda = self.lambda();
        let (mut sum, mut weights) = (0.0, 0.0);
        for positions in self.feed.validation.chunks(self.settings.course.batch) {
            self.batch.set(positions);
            self.targets.set(&self.batch, &self.loss, lambda);
            let loss = self
                .trainer
                .measure(&mut self.net, &self.batch, &self.targets, &self.loss);
            sum += loss * f64::from(self.targets.total);
            weights += f64::from(self.targets.total);
        }
        Judged {
            loss: sum / weights,
            positions: self.feed.validation.len(),
            numbers: Vec::new(),
        }
    }

    /// How far the integers of a net are from the floats of this training, from which they were
    /// made, on held-out positions.
    pub fn check_export(&mut self, net: &Net) -> ExportCheck {
        let positions = &self.feed.validation;
        let positions = &positions[..positions.len().min(ExportCheck::MOST_POSITIONS)];
        let scale = self.net.value_scale();
        let (mut outputs, mut floats) = (Vec::new(), Vec::new());
        self.net.swap_averages();
        for positions in positions.chunks(self.settings.course.batch) {
            self.batch.set(positions);
            self.net.forward(&self.batch, &mut outputs);
            floats.extend(outputs.iter().map(|output| output * scale));
        }
        self.net.swap_averages();
        ExportCheck::new(net, positions, &floats)
    }

    /// Infinite weights may for one step go unnoticed behind a finite loss.
    fn check_numbers(&mut self) -> Result<(), TrainError> {
        match self.net.is_finite() {
            true => Ok(()),
            false => Err(TrainError::NotANumber(self.steps())),
        }
    }

    /// The net in integers.
    ///
    /// # Errors
    /// If there is not enough memory, or weights are not finite.
    pub fn export(&mut self) -> Result<Exported, TrainError> {
        self.check_numbers()?;
        Ok(self.net.export(self.settings.ema.is_some())?)
    }
}

impl Training for Session {
    fn counters(&self) -> &Counters {
        &self.feed.counters
    }

    fn step(&mut self) -> Result<Measured, TrainError> {
        let (lambda, learning_rate) = (self.lambda(), self.feed.now(&self.settings.learning_rate));
        self.batch.set(self.feed.next()?);
        self.targets.set(&self.batch, &self.loss, lambda);
        let step = StepSettings {
            optimiser: self.settings.optimiser,
            number: self.steps_before + self.steps() + 1,
            learning_rate: learning_rate as f32,
            ema_share: self.settings.ema.map_or(0.0, |decay| 1.0 - decay),
        };
        let loss = self
            .trainer
            .learn(&mut self.net, &self.batch, &self.targets, &self.loss, &step);
        if !loss.is_finite() {
            return Err(TrainError::NotANumber(self.steps() + 1));
        }
        Ok(self.feed.count(loss, learning_rate))
    }

    fn validate(&mut self) -> Judged {
        self.net.swap_averages();
        let judged = self.measure_validation();
        self.net.swap_averages();
        judged
    }

    fn export(
        &mut self,
        description: &str,
        provenance: Provenance,
    ) -> Result<ModelFile, TrainError> {
        let net = Session::export(self)?;
        Ok(ModelFile {
            ending: net.ending(),
            bytes: net.into_bytes(description, provenance)?,
        })
    }

    fn check(&mut self, model: &ModelFile) -> Result<Option<ExportCheck>, TrainError> {
        let file = NetFile::from_bytes(&model.bytes).map_err(TrainError::ReadBack)?;
        Ok(Some(self.check_export(&file.net)))
    }

    fn save(&mut self, path: &Path) -> Result<(), TrainError> {
        self.check_numbers()?;
        let mark = self.feed.mark(text(&self.settings)?);
        let mut header = Header::new(&mut self.net, mark);
        header.parent.clone_from(&self.parent);
        header.steps_before = self.steps_before;
        Ok(checkpoint::write(path, &mut self.net, &header)?)
    }

    fn provenance(&self) -> Provenance {
        Provenance {
            run: None,
            seed: Some(self.settings.course.seed),
            data: Some(format!("{:016x}", self.feed.fingerprint())),
            parent: self.parent.clone(),
        }
    }

    fn comparison(&self) -> Option<Comparison> {
        let (positions, lambda) = (&self.feed.validation, self.lambda());
        Some(Comparison::Evaluation {
            baseline: one_scale(positions, &Arc::default(), &self.loss, lambda),
        })
    }

    fn arithmetic(&self) -> &'static str {
        arithmetic()
    }
}
