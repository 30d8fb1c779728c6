//! The training of a ResNet from its first step to its last.

use super::batch::Batch;
use super::checkpoint::{self, Header, arithmetic};
use super::example::{Aim, PolicySample, examples};
use super::judge::judge;
use super::net::{Goal, Net, Trainer};
use super::settings::Settings;
use crate::error::wrong;
use crate::feed::Mark;
use crate::float::{Change, mean_factor};
use crate::settings::text;
use crate::source::Source;
use crate::{Counters, Judged, Measured, ModelFile, TrainError, Training};
use nets::policy::resnet::{ResNetError, ResNetSource, ResNetWeights};
use nets::{Model, Provenance};
use std::path::Path;

/// A training in progress.
pub struct Session {
    settings: Settings,
    net: Net,
    source: Source<PolicySample>,
    batch: Batch,
    trainer: Trainer,
    /// The initial net of the training, named by its hash.
    parent: Option<String>,
    /// The number of steps made before in the trainings that this one continues.
    steps_before: u64,
}

impl Session {
    /// Begins a training.
    ///
    /// # Errors
    /// If settings or data are invalid for it.
    pub fn begin(settings: Settings, loader_threads: usize) -> Result<Session, TrainError> {
        settings.check()?;
        // Opened first, because the data may take long: an invalid net is reported at once.
        let (weights, parent) = first_weights(&settings)?;
        let mut session = Session::prepare(settings, &weights, loader_threads)?;
        session.parent = parent;
        Ok(session)
    }

    fn prepare(
        settings: Settings,
        weights: &ResNetWeights,
        loader_threads: usize,
    ) -> Result<Session, TrainError> {
        Ok(Session {
            net: Net::new(weights, settings.ema > 0.0),
            source: Source::open(&settings.course, loader_threads)?,
            batch: Batch::default(),
            trainer: Trainer::default(),
            parent: None,
            steps_before: 0,
            settings,
        })
    }

    /// Makes the net that these settings start from, or else one with random weights determined by
    /// their seed, and writes a checkpoint from which a training can continue. No data is read.
    ///
    /// # Errors
    /// If the net does not exist, or disk space is insufficient.
    pub fn first_net(settings: &Settings, path: &Path) -> Result<ResNetWeights, TrainError> {
        let (weights, _) = first_weights(settings)?;
        let mut net = Net::new(&weights, settings.ema > 0.0);
        checkpoint::write(path, &mut net, &Header::new(Mark::nowhere(), None, 0))?;
        Ok(weights)
    }

    /// A training that begins with the net of another one's checkpoint, which must have the same
    /// shape. Data, steps and schedules start anew; the optimiser state is kept unless the settings
    /// ask for a fresh one.
    ///
    /// # Errors
    /// If settings, data or checkpoint are invalid for it.
    pub fn follow(
        settings: Settings,
        loader_threads: usize,
        path: &Path,
        is_fresh: bool,
    ) -> Result<Session, TrainError> {
        settings.check()?;
        let (header, numbers) = checkpoint::read(path)?;
        header.check_arithmetic()?;
        let weights = ResNetWeights::new(settings.net.clone());
        let mut session = Session::prepare(settings, &weights, loader_threads)?;
        checkpoint::restore(path, &mut session.net, &numbers)?;
        match is_fresh {
            true => session.net.forget(),
            false => session.steps_before = header.steps_before + header.mark.steps,
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
        let (header, numbers) = checkpoint::read(path)?;
        header.mark.check_settings(&text(&settings)?, path)?;
        header.check_arithmetic()?;
        let weights = ResNetWeights::new(settings.net.clone());
        let mut session = Session::prepare(settings, &weights, loader_threads)?;
        session.parent.clone_from(&header.parent);
        session.steps_before = header.steps_before;
        checkpoint::restore(path, &mut session.net, &numbers)?;
        session.source.go_to(&header.mark)?;
        Ok(session)
    }

    fn aim(&self) -> Aim {
        let lambda = self.source.now(&self.settings.lambda) as f32;
        Aim::new(&self.settings, lambda)
    }

    /// The losses of a step, with factors that make them means over a batch.
    fn goal(&self, totals: [f64; 2]) -> Goal {
        let [of_moves, of_values] = totals.map(mean_factor);
        Goal {
            value: self.settings.net.value,
            policy: self.settings.policy_loss,
            scalar: self.settings.value_loss,
            huber_delta: self.settings.huber_delta,
            of_moves: of_moves as f32,
            of_values: (of_values * f64::from(self.settings.value_weight)) as f32,
        }
    }

    /// The share of the moving averages that the next step replaces: large at first, so that the
    /// initial weights are soon forgotten.
    fn ema_share(&self) -> f32 {
        let steps = self.steps() as f32;
        match self.settings.ema > 0.0 {
            true => (1.0 - self.settings.ema).max(9.0 / (10.0 + steps)),
            false => 0.0,
        }
    }

    fn weights(&self) -> Result<ResNetWeights, TrainError> {
        let weights = self.net.weights(self.settings.ema > 0.0);
        match weights.broken() {
            None => Ok(weights),
            Some(_) => Err(TrainError::NotANumber(self.steps())),
        }
    }
}

impl Training for Session {
    fn counters(&self) -> &Counters {
        self.source.counters()
    }

