//! TreeStrap as a learner of a run: the tables `evaluation` and `train` of a run file.

use super::session::{Learned, Session};
use super::settings::{EvaluationSettings, Settings, TrainSettings, USUAL_POSITIONS};
use crate::learner::{Amount, First, Learner, LearnerKind, Lesson};
use crate::settings::{Misread, filled};
use crate::{ModelFile, TrainError, Training, WrongSetting};
use nets::ntuple::NTupleFile;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use toml::de::DeTable;

/// The learning of evaluations by TreeStrap, as named in run files.
pub struct TreeStrapLearning;

impl LearnerKind for TreeStrapLearning {
    fn name(&self) -> &'static str {
        "treestrap"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["evaluation"]
    }

    fn read(&self, tables: DeTable<'_>) -> Result<Arc<dyn Learner>, Misread> {
        let settings: Settings = filled(tables, 0)?;
        Ok(Arc::new(settings))
    }

    fn schemas(&self, generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema)> {
        vec![
            (
                "evaluation",
                generator.subschema_for::<EvaluationSettings>(),
            ),
            ("train", TrainSettings::json_schema(generator)),
        ]
    }
}

impl Learner for Settings {
    fn kind(&self) -> &'static str {
        TreeStrapLearning.name()
    }

    fn settings(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    fn check(&self) -> Result<(), WrongSetting> {
        Settings::check(self)
    }

    fn extension(&self) -> &'static str {
        NTupleFile::EXTENSION
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
        let learned = Learned::begin(self, first.start, first.seed)?;
        learned.write_first(first.checkpoint)?;
        learned.export(first.description, first.provenance.clone())
    }

    fn training(&self, lesson: &Lesson<'_>) -> Result<Box<dyn Training>, TrainError> {
        let [data, validation] = [lesson.data, lesson.validation].map(Path::to_owned);
        let mut course = self.course(data, validation, lesson.seed);
        if let Some(taste) = lesson.taste {
            course.batch = taste.batch;
            course.epochs = 1;
            course.epoch_positions = Some(taste.positions);
        }
        let open = |from: &Path, is_resumed: bool| {
            let means = (lesson.threads, lesson.search.clone());
            Session::open(self.clone(), course.clone(), means, from, is_resumed)
        };
        if lesson.checkpoint.exists() {
            match open(lesson.checkpoint, true) {
                // The folder was moved during a training. Repeating the same steps from the
                // beginning gives the same weights.
                Err(TrainError::OtherSettings { .. }) => {}
                session => return Ok(Box::new(session?)),
            }
        }
        Ok(Box::new(open(lesson.follows, false)?))
    }
}
