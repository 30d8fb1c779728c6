//! What the settings of a fit of weights have of their own.

use crate::error::wrong;
use crate::settings::{KindSettings, LAMBDA, schedule_within, within};
use crate::{Changing, CourseSettings, Loss, Schedule, WrongSetting};
use data::range::Range;
use nets::classical::{FEATURE_GROUPS, FEATURES, Group, Groups, feature_group};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Centipawns that a weight may move with a step, at most about.
const LEARNING_RATE: Range = Range::closed(0.0, 100.0);

/// A fit of the weights of the hand-written evaluation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// What all trainings share.
    #[serde(flatten, skip_deserializing)]
    pub course: CourseSettings,
    /// How many centipawns a weight moves with a step, at most about.
    pub learning_rate: Schedule,
    /// The share of the score in what is learned; the rest is the result.
    pub lambda: Schedule,
    /// How errors count.
    pub loss: Loss,
    /// What a squared centipawn away from the beginning adds to the loss.
    pub anchor: f64,
    /// The groups whose weights are fitted.
    pub groups: Vec<String>,
    /// The file of the weights to begin with; without it, those of the program.
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
    /// Checks what the format cannot.
    ///
    /// # Errors
    /// The first key with a value that makes no sense.
    pub fn check(&self) -> Result<(), WrongSetting> {
        self.course.check()?;
        self.free()?;
        let epochs = self.course.epochs;
        schedule_within("learning_rate", &self.learning_rate, epochs, LEARNING_RATE)?;
        schedule_within("lambda", &self.lambda, epochs, LAMBDA)?;
        self.loss.check()?;
        within("anchor", self.anchor, Range::closed(0.0, 1.0))
    }

    /// Which numbers may move: opening weights of all features, then endgame
    /// weights.
    pub(super) fn free(&self) -> Result<Vec<bool>, WrongSetting> {
        let mut groups = Groups::NONE;
        for name in &self.groups {
            let group: Group = name
                .parse()
                .map_err(|error: nets::classical::UnknownGroup| {
                    wrong("groups", error.to_string())
                })?;
            if !FEATURE_GROUPS.contains(group) {
                let problem = format!("the terms of '{group}' are not linear in their weights");
                return Err(wrong("groups", problem));
            }
            groups = groups.with(group);
        }
        if groups == Groups::NONE {
            return Err(wrong("groups", "name at least one"));
        }
        let is_free =
            |index: usize| feature_group(index).is_some_and(|group| groups.contains(group));
        Ok((0..2 * FEATURES)
            .map(|index| is_free(index % FEATURES))
            .collect())
    }
}
