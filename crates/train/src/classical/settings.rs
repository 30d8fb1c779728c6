//! The file that says what weights are fitted to, and how.

use crate::Kind;
use crate::nnue::settings::{
    Course, check_course, default_batch, default_checkpoint_steps, default_lambda, default_share,
    default_validation_positions, wrong,
};
use crate::nnue::{Changing, Loss, Schedule, WrongSetting};
use crate::sources::{self, Wanted};
use nets::classical::{FEATURE_GROUPS, FEATURES, Group, Groups, feature_group};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A fit of the weights of the hand-written evaluation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// That it is such a fit.
    #[serde(default, skip_serializing)]
    pub kind: Kind,
    /// The binpack files to learn from.
    pub data: Vec<PathBuf>,
    /// Files to judge by; without them some games of the data are held out.
    #[serde(default)]
    pub validation: Vec<PathBuf>,
    /// The share of games that are held out if there are no files to judge by.
    #[serde(default = "default_share")]
    pub validation_share: f64,
    /// The most positions to judge by.
    #[serde(default = "default_validation_positions")]
    pub validation_positions: usize,
    /// Which positions are left out, as `tabia data filter` names them.
    #[serde(default)]
    pub filters: Vec<String>,
    /// Whether scores and results are written from White's view.
    #[serde(default)]
    pub white_labels: bool,
    /// Positions of a step.
    #[serde(default = "default_batch")]
    pub batch: usize,
    /// How many epochs.
    #[serde(default = "default_epochs")]
    pub epochs: u64,
    /// Positions of an epoch; without it, all of the data once.
    #[serde(default)]
    pub epoch_positions: Option<u64>,
    /// How many centipawns a weight moves with a step, at most about.
    #[serde(default = "default_rate")]
    pub rate: Schedule,
    /// The share of the score in what is learned; the rest is the result.
    #[serde(default = "default_lambda")]
    pub lambda: Schedule,
    /// How errors count.
    #[serde(default)]
    pub loss: Loss,
    /// What a squared centipawn away from the beginning adds to the loss.
    #[serde(default = "default_anchor")]
    pub anchor: f64,
    /// The groups whose weights are fitted.
    #[serde(default = "default_groups")]
    pub groups: Vec<String>,
    /// The file of the weights to begin with; without it, those of the program.
    #[serde(default)]
    pub start: Option<PathBuf>,
    /// Decides the order of positions.
    #[serde(default)]
    pub seed: u64,
    /// Steps between checkpoints.
    #[serde(default = "default_checkpoint_steps")]
    pub checkpoint_steps: u64,
}

fn default_epochs() -> u64 {
    30
}

fn default_rate() -> Schedule {
    Schedule::Changing(Changing::Cosine {
        from: 0.5,
        to: 0.005,
    })
}

fn default_anchor() -> f64 {
    1e-8
}

fn default_groups() -> Vec<String> {
    FEATURE_GROUPS
        .iter()
        .map(|group| group.name().to_owned())
        .collect()
}

impl Settings {
    /// Checks what the format cannot.
    ///
    /// # Errors
    /// The first key with a value that makes no sense.
    pub fn check(&self) -> Result<(), WrongSetting> {
        check_course(&Course {
            data: &self.data,
            batch: self.batch,
            epochs: self.epochs,
            epoch_positions: self.epoch_positions,
            checkpoint_steps: self.checkpoint_steps,
            validation_share: self.validation_share,
        })?;
        self.wanted()?;
        self.free()?;
        if !self.anchor.is_finite() || self.anchor < 0.0 {
            return Err(wrong("anchor", "must be at least 0, such as 1e-8"));
        }
        Ok(())
    }

    /// Where the positions come from.
    pub(crate) fn wanted(&self) -> Result<Wanted<'_>, WrongSetting> {
        Ok(Wanted {
            data: &self.data,
            validation: &self.validation,
            validation_share: self.validation_share,
            batch: self.batch,
            seed: self.seed,
            filters: sources::filters(&self.filters).map_err(|error| wrong("filters", error))?,
            white_labels: self.white_labels,
        })
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
