//! Sequence models as learners of a run: the tables `net` and `train` of a run file.

use super::super::initial::initial;
use super::super::settings::NetSettings;
use super::session::{Session, write_first};
use super::settings::{Settings, TrainSettings, Way};
use crate::error::wrong;
use crate::learner::{Amount, First, Learned, Learner, LearnerKind, Lesson};
use crate::settings::{Misread, filled};
use crate::{ModelFile, TrainError, Training, WrongSetting};
use nets::Model;
use nets::sequence::{SequenceModelFile, SequenceWeights};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use toml::de::DeTable;

/// The assumed length of a game in plies.
const USUAL_PLIES: f64 = 80.0;

/// The learning of sequence models, as named in run files.
pub struct SequenceLearning;

impl LearnerKind for SequenceLearning {
    fn name(&self) -> &'static str {
        "sequence"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["net"]
    }

    fn read(&self, tables: DeTable<'_>) -> Result<Arc<dyn Learner>, Misread> {
        let settings: Settings = filled(tables, 0)?;
        Ok(Arc::new(settings))
    }

    fn schemas(&self, generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema)> {
        vec![
            ("net", generator.subschema_for::<NetSettings>()),
            ("train", TrainSettings::json_schema(generator)),
        ]
    }
}

impl Learner for Settings {
    fn kind(&self) -> &'static str {
        SequenceLearning.name()
    }

    fn settings(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    fn check(&self) -> Result<(), WrongSetting> {
        Settings::check(self)
    }

    fn extension(&self) -> &'static str {
        SequenceModelFile::EXTENSION
    }

    fn validation_share(&self) -> f64 {
        self.train.validation_share
    }

    fn learns_from(&self) -> Learned {
        Learned::OwnGames
    }

    fn amount(&self, _: f64, _: f64) -> Amount {
        let train = &self.train;
        let of_step = match train.way {
            Way::Supervised => train.batch as f64,
            Way::PolicyGradient | Way::Search => train.play.games as f64 * USUAL_PLIES,
        };
        Amount {
            positions: (train.steps * train.epochs) as f64 * of_step,
            epochs: train.epochs,
        }
    }

    fn first(&self, first: &First<'_>) -> Result<ModelFile, TrainError> {
        let mut weights = match first.start {
            Some(path) => open(path)?,
            None => initial(self.net.shape()?, first.seed)
                .map_err(|error| wrong("net", error.to_string()))?,
        };
        write_first(self, &weights, first.checkpoint)?;
        first.description.clone_into(&mut weights.description);
        weights.provenance = first.provenance.clone();
        let bytes = weights.to_bytes();
        Ok(ModelFile {
            bytes: bytes.map_err(|_| TrainError::NotANumber(0))?,
            ending: SequenceModelFile::EXTENSION,
        })
    }

    fn training(&self, lesson: &Lesson<'_>) -> Result<Box<dyn Training>, TrainError> {
        let search = || lesson.search.clone();
        if lesson.checkpoint.exists() {
            match Session::resume(self.clone(), lesson.seed, search(), lesson.checkpoint) {
                // The folder was moved during a training. Repeating the same steps from the
                // beginning gives the same weights.
                Err(TrainError::OtherSettings { .. }) => {}
                session => return Ok(Box::new(session?)),
            }
        }
        let session = Session::follow(self.clone(), lesson.seed, search(), lesson.follows)?;
        Ok(Box::new(session))
    }
}

/// The weights of a sequence model, named by its file or as the built-in one.
fn open(path: &Path) -> Result<SequenceWeights, TrainError> {
    let problem = match Model::named(path) {
        Ok(Model::Sequence(file)) => return Ok(SequenceWeights::clone(&file.weights)),
        Ok(model) => format!("it is a model of the kind {}", model.kind()),
        Err(error) => error.to_string(),
    };
    Err(wrong(
        "generation_0.model",
        format!("{}: {problem}", path.display()),
    )
    .into())
}
