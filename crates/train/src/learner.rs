//! How a run learns, generation after generation: the interface between one kind of learning and
//! the cycle of an experiment, which knows none of them by name.
//!
//! A [`LearnerKind`] reads its tables of a run file; the resulting [`Learner`] makes the first
//! model and the training of each generation.

use crate::search::Search;
use crate::settings::Misread;
use crate::{ModelFile, TrainError, Training, WrongSetting};
use nets::Provenance;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use toml::de::DeTable;

/// A kind of learning that can be named in run files.
pub trait LearnerKind: Send + Sync {
    /// Its name: the `kind` of the table `train`.
    fn name(&self) -> &'static str;

    /// The tables of a run file that belong to it, besides `train`.
    fn tables(&self) -> &'static [&'static str];

    /// Reads its tables, each of which may be missing. `kind` was already removed from the table
    /// `train`.
    ///
    /// # Errors
    /// The first error in them.
    fn read(&self, tables: DeTable<'_>) -> Result<Arc<dyn Learner>, Misread>;

    /// The schemas of its tables, each with its name; that of `train` without `kind`.
    fn schemas(&self, generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema)>;
}

/// How an arm learns. One learner serves all seeds and generations.
pub trait Learner: fmt::Debug + Send + Sync {
    /// Its kind.
    fn kind(&self) -> &'static str;

    /// Its tables with every default filled in, by which experiments are distinguished.
    ///
    /// # Errors
    /// If they cannot be serialised.
    fn settings(&self) -> serde_json::Result<Value>;

    /// Checks what deserialisation cannot. Keys begin with their table.
    ///
    /// # Errors
    /// The first key with an invalid value.
    fn check(&self) -> Result<(), WrongSetting>;

    /// The extension of its model files.
    fn extension(&self) -> &'static str;

    /// The share of games held out for validation.
    fn validation_share(&self) -> f64;

    /// The kind of data that it learns from.
    fn learns_from(&self) -> Learned {
        Learned::Positions
    }

    /// How much a generation trains, given the number of positions available to it and how many of
    /// these are newly played.
    fn amount(&self, lesson: f64, fresh: f64) -> Amount;

    /// Steps that it adds to the cycle of a generation.
    fn added_steps(&self) -> &'static [AddedStep] {
        &[]
    }

    /// Performs one of these steps, and returns measurements by name. After a kill it is performed
    /// again, and must then give the same result.
    ///
    /// # Errors
    /// If it fails.
    fn perform(
        &self,
        step: &str,
        surroundings: &Surroundings<'_>,
    ) -> Result<Vec<(String, f64)>, TrainError> {
        let _ = (step, surroundings);
        Ok(Vec::new())
    }

    /// Makes the model of generation 0, and a checkpoint from which trainings continue.
    ///
    /// # Errors
    /// If there is no such model, or the checkpoint cannot be written.
    fn first(&self, first: &First<'_>) -> Result<ModelFile, TrainError>;

    /// The training of a generation, resumed if its checkpoint exists.
    ///
    /// # Errors
    /// If data or checkpoints are invalid for it.
    fn training(&self, lesson: &Lesson<'_>) -> Result<Box<dyn Training>, TrainError>;
}

/// The kind of data that a learner learns from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learned {
    /// Positions with the move that was played, its score and the result: binpack.
    Positions,
    /// Positions with the results of tree searches for their moves: policy shards.
    Searches,
    /// Games that it plays itself or already has: none are played for it.
    OwnGames,
}

/// A step that a learner adds to the cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddedStep {
    /// Its name.
    pub name: &'static str,
    /// When it is performed.
    pub moment: Moment,
}

/// When an added step is performed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// After the data of the generation were written.
    BeforeTraining,
    /// After the candidate was made, and before it is judged.
    AfterTraining,
}

/// The surroundings of an added step.
pub struct Surroundings<'a> {
    /// The folder of the generation's training, where it may write its own files.
    pub folder: &'a Path,
    /// The shard for training.
    pub data: &'a Path,
    /// The shard for validation.
    pub validation: &'a Path,
    /// The number of threads.
    pub threads: usize,
}

/// How much a generation trains.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Amount {
    /// The number of positions, counting repeated ones each time.
    pub positions: f64,
    /// The number of epochs.
    pub epochs: u64,
}

/// What is needed to make the first model of a run.
pub struct First<'a> {
    /// Determines random weights.
    pub seed: u64,
    /// The initial model; without one the learner begins with random weights, or whatever else it
    /// begins with.
    pub start: Option<&'a Path>,
    /// Where to write the checkpoint.
    pub checkpoint: &'a Path,
    /// The description in the file of the model.
    pub description: &'a str,
    /// The provenance in that file.
    pub provenance: Provenance,
}

/// What is needed for the training of a generation.
pub struct Lesson<'a> {
    /// The generation, from 1; 0 for the first model.
    pub generation: u32,
    /// The number of positions to train on, and how many of the games' positions were newly played
    /// in this generation.
    pub positions: [u64; 2],
    /// The shard for training.
    pub data: &'a Path,
    /// The shard for validation.
    pub validation: &'a Path,
    /// Determines the order of positions.
    pub seed: u64,
    /// The checkpoint of the training from which this one continues.
    pub follows: &'a Path,
    /// Where it saves its own checkpoint.
    pub checkpoint: &'a Path,
    /// How many threads load data.
    pub threads: usize,
    /// The search for learners that need one.
    pub search: Arc<dyn Search>,
    /// A short training instead of a whole one.
    pub taste: Option<Taste>,
}

/// A short training, for generation 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Taste {
    /// The number of positions to train on.
    pub positions: u64,
    /// Positions per step (batch size).
    pub batch: usize,
    /// The default share of the score in the target of the value.
    pub lambda: Option<f64>,
}

/// The kinds of learning that a program offers.
#[derive(Default)]
pub struct Learners(Vec<Box<dyn LearnerKind>>);

impl Learners {
    /// Adds a kind, whose name must be unique.
    pub fn with(mut self, kind: impl LearnerKind + 'static) -> Learners {
        self.0.push(Box::new(kind));
        self
    }

    /// The kind of this name; the first one without a name.
    pub fn find(&self, name: Option<&str>) -> Option<&dyn LearnerKind> {
        self.iter()
            .find(|kind| name.is_none_or(|name| kind.name() == name))
    }

    /// All kinds.
    pub fn iter(&self) -> impl Iterator<Item = &dyn LearnerKind> {
        self.0.iter().map(AsRef::as_ref)
    }

    /// The names of all kinds.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|kind| kind.name()).collect()
    }

    /// The tables of all kinds, each once.
    pub fn tables(&self) -> Vec<&'static str> {
        let mut tables: Vec<&str> = self
            .0
            .iter()
            .flat_map(|kind| kind.tables())
            .copied()
            .collect();
        tables.sort_unstable();
        tables.dedup();
        tables
    }
}
