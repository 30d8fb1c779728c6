//! The tables of a run file that TreeStrap reads.

use crate::error::wrong;
use crate::network::{Trained, names_of, read_groups, read_tuples};
use crate::settings::{
    BATCH, TRAINING_DEPTH, VALIDATION_SHARE, at_least_one, schedule_within, within,
};
use crate::{Changing, CourseSettings, Schedule, WrongSetting};
use data::range::Range;
use nets::classical::Groups;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Positions per generation, if neither positions nor epochs are given.
pub(super) const USUAL_POSITIONS: u64 = 50_000;
/// The range of the learning rate: about the most centipawns that a step may change a weight by.
const LEARNING_RATE: Range = Range::closed(0.0, 100.0);
/// The range of random weights, in centipawns.
const RANDOM: Range = Range::closed(0.0, 100.0);

/// The evaluation to train.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "evaluation")]
pub(super) struct EvaluationSettings {
    /// The tuples with tables; `published` stands for the 72 published ones.
    pub(super) tuples: Vec<String>,
    /// The groups of terms of the evaluation.
    pub(super) groups: Vec<String>,
    /// Whether known endgames are evaluated by endgame functions alone.
    pub(super) endgame_functions: bool,
    /// Initial values of the trained weights.
    pub(super) initial: Initial,
    /// The largest random weight, in centipawns.
    #[schemars(transform = RANDOM.schema())]
    pub(super) random: i32,
}

/// What weights begin with.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "evaluation-initial")]
pub(super) enum Initial {
    /// Usual piece values, everything else 0.
    #[default]
    Material,
    /// Small random weights.
    Random,
}

impl Default for EvaluationSettings {
    fn default() -> EvaluationSettings {
        EvaluationSettings {
            tuples: Vec::new(),
            groups: names_of(Groups::LINEAR),
            endgame_functions: false,
            initial: Initial::default(),
            random: 5,
        }
    }
}

/// How it learns from the replay buffer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "treestrap-learning")]
pub(super) struct TrainSettings {
    /// Search depth for each position.
    #[schemars(transform = TRAINING_DEPTH.schema())]
    pub(super) depth: u32,
    /// Whether training uses only positions in which the side to move cannot win material: after
    /// a mistake the value comes from the capture that punishes it, not from the position. As
    /// published, all positions are used.
    pub(super) quiet_boards: bool,
    /// The groups of terms, and `tuples`, whose weights are trained; default: all of the
    /// evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) weights: Option<Vec<String>>,
    /// Training positions per generation, sampled from the replay buffer; default: 50,000 if
    /// epochs are not given either.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub(super) positions: Option<u64>,
    /// Alternatively, the number of passes through the whole replay buffer per generation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub(super) epochs: Option<u64>,
    /// Positions per step (batch size).
    #[schemars(transform = BATCH.schema())]
    pub(super) batch: usize,
    /// The learning rate: about how many centipawns a weight changes per step, at most.
    #[schemars(transform = LEARNING_RATE.schema())]
    pub(super) learning_rate: Schedule,
    /// Filters of positions, with the names of `tabia data filter`.
    pub(super) filters: Vec<String>,
    /// The share of games held out for validation.
    #[schemars(transform = VALIDATION_SHARE.schema())]
    pub(super) validation_share: f64,
    /// Maximum number of validation positions.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub(super) validation_positions: usize,
    /// Number of steps between checkpoints.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub(super) checkpoint_steps: u64,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        TrainSettings {
            depth: 1,
            quiet_boards: true,
            weights: None,
            positions: None,
            epochs: None,
            batch: 128,
            learning_rate: Schedule::Changing(Changing::Cosine {
                from: 0.2,
                to: 0.02,
            }),
            filters: Vec::new(),
            validation_share: 0.02,
            validation_positions: 1_000,
            checkpoint_steps: 200,
        }
    }
}

/// All tables.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Settings {
    pub(super) evaluation: EvaluationSettings,
    pub(super) train: TrainSettings,
}

impl Settings {
    /// Checks what deserialisation cannot. Keys begin with their table.
    pub(super) fn check(&self) -> Result<(), WrongSetting> {
        let in_table = |table: &str, error: WrongSetting| WrongSetting {
            key: format!("{table}.{}", error.key).into(),
            ..error
        };
        self.check_evaluation()
            .map_err(|error| in_table("evaluation", error))?;
        self.check_train().map_err(|error| in_table("train", error))
    }

    fn check_evaluation(&self) -> Result<(), WrongSetting> {
        read_groups(&self.evaluation.groups)?;
        read_tuples(&self.evaluation.tuples)?;
        let random = f64::from(self.evaluation.random);
        within("random", random, RANDOM)
    }

    fn check_train(&self) -> Result<(), WrongSetting> {
        let train = &self.train;
        within("depth", f64::from(train.depth), TRAINING_DEPTH)?;
        if train.positions.is_some() && train.epochs.is_some() {
            return Err(wrong("epochs", "give either positions or epochs, not both"));
        }
        at_least_one("positions", train.positions.unwrap_or(1))?;
        within("validation_share", train.validation_share, VALIDATION_SHARE)?;
        let epochs = train.epochs.unwrap_or(1);
        schedule_within("learning_rate", &train.learning_rate, epochs, LEARNING_RATE)?;
        let trained = self.trained()?;
        let groups = read_groups(&self.evaluation.groups)?;
        if let Some(group) = trained.groups.iter().find(|group| !groups.contains(*group)) {
            return Err(wrong(
                "weights",
                format!("the evaluation has no group '{group}'"),
            ));
        }
        if trained.tuples && self.evaluation.tuples.is_empty() {
            return Err(wrong("weights", "the evaluation has no tuples"));
        }
        let file = PathBuf::from("x");
        self.course(file.clone(), file, 0).check()
    }

    /// Which weights are trained.
    pub(super) fn trained(&self) -> Result<Trained, WrongSetting> {
        match &self.train.weights {
            Some(names) => Trained::read("weights", names),
            None => Ok(Trained {
                groups: read_groups(&self.evaluation.groups)?.and(nets::classical::FEATURE_GROUPS),
                tuples: !self.evaluation.tuples.is_empty(),
            }),
        }
    }

    /// The course of a generation on these files.
    pub(super) fn course(&self, data: PathBuf, validation: PathBuf, seed: u64) -> CourseSettings {
        let train = &self.train;
        let epoch_positions = match (train.positions, train.epochs) {
            (None, Some(_)) => None,
            (positions, _) => Some(positions.unwrap_or(USUAL_POSITIONS)),
        };
        CourseSettings {
            data: vec![data],
            validation: vec![validation],
            validation_share: 0.0,
            validation_positions: train.validation_positions,
            filters: train.filters.clone(),
            batch: train.batch,
            epochs: train.epochs.unwrap_or(1),
            epoch_positions,
            seed,
            checkpoint_steps: train.checkpoint_steps,
            ..CourseSettings::default()
        }
    }
}