    fn step(&mut self) -> Result<Measured, TrainError> {
        let aim = self.aim();
        let learning_rate = self.source.now(&self.settings.learning_rate);
        let list = examples(&self.source.next()?, &aim);
        self.batch.set(&self.settings.net, &list);
        let goal = self.goal(self.batch.totals());
        let losses = match list.is_empty() {
            true => Default::default(),
            false => self.net.measure(&mut self.trainer, &self.batch, &goal),
        };
        let loss = losses.moves + f64::from(self.settings.value_weight) * losses.values;
        if !loss.is_finite() {
            return Err(TrainError::NotANumber(self.steps() + 1));
        }
        self.net.change(&Change {
            optimiser: self.settings.optimiser,
            number: self.steps_before + self.steps() + 1,
            learning_rate: learning_rate as f32,
            ema_share: self.ema_share(),
        });
        Ok(self.source.count(loss, learning_rate, list.len()))
    }

    fn validate(&mut self) -> Judged {
        let list = examples(&self.source.validation(), &self.aim());
        let weights = self.net.weights(self.settings.ema > 0.0);
        let goal = self.goal([1.0; 2]);
        judge(&weights, &list, &goal, self.settings.value_weight.into())
    }

    fn export(
        &mut self,
        description: &str,
        provenance: Provenance,
    ) -> Result<ModelFile, TrainError> {
        let mut weights = self.weights()?;
        description.clone_into(&mut weights.description);
        weights.provenance = provenance;
        Ok(ModelFile {
            bytes: weights.to_bytes()?,
            ending: "tabianet",
        })
    }

    fn save(&mut self, path: &Path) -> Result<(), TrainError> {
        self.weights()?;
        let mark = self.source.mark(text(&self.settings)?);
        let header = Header::new(mark, self.parent.clone(), self.steps_before);
        Ok(checkpoint::write(path, &mut self.net, &header)?)
    }

    fn provenance(&self) -> Provenance {
        Provenance {
            run: None,
            seed: Some(self.settings.course.seed),
            data: Some(format!("{:016x}", self.source.fingerprint())),
            parent: self.parent.clone(),
        }
    }

    fn arithmetic(&self) -> &'static str {
        arithmetic()
    }
}

/// The initial weights of a training, and the name of the net that they come from.
fn first_weights(settings: &Settings) -> Result<(ResNetWeights, Option<String>), TrainError> {
    Ok(match open_start(settings)? {
        Some((weights, name)) => (weights, Some(name)),
        None => {
            let seed = settings.course.seed;
            (ResNetWeights::initialised(settings.net.clone(), seed), None)
        }
    })
}

/// The initial net, if one is named, and its name.
fn open_start(settings: &Settings) -> Result<Option<(ResNetWeights, String)>, TrainError> {
    let Some(path) = &settings.start else {
        return Ok(None);
    };
    let problem = match Model::open(path) {
        Ok(model) => match &model {
            Model::ResNet(file) => match file.source() {
                ResNetSource::Own(weights) if *weights.shape() == settings.net => {
                    return Ok(Some((ResNetWeights::clone(weights), model.name())));
                }
                ResNetSource::Own(weights) => format!(
                    "it is {}, but the settings have {}",
                    weights.shape(),
                    settings.net
                ),
                ResNetSource::Lc0(_) => "lc0 nets can play, but cannot be trained".to_owned(),
            },
            _ => format!("it is a model of the kind {}", model.kind()),
        },
        Err(error) => error.to_string(),
    };
    Err(wrong("start", format!("{}: {problem}", path.display())).into())
}

impl From<ResNetError> for TrainError {
    fn from(error: ResNetError) -> TrainError {
        TrainError::ResNet(error)
    }
}
