//! The one list of the kinds of trainings and learners of this crate.

use crate::search::Search;
use crate::settings::schema::{name as name_kind, of_kind as describe};
use crate::settings::{CourseSettings, Misread, of_kind};
use crate::{
    Learners, TrainError, Training, WrongSetting, classical, comparison, nnue, policy, resnet,
    sequence, treestrap,
};
use schemars::{Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::de::{DeTable, ValueDeserializer};

/// The learners of this crate; a program may add its own.
pub fn learners() -> Learners {
    Learners::default()
        .with(nnue::NnueLearning)
        .with(treestrap::TreeStrapLearning)
        .with(policy::LEARNING)
        .with(resnet::LEARNING)
        .with(sequence::SequenceLearning)
}

/// A training of any kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Settings {
    /// Training of an NNUE net.
    Nnue(nnue::Settings),
    /// Fit of the weights of the hand-written evaluation.
    Classical(classical::Settings),
    /// Training of a policy net.
    Policy(policy::Settings),
    /// Training of a ResNet.
    ResNet(resnet::Settings),
    /// Training of a sequence model.
    Sequence(sequence::Settings),
    /// Comparison training of an n-tuple network.
    Comparison(comparison::Settings),
}

impl Settings {
    /// The settings that all trainings share.
    pub fn course(&self) -> &CourseSettings {
        match self {
            Settings::Nnue(settings) => &settings.course,
            Settings::Classical(settings) => &settings.course,
            Settings::Policy(settings) => &settings.course,
            Settings::ResNet(settings) => &settings.course,
            Settings::Sequence(settings) => &settings.course,
            Settings::Comparison(settings) => &settings.course,
        }
    }

    /// The same, mutable.
    pub fn course_mut(&mut self) -> &mut CourseSettings {
        match self {
            Settings::Nnue(settings) => &mut settings.course,
            Settings::Classical(settings) => &mut settings.course,
            Settings::Comparison(settings) => &mut settings.course,
            Settings::Policy(settings) => &mut settings.course,
            Settings::ResNet(settings) => &mut settings.course,
            Settings::Sequence(settings) => &mut settings.course,
        }
    }

    /// Sets the file of the initial weights.
    pub fn set_start(&mut self, path: PathBuf) {
        match self {
            Settings::Nnue(settings) => settings.start = Some(path),
            Settings::Classical(settings) => settings.start = Some(path),
            Settings::Comparison(settings) => settings.start = Some(path),
            Settings::Policy(settings) => settings.start = Some(path),
            Settings::ResNet(settings) => settings.start = Some(path),
            Settings::Sequence(settings) => settings.start = Some(path),
        }
    }

    /// Checks what deserialisation cannot.
    ///
    /// # Errors
    /// The first key with an invalid value.
    pub fn check(&self) -> Result<(), WrongSetting> {
        match self {
            Settings::Nnue(settings) => settings.check(),
            Settings::Classical(settings) => settings.check(),
            Settings::Comparison(settings) => settings.check(),
            Settings::Policy(settings) => settings.check(),
            Settings::ResNet(settings) => settings.check(),
            Settings::Sequence(settings) => settings.check(),
        }
    }

    /// A short description of what it does.
    pub fn manner(&self) -> String {
        match self {
            Settings::Nnue(_) => "net".to_owned(),
            Settings::Policy(_) => "policy net".to_owned(),
            Settings::ResNet(_) => "ResNet".to_owned(),
            Settings::Sequence(_) => "sequence model".to_owned(),
            Settings::Classical(settings) => match settings.tuples.is_empty() {
                true => "logistic fit".to_owned(),
                false => "logistic fit with tuples".to_owned(),
            },
            Settings::Comparison(settings) => {
                format!("{} ply, {}", settings.depth, settings.train.join(" "))
            }
        }
    }

    /// A remark for the user before it begins, if there is one.
    pub fn remark(&self) -> Option<String> {
        match self {
            Settings::Nnue(settings) => settings.remark(),
            Settings::Classical(_)
            | Settings::Comparison(_)
            | Settings::Policy(_)
            | Settings::ResNet(_)
            | Settings::Sequence(_) => None,
        }
    }

