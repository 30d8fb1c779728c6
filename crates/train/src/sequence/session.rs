//! The training of a sequence model from its first step to its last.

use super::batch::Batch;
use super::checkpoint::{self, Header, arithmetic};
use super::heads::Goal;
use super::initial::initial;
use super::net::{Net, Trainer};
use super::settings::Settings;
use super::source::Source;
use crate::error::wrong;
use crate::float::{Change, mean_factor};
use crate::prediction::{Judgement, Judging};
use crate::settings::text;
use crate::{Counters, Judged, Measured, ModelFile, TrainError, Training};
use data::sequences::SequenceGame;
use nets::kernels::Precision;
use nets::sequence::{SequenceNet, SequenceWeights};
use nets::{Model, Provenance};
use std::path::Path;

/// How often the played move is among the model's first ten.
const HIT_RATE: &str = "hr_10";

/// A training in progress.
pub struct Session {
    settings: Settings,
    net: Net,
    source: Source,
    batch: Batch,
    trainer: Trainer,
    /// The initial model of the training, named by its hash.
    parent: Option<String>,
}

impl Session {
    /// Begins a training.
    ///
    /// # Errors
    /// If settings or games are invalid for it.
    pub fn begin(settings: Settings) -> Result<Session, TrainError> {
        settings.check()?;
        let (weights, parent) = match open_start(&settings)? {
            Some((weights, name)) => (weights, Some(name)),
            None => {
                let (shape, seed) = (settings.net.shape()?, settings.course.seed);
                let weights =
                    initial(shape, seed).map_err(|error| wrong("net", error.to_string()))?;
                (weights, None)
            }
        };
        Session::with(settings, weights, parent)
    }

    /// Resumes a training from a checkpoint.
    ///
    /// # Errors
    /// If the checkpoint is damaged or belongs to another training.
    pub fn resume(settings: Settings, path: &Path) -> Result<Session, TrainError> {
        settings.check()?;
        let (header, numbers) = checkpoint::read(path)?;
        header.mark.check_settings(&text(&settings)?, path)?;
        if header.arithmetic != arithmetic() {
            return Err(TrainError::OtherArithmetic(header.arithmetic));
        }
        let weights = SequenceWeights::zeros(settings.net.shape()?);
        let weights = weights.map_err(|error| wrong("net", error.to_string()))?;
        let mut session = Session::with(settings, weights, header.parent)?;
        checkpoint::put_back(path, &mut session.net, &numbers)?;
        session.source.go_to(&header.mark, path)?;
        Ok(session)
    }

    fn with(
        settings: Settings,
        weights: SequenceWeights,
        parent: Option<String>,
    ) -> Result<Session, TrainError> {
        Ok(Session {
            net: Net::new(weights, settings.precision.into(), settings.ema > 0.0),
            source: Source::open(&settings)?,
            batch: Batch::default(),
            trainer: Trainer::default(),
            parent,
            settings,
        })
    }

    fn goal(&self) -> Goal {
        let [of_moves, of_outcomes] = self.batch.totals().map(mean_factor);
        let predictions = self.batch.predictions().max(1) as f32;
        let [timed, ended] = self.batch.known();
        Goal {
            smoothing: self.settings.smoothing,
            of_moves: of_moves as f32,
            of_outcomes: (f64::from(self.settings.value_weight) * of_outcomes) as f32,
            of_plies: self.settings.moves_left_weight / predictions,
            of_seconds: self.settings.think_weight / timed.max(1) as f32,
            of_resignations: self.settings.resign_weight / ended.max(1) as f32,
        }
    }

    fn judge(&self, net: &SequenceNet, games: &[SequenceGame]) -> Judgement {
        let judging = Judging {
            games,
            most_plies: self.settings.most_plies,
            parts: 1,
            part: |_: &SequenceGame, _| vec![0],
            raw: false,
            told_rating: None,
        };
        judging.judge_sequence(net)[0]
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
}

impl Training for Session {
    fn counters(&self) -> &Counters {
        &self.source.counters
    }

