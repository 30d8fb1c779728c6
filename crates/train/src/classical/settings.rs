//! The settings of a fit of weights, besides those that all trainings share.

use crate::network::{Trained, read_tuples};
use crate::settings::{KindSettings, LAMBDA, schedule_within, within};
use crate::{Changing, CourseSettings, Loss, Schedule, WrongSetting};
use data::range::Range;
use nets::classical::{FEATURE_GROUPS, FEATURES, Groups};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The range of the learning rate: about the most centipawns that a step may change a weight by.
const LEARNING_RATE: Range = Range::closed(0.0, 100.0);
const ANCHOR: Range = Range::closed(0.0, 1.0);

/// The fit of the weights of the hand-written evaluation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "classical-training")]
pub struct Settings {
    /// The settings that all trainings share.
    #[serde(flatten, skip_deserializing)]
    pub course: CourseSettings,
    /// The learning rate: about how many centipawns a weight changes per step, at most.
    #[schemars(transform = LEARNING_RATE.schema())]
    pub learning_rate: Schedule,
    /// The weight of the score in the target; the rest is the result of the game.
    #[schemars(transform = LAMBDA.schema())]
    pub lambda: Schedule,
    /// The loss function.
    pub loss: Loss,
    /// Regularisation: the loss per squared centipawn of distance from the initial weights.
    #[schemars(transform = ANCHOR.schema())]
    pub anchor: f64,
    /// The groups of terms whose weights are fitted.
    pub groups: Vec<String>,
    /// Tuples of men whose tables are fitted as well, starting from zero; `published` stands for
    /// the 72 published ones. The model is then an n-tuple network.
    pub tuples: Vec<String>,
    /// The file of the initial weights; default: the built-in weights.
    pub start: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            course: CourseSettings {
                epochs: 30,
                ..CourseSettings::default()
            },
            learning_rate: Schedule::Changing(Changing::Cosine {
                from: 0.5,
                to: 0.005,
            }),
            lambda: Schedule::Constant(0.7),
            loss: Loss::default(),
            anchor: 1e-8,
            groups: FEATURE_GROUPS
                .iter()
                .map(|group| group.name().to_owned())
                .collect(),
            tuples: Vec::new(),
            start: None,
        }
    }
}

impl KindSettings for Settings {
    fn course(&mut self) -> &mut CourseSettings {
        &mut self.course
    }
}

impl Settings {
    /// Checks what deserialisation cannot.
    ///
    /// # Errors
    /// The first key with an invalid value.
    pub fn check(&self) -> Result<(), WrongSetting> {
        self.course.check()?;
        self.free(0)?;
        read_tuples(&self.tuples)?;
        let epochs = self.course.epochs;
        schedule_within("learning_rate", &self.learning_rate, epochs, LEARNING_RATE)?;
        schedule_within("lambda", &self.lambda, epochs, LAMBDA)?;
        self.loss.check()?;
        within("anchor", self.anchor, ANCHOR)
    }

    /// Which weights are trained: opening weights of all features, then endgame weights. The
    /// entries of tables always are.
    pub(super) fn free(&self, places: usize) -> Result<Vec<bool>, WrongSetting> {
        let trained = match self.groups.is_empty() && !self.tuples.is_empty() {
            true => Trained {
                groups: Groups::NONE,
                tuples: true,
            },
            false => Trained::read("groups", &self.groups)?,
        };
        let is_free = |index: usize| index >= FEATURES || trained.contains(index);
        let length = FEATURES + places;
        Ok((0..2 * length).map(|at| is_free(at % length)).collect())
    }
}