    /// The training, begun or resumed from a checkpoint. `search` is for trainings that need one.
    ///
    /// # Errors
    /// If settings, data or checkpoint are invalid for it.
    pub fn training(
        self,
        loader_threads: usize,
        checkpoint: Option<&Path>,
        search: Arc<dyn Search>,
    ) -> Result<Box<dyn Training>, TrainError> {
        Ok(match (self, checkpoint) {
            (Settings::Nnue(settings), None) => {
                Box::new(nnue::Session::begin(settings, loader_threads)?)
            }
            (Settings::Nnue(settings), Some(path)) => {
                Box::new(nnue::Session::resume(settings, loader_threads, path)?)
            }
            (Settings::Classical(settings), None) => {
                Box::new(classical::Session::begin(settings, loader_threads)?)
            }
            (Settings::Classical(settings), Some(path)) => {
                Box::new(classical::Session::resume(settings, loader_threads, path)?)
            }
            (Settings::Policy(settings), None) => {
                Box::new(policy::Session::begin(settings, loader_threads)?)
            }
            (Settings::Policy(settings), Some(path)) => {
                Box::new(policy::Session::resume(settings, loader_threads, path)?)
            }
            (Settings::ResNet(settings), None) => {
                Box::new(resnet::Session::begin(settings, loader_threads)?)
            }
            (Settings::ResNet(settings), Some(path)) => {
                Box::new(resnet::Session::resume(settings, loader_threads, path)?)
            }
            (Settings::Sequence(settings), None) => Box::new(sequence::Session::begin(settings)?),
            (Settings::Sequence(settings), Some(path)) => {
                Box::new(sequence::Session::resume(settings, path)?)
            }
            (Settings::Comparison(settings), None) => Box::new(comparison::Session::begin(
                settings,
                loader_threads,
                search,
            )?),
            (Settings::Comparison(settings), Some(path)) => Box::new(comparison::Session::resume(
                settings,
                loader_threads,
                search,
                path,
            )?),
        })
    }
}

/// The schema of training files.
pub fn schema() -> Value {
    let mut generator = data::schema::generator();
    let root = any_kind(&mut generator, &["data"], true);
    data::schema::finished("A training of Tabia", root, generator)
}

/// The schema of a partial table of any kind of training; the kind may be given elsewhere.
pub fn part_of_any_kind(generator: &mut SchemaGenerator) -> Schema {
    any_kind(generator, &[], false)
}

/// The schema of a table of any kind of training with these required keys.
fn any_kind(generator: &mut SchemaGenerator, required: &[&str], says_kind: bool) -> Schema {
    let kinds: [(&str, Schema); 6] = [
        ("nnue", describe::<nnue::Settings>(generator)),
        ("classical", describe::<classical::Settings>(generator)),
        ("policy", describe::<policy::Settings>(generator)),
        ("resnet", describe::<resnet::Settings>(generator)),
        ("sequence", describe::<sequence::Settings>(generator)),
        ("comparison", describe::<comparison::Settings>(generator)),
    ];
    let mut choices = Vec::new();
    for (place, (name, mut schema)) in kinds.into_iter().enumerate() {
        let is_usual = place == 0;
        name_kind(&mut schema, name, is_usual);
        if let Some(keys) = data::schema::properties(&mut schema).filter(|_| is_usual) {
            let names: Vec<&str> = nnue::PRESETS.iter().map(|(name, _)| *name).collect();
            let about = "A preset, whose settings are overridden by the file.";
            keys.insert(
                "preset".to_owned(),
                json!({"description": about, "enum": names}),
            );
        }
        let mut required = required.to_vec();
        required.extend((says_kind && !is_usual).then_some("kind"));
        schema.insert("required".to_owned(), required.into());
        let name = format!("{name}-training");
        choices.push(json!({"$ref": format!("#/definitions/{name}")}));
        (generator.definitions_mut()).insert(name, schema.to_value());
    }
    schemars::json_schema!({"type": "object", "anyOf": choices})
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    #[default]
    Nnue,
    Classical,
    Policy,
    ResNet,
    Sequence,
    Comparison,
}

impl Settings {
    /// Reads the table of a file, which may be combined from several texts; errors about missing
    /// keys refer to `place`.
    ///
    /// # Errors
    /// The first error in it.
    pub fn from_table(mut table: DeTable<'_>, place: usize) -> Result<Settings, Misread> {
        let kind = match table.remove("kind") {
            Some(kind) => Kind::deserialize(ValueDeserializer::from(kind))?,
            None => Kind::default(),
        };
        Ok(match kind {
            Kind::Nnue => Settings::Nnue(of_kind::<nnue::Settings>(table, place)?),
            Kind::Classical => Settings::Classical(of_kind::<classical::Settings>(table, place)?),
            Kind::Policy => Settings::Policy(of_kind::<policy::Settings>(table, place)?),
            Kind::ResNet => Settings::ResNet(of_kind::<resnet::Settings>(table, place)?),
            Kind::Sequence => Settings::Sequence(of_kind::<sequence::Settings>(table, place)?),
            Kind::Comparison => {
                Settings::Comparison(of_kind::<comparison::Settings>(table, place)?)
            }
        })
    }
}
