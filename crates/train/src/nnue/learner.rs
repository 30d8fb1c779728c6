//! NNUE nets as learners of a run: the tables `net` and `train` of a run file.

use super::beginning::first_net;
use super::session::{Memory, Session};
use super::settings::{LEARNING_RATE, NetSettings, Settings, ShapeName};
use crate::descent::Optimiser;
use crate::learner::{Amount, First, Learner, LearnerKind, Lesson};
use crate::settings::{BATCH, FORGETTING, LAMBDA, Misread, VALIDATION_SHARE, filled, within};
use crate::{
    Changing, CourseSettings, Loss, ModelFile, Schedule, TrainError, Training, WrongSetting,
};
use data::range::Range;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::de::DeTable;

/// Positions per generation, if neither positions nor epochs are given.
const USUAL_POSITIONS: u64 = 1_000_000;

/// The learning of NNUE nets, as named in run files.
pub struct NnueLearning;

impl LearnerKind for NnueLearning {
    fn name(&self) -> &'static str {
        "nnue"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["net"]
    }

    fn read(&self, tables: DeTable<'_>) -> Result<Arc<dyn Learner>, Misread> {
        let learner: NnueLearner = filled(tables, 0)?;
        Ok(Arc::new(learner))
    }

    fn schemas(&self, generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema)> {
        vec![
            ("net", generator.subschema_for::<NetSettings>()),
            ("train", GenerationSettings::json_schema(generator)),
        ]
    }
}

/// How an NNUE net learns in a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct NnueLearner {
    net: NetSettings,
    train: GenerationSettings,
}

/// How a net learns from the replay buffer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "nnue-learning")]
struct GenerationSettings {
    /// Training positions per generation, sampled from the replay buffer; default: 1,000,000 if
    /// epochs are not given either.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    positions: Option<u64>,
    /// Alternatively, the number of passes through the whole replay buffer per generation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    epochs: Option<u64>,
    /// Positions per step (batch size).
    #[schemars(transform = BATCH.schema())]
    batch: usize,
    /// The learning rate; a schedule restarts with each generation.
    #[schemars(transform = LEARNING_RATE.schema())]
    learning_rate: Schedule,
    /// The weight of the score in the target; the rest is the result of the game.
    #[schemars(transform = LAMBDA.schema())]
    lambda: Schedule,
    /// How errors are weighted; the default depends on the shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<Loss>,
    /// The optimiser.
    optimiser: Optimiser,
    /// Whether each generation resets the state of the optimiser.
    fresh_optimiser: bool,
    /// Decay of an exponential moving average of the weights, which is then the result. By
    /// default the last weights are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = FORGETTING.schema())]
    ema: Option<f32>,
    /// Quantisation-aware training: whether the forward pass rounds weights as the file will
    /// store them.
    quantisation_aware: bool,
    /// Filters of positions, with the names of `tabia data filter`.
    filters: Vec<String>,
    /// Whether scores and results are read as if written from White's point of view, with the
    /// sign flipped where Black is to move. Only for reproducing a published mistake.
    white_labels: bool,
    /// The share of games held out for validation. With 0 the net is validated on its training
    /// data.
    #[schemars(transform = VALIDATION_SHARE.schema())]
    validation_share: f64,
    /// Maximum number of validation positions.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    validation_positions: usize,
    /// Number of steps between checkpoints.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    checkpoint_steps: u64,
}

impl Default for GenerationSettings {
    fn default() -> GenerationSettings {
        GenerationSettings {
            positions: None,
            epochs: None,
            batch: 1_024,
            learning_rate: Schedule::Changing(Changing::Cosine {
                from: 1e-3,
                to: 1e-4,
            }),
            lambda: Schedule::Constant(0.7),
            loss: None,
            optimiser: Optimiser::default(),
            fresh_optimiser: false,
            ema: None,
            quantisation_aware: false,
            filters: Vec::new(),
            white_labels: false,
            validation_share: 0.05,
            validation_positions: 20_000,
            checkpoint_steps: 1_000,
        }
    }
}

