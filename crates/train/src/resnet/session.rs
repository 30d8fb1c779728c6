//! A training of a ResNet from its first step to its last.

use super::batch::Batch;
use super::checkpoint::{self, Header, arithmetic};
use super::example::Aim;
use super::judge::judge;
use super::net::{Goal, Net, Trainer};
use super::settings::Settings;
use super::source::Source;
use crate::error::wrong;
use crate::float::Change;
use crate::settings::text;
use crate::{Counters, Judged, Measured, ModelFile, TrainError, Training};
use nets::policy::resnet::{ResNetError, ResNetSource, ResNetWeights};
use nets::{Model, Provenance};
use std::path::Path;

/// A training that is going on.
pub struct Session {
    settings: Settings,
    net: Net,
    source: Source,
    batch: Batch,
    trainer: Trainer,
    /// The name by its hash of the net with which the training began.
    parent: Option<String>,
}

impl Session {
    /// A training from its beginning.
    ///
    /// # Errors
    /// If settings or data are not fit for it.
    pub fn begin(settings: Settings, loader_threads: usize) -> Result<Session, TrainError> {
        settings.check()?;
        // The data may take long; a wrong net is told at once.
        let start = open_start(&settings)?;
        let (weights, parent) = match start {
            Some((weights, name)) => (weights, Some(name)),
            None => {
                let seed = settings.course.seed;
                (ResNetWeights::initialised(settings.net.clone(), seed), None)
            }
        };
        Ok(Session {
            net: Net::new(&weights, settings.ema > 0.0),
            source: Source::open(&settings.course, loader_threads)?,
            batch: Batch::default(),
            trainer: Trainer::default(),
            parent,
            settings,
        })
    }

    /// A training that goes on from a checkpoint.
    ///
    /// # Errors
    /// If the checkpoint is damaged or belongs to something else.
    pub fn resume(
        settings: Settings,
        loader_threads: usize,
        path: &Path,
    ) -> Result<Session, TrainError> {
        settings.check()?;
        let (header, numbers) = checkpoint::read(path)?;
        header.mark.check_settings(&text(&settings)?, path)?;
        if header.arithmetic != arithmetic() {
            return Err(TrainError::OtherArithmetic(header.arithmetic));
        }
        let weights = ResNetWeights::new(settings.net.clone());
        let mut session = Session {
            net: Net::new(&weights, settings.ema > 0.0),
            source: Source::open(&settings.course, loader_threads)?,
            batch: Batch::default(),
            trainer: Trainer::default(),
            parent: header.parent,
            settings,
        };
        checkpoint::restore(path, &mut session.net, &numbers)?;
        session.source.go_to(&header.mark)?;
        Ok(session)
    }

    fn aim(&self) -> Aim {
        let lambda = self.source.now(&self.settings.lambda) as f32;
        Aim::new(&self.settings, lambda)
    }

    /// What slopes are multiplied by, so that losses are means over a batch.
    fn goal(&self, totals: [f64; 2]) -> Goal {
        let [of_moves, of_values] = totals.map(|total| 1.0 / total.max(f64::MIN_POSITIVE));
        Goal {
            value: self.settings.net.value,
            scalar: self.settings.value_loss,
            of_moves: of_moves as f32,
            of_values: (of_values * f64::from(self.settings.value_weight)) as f32,
        }
    }

    /// How much of the averages of weights the next step replaces: much at first, lest
    /// the beginning be remembered for long.
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
        let list = self.source.next(&aim)?;
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
            number: self.steps() + 1,
            learning_rate: learning_rate as f32,
            ema_share: self.ema_share(),
        });
        Ok(self.source.count(loss, learning_rate, list.len()))
    }

    fn validate(&mut self) -> Judged {
        let list = self.source.validation(&self.aim());
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
        let header = Header {
            mark: self.source.mark(text(&self.settings)?),
            arithmetic: arithmetic().to_owned(),
            parent: self.parent.clone(),
        };
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

/// The net to start from, if one is named, and its name.
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
                    "it is {}; the settings say {}",
                    weights.shape(),
                    settings.net
                ),
                ResNetSource::Lc0(_) => "nets of lc0 can play, but not learn".to_owned(),
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