    fn step(&mut self) -> Result<Measured, TrainError> {
        let learning_rate = self.source.now(&self.settings.learning_rate);
        self.source
            .next(self.net.encoder(), &self.settings, &mut self.batch)?;
        let events = self.batch.predictions();
        if events == 0 {
            return Ok(self.source.count(0.0, learning_rate, 0));
        }
        let goal = self.goal();
        let is_frozen = self.steps() < self.settings.frozen_steps;
        let losses = self
            .net
            .measure(&mut self.trainer, &self.batch, &goal, is_frozen);
        let loss = losses.moves * f64::from(goal.of_moves) + losses.beside_moves(&goal);
        if !loss.is_finite() {
            return Err(TrainError::NotANumber(self.steps() + 1));
        }
        let change = Change {
            optimiser: self.settings.optimiser,
            number: self.steps() + 1,
            learning_rate: learning_rate as f32,
            ema_share: self.ema_share(),
        };
        self.net.change(&change, is_frozen);
        Ok(self.source.count(loss, learning_rate, events))
    }

    fn validate(&mut self) -> Judged {
        let net = SequenceNet::new(&self.net.weights().rounded(), Precision::Bf16);
        let judged = self.judge(&net, &self.source.validation);
        let policy_loss = judged.per_move(judged.legal.cross_entropy);
        let value_loss = judged.mean_value_loss();
        let mut numbers = vec![
            ("policy_loss", policy_loss),
            ("value_loss", value_loss),
            ("base_rate_loss", judged.base_rate_loss()),
            ("top_1", judged.per_move(judged.legal.top[0])),
            ("top_3", judged.per_move(judged.legal.top[1])),
            ("top_5", judged.per_move(judged.legal.top[2])),
            (HIT_RATE, judged.per_move(judged.legal.top[3])),
            ("mrr", judged.per_move(judged.legal.reciprocal_rank)),
            ("calibration", judged.calibration_error()),
        ];
        let of_heads = [
            ("think_loss", judged.mean_think_loss()),
            ("resign_loss", judged.mean_resign_loss()),
        ];
        let of_heads = of_heads.into_iter();
        numbers.extend(of_heads.filter_map(|(name, loss)| Some((name, loss?))));
        if !self.source.calibration.is_empty() {
            let held = self.judge(&net, &self.source.calibration);
            numbers.extend([
                ("held_value_loss", held.mean_value_loss()),
                ("held_base_rate_loss", held.base_rate_loss()),
                ("held_calibration", held.calibration_error()),
            ]);
        }
        Judged {
            loss: policy_loss + f64::from(self.settings.value_weight) * value_loss,
            positions: judged.moves as usize,
            numbers,
        }
    }

    fn export(
        &mut self,
        description: &str,
        provenance: Provenance,
    ) -> Result<ModelFile, TrainError> {
        let mut weights = self.net.weights();
        description.clone_into(&mut weights.description);
        weights.provenance = provenance;
        weights.thinking = self.source.thinking()?;
        Ok(ModelFile {
            bytes: weights
                .to_bytes()
                .map_err(|_| TrainError::NotANumber(self.steps()))?,
            ending: "tabianet",
        })
    }

    fn save(&mut self, path: &Path) -> Result<(), TrainError> {
        let is_finite = |tensor: &Vec<f32>| tensor.iter().all(|weight| weight.is_finite());
        if !self.net.weights().tensors().iter().all(is_finite) {
            return Err(TrainError::NotANumber(self.steps()));
        }
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

    /// The hit rate at ten, as published.
    fn criterion(&self) -> Option<&'static str> {
        Some(HIT_RATE)
    }

    fn arithmetic(&self) -> &'static str {
        arithmetic()
    }
}

/// The initial model, if one is named, and its name.
fn open_start(settings: &Settings) -> Result<Option<(SequenceWeights, String)>, TrainError> {
    let Some(path) = &settings.start else {
        return Ok(None);
    };
    let shape = settings.net.shape()?;
    let problem = match Model::named(path) {
        Ok(model) => match &model {
            Model::Sequence(file) if *file.weights.shape() == shape => {
                return Ok(Some((SequenceWeights::clone(&file.weights), model.name())));
            }
            Model::Sequence(_) => "its shape differs from the settings".to_owned(),
            _ => format!("it is a model of the kind {}", model.kind()),
        },
        Err(error) => error.to_string(),
    };
    Err(wrong("start", format!("{}: {problem}", path.display())).into())
}
