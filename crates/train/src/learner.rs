//! How a run learns, generation after generation: what one kind of learning gives
//! to the cycle of an experiment, which knows none of them by name.
//!
//! A [`LearnerKind`] reads its tables of a run file, and the [`Learner`] that comes
//! of it makes the first model and the training of each generation.

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

/// A kind of learning that run files can name.
pub trait LearnerKind: Send + Sync {
    /// The word for it: the `kind` of the table `train`.
    fn name(&self) -> &'static str;

    /// The tables of a run file that are its own, beside `train`.
    fn tables(&self) -> &'static [&'static str];

    /// Reads its tables, of which each may be missing. The table `train` has no
    /// `kind` any more.
    ///
    /// # Errors
    /// The first thing that is wrong with them.
    fn read(&self, tables: DeTable<'_>) -> Result<Arc<dyn Learner>, Misread>;

    /// What its tables may say, each by its name; the table `train` without its `kind`.
    fn schemas(&self, generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema)>;
}

/// How an arm learns. One learner serves all seeds and generations.
pub trait Learner: fmt::Debug + Send + Sync {
    /// Its kind.
    fn kind(&self) -> &'static str;

    /// Its tables with every default filled in, which tell experiments apart.
    ///
    /// # Errors
    /// If they cannot be written down.
    fn settings(&self) -> serde_json::Result<Value>;

    /// Checks what the format cannot. Keys begin with their table.
    ///
    /// # Errors
    /// The first key with a value that makes no sense.
    fn check(&self) -> Result<(), WrongSetting>;

    /// What the names of its models end with.
    fn extension(&self) -> &'static str;

    /// The share of games held out for validation.
    fn validation_share(&self) -> f64;

    /// What it learns from.
    fn learns_from(&self) -> Learned {
        Learned::Positions
    }

    /// How many positions a generation learns from that has so many, of which it has
    /// played so many itself, and how many models it makes on the way.
    fn amount(&self, lesson: f64, fresh: f64) -> Amount;

    /// Steps of its own in the cycle of a generation.
    fn added_steps(&self) -> &'static [AddedStep] {
        &[]
    }

    /// Does a step of its own; what it measured, by name. It is done again after a
    /// kill, and must then give the same.
    ///
    /// # Errors
    /// If it cannot be done.
    fn perform(
        &self,
        step: &str,
        surroundings: &Surroundings<'_>,
    ) -> Result<Vec<(String, f64)>, TrainError> {
        let _ = (step, surroundings);
        Ok(Vec::new())
    }

    /// Makes the model of generation 0, and a checkpoint that trainings follow.
    ///
    /// # Errors
    /// If there is no such model, or the checkpoint cannot be written.
    fn first(&self, first: &First<'_>) -> Result<ModelFile, TrainError>;

    /// The training of a generation. If its checkpoint is there, it goes on.
    ///
    /// # Errors
    /// If data or checkpoints are not fit for it.
    fn training(&self, lesson: &Lesson<'_>) -> Result<Box<dyn Training>, TrainError>;
}

/// What a learner learns from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learned {
    /// Positions with the move that was played, its score and the result: binpack.
    Positions,
    /// Positions with what a tree search found of their moves: policy shards.
    Searches,
    /// Games that it plays itself, or has: none are played for it.
    OwnGames,
}

/// A step that a learner adds to the cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddedStep {
    /// Its name.
    pub name: &'static str,
    /// When it is done.
    pub moment: Moment,
}

/// When a step is done that a learner adds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// The lesson of the generation is written.
    BeforeTraining,
    /// The candidate is made, and has not been judged.
    AfterTraining,
}

/// What an added step finds.
pub struct Surroundings<'a> {
    /// The folder of the generation's training, for files of its own.
    pub folder: &'a Path,
    /// The shard to learn from.
    pub data: &'a Path,
    /// The shard to judge by.
    pub validation: &'a Path,
    /// How many threads work.
    pub threads: usize,
}

/// How much a generation learns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Amount {
    /// Positions, repeated ones as often.
    pub positions: f64,
    /// Epochs.
    pub epochs: u64,
}

/// The beginning of a lineage of models.
pub struct First<'a> {
    /// Decides random weights.
    pub seed: u64,
    /// The model to begin with; random weights, or what else a learner begins with,
    /// if there is none.
    pub start: Option<&'a Path>,
    /// Where the checkpoint goes.
    pub checkpoint: &'a Path,
    /// What the file of the model says of itself.
    pub description: &'a str,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// What a generation learns from.
pub struct Lesson<'a> {
    /// The generation, from 1; 0 for the first model.
    pub generation: u32,
    /// Positions that are learned from, and how many of the games' positions are the
    /// generation's own.
    pub positions: [u64; 2],
    /// The shard to learn from.
    pub data: &'a Path,
    /// The shard to judge by.
    pub validation: &'a Path,
    /// Decides the order of positions.
    pub seed: u64,
    /// The checkpoint of the training that this one follows.
    pub follows: &'a Path,
    /// Where it keeps itself.
    pub checkpoint: &'a Path,
    /// How many threads read data.
    pub threads: usize,
    /// The search for those that need one.
    pub search: Arc<dyn Search>,
    /// A first taste instead of a whole lesson.
    pub taste: Option<Taste>,
}

/// A few steps, for generation 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Taste {
    /// Positions that are learned.
    pub positions: u64,
    /// Positions per step (batch size).
    pub batch: usize,
    /// The share of scores in what the value learns by default.
    pub lambda: Option<f64>,
}

/// The kinds of learning that a program offers.
#[derive(Default)]
pub struct Learners(Vec<Box<dyn LearnerKind>>);

impl Learners {
    /// The same with one more kind, which others may not be called like.
    pub fn with(mut self, kind: impl LearnerKind + 'static) -> Learners {
        self.0.push(Box::new(kind));
        self
    }

    /// The kind of this name; the first one if none is named.
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