impl NnueLearner {
    /// The settings of a generation's training on these files.
    fn settings(&self, data: PathBuf, validation: PathBuf, seed: u64) -> Settings {
        let train = &self.train;
        let epoch_positions = match (train.positions, train.epochs) {
            (None, Some(_)) => None,
            (positions, _) => Some(positions.unwrap_or(USUAL_POSITIONS)),
        };
        Settings {
            net: self.net.clone(),
            start: None,
            course: CourseSettings {
                data: vec![data],
                validation: vec![validation],
                validation_share: 0.0,
                validation_positions: train.validation_positions,
                filters: train.filters.clone(),
                white_labels: train.white_labels,
                batch: train.batch,
                epochs: train.epochs.unwrap_or(1),
                epoch_positions,
                seed,
                checkpoint_steps: train.checkpoint_steps,
            },
            learning_rate: train.learning_rate.clone(),
            lambda: train.lambda.clone(),
            loss: train.loss,
            optimiser: train.optimiser,
            ema: train.ema,
            quantisation_aware: train.quantisation_aware,
        }
    }

    fn session(&self, settings: Settings, lesson: &Lesson<'_>) -> Result<Session, TrainError> {
        if lesson.checkpoint.exists() {
            match Session::resume(settings.clone(), lesson.threads, lesson.checkpoint) {
                // The folder was moved during a training. Repeating the same steps from the
                // beginning gives the same net.
                Err(TrainError::OtherSettings { .. }) => {}
                session => return session,
            }
        }
        let memory = match self.train.fresh_optimiser && lesson.taste.is_none() {
            true => Memory::Fresh,
            false => Memory::Kept,
        };
        Session::follow(settings, lesson.threads, lesson.follows, memory)
    }
}

impl Learner for NnueLearner {
    fn kind(&self) -> &'static str {
        NnueLearning.name()
    }

    fn settings(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    fn check(&self) -> Result<(), WrongSetting> {
        let train = &self.train;
        let wrong = |key: &str, problem: &str| WrongSetting {
            key: key.to_owned().into(),
            problem: problem.to_owned(),
        };
        if train.positions.is_some() && train.epochs.is_some() {
            return Err(wrong(
                "train.epochs",
                "give either positions or epochs, not both",
            ));
        }
        within(
            "train.validation_share",
            train.validation_share,
            VALIDATION_SHARE,
        )?;
        let file = PathBuf::from("x");
        let settings = NnueLearner::settings(self, file.clone(), file, 0);
        settings.check().map_err(|error| {
            let key = match error.key.as_ref() {
                "epoch_positions" => "positions",
                key => key,
            };
            match key.split('.').next() {
                Some("net") => wrong(key, &error.problem),
                _ => wrong(&format!("train.{key}"), &error.problem),
            }
        })
    }

    fn extension(&self) -> &'static str {
        match self.net.shape {
            ShapeName::Simple => "tabianet",
            ShapeName::Sfnn => "nnue",
        }
    }

    fn validation_share(&self) -> f64 {
        self.train.validation_share
    }

    fn amount(&self, lesson: f64, _: f64) -> Amount {
        let epochs = self.train.epochs.unwrap_or(1);
        let positions = match (self.train.positions, self.train.epochs) {
            (None, Some(epochs)) => epochs as f64 * lesson,
            (positions, _) => positions.unwrap_or(USUAL_POSITIONS) as f64,
        };
        Amount { positions, epochs }
    }

    fn first(&self, first: &First<'_>) -> Result<ModelFile, TrainError> {
        let nowhere = PathBuf::new();
        let mut settings = NnueLearner::settings(self, nowhere.clone(), nowhere, first.seed);
        settings.start = first.start.map(Path::to_owned);
        let net = first_net(&settings, first.checkpoint)?;
        Ok(ModelFile {
            ending: net.ending(),
            bytes: net.into_bytes(first.description, first.provenance.clone())?,
        })
    }

    fn training(&self, lesson: &Lesson<'_>) -> Result<Box<dyn Training>, TrainError> {
        let [data, validation] = [lesson.data, lesson.validation].map(Path::to_owned);
        let mut settings = NnueLearner::settings(self, data, validation, lesson.seed);
        if let Some(taste) = lesson.taste {
            settings.course.batch = taste.batch;
            settings.course.epochs = 1;
            settings.course.epoch_positions = Some(taste.positions);
        }
        Ok(Box::new(self.session(settings, lesson)?))
    }
}
