//! The file that says what is trained, on which data, and how.
//!
//! Its key `kind` selects the training. The keys that all trainings share are read as
//! [`CourseSettings`], the others by the kind; `read` separates them.

mod differences;
mod ranges;
mod read;
pub(crate) mod schema;

pub(crate) use differences::differences;
pub(crate) use ranges::{
    BATCH, FORGETTING, LAMBDA, TRAINING_DEPTH, VALIDATION_SHARE, WEIGHT, at_least_one,
    schedule_within, within,
};
pub use read::{KindSettings, Misread, read};
pub(crate) use read::{filled, keys, of_kind};
pub use schema::name as name_kind;

use crate::WrongSetting;
use crate::error::wrong;
use data::filter::{Filter, Filters};
use data::range::Range;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What all trainings share: where positions come from, and how long it takes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CourseSettings {
    /// The training files: binpack, policy shards or sequences, depending on the kind of
    /// training.
    pub data: Vec<PathBuf>,
    /// Validation files; without them some games of the data are held out.
    pub validation: Vec<PathBuf>,
    /// The share of games held out for validation if there are no validation files.
    #[schemars(transform = VALIDATION_SHARE.schema())]
    pub validation_share: f64,
    /// Maximum number of validation positions.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub validation_positions: usize,
    /// Filters of positions, with the names of `tabia data filter`.
    pub filters: Vec<String>,
    /// Whether scores and results in the files are from White's point of view.
    pub white_labels: bool,
    /// Positions per step (batch size).
    #[schemars(transform = BATCH.schema())]
    pub batch: usize,
    /// Number of epochs.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub epochs: u64,
    /// Positions per epoch; default: all of the data once.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub epoch_positions: Option<u64>,
    /// The random seed of the order of positions, and of random initial weights.
    pub seed: u64,
    /// Number of steps between checkpoints.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub checkpoint_steps: u64,
}

impl Default for CourseSettings {
    fn default() -> CourseSettings {
        CourseSettings {
            data: Vec::new(),
            validation: Vec::new(),
            validation_share: 0.02,
            validation_positions: 100_000,
            filters: Vec::new(),
            white_labels: false,
            batch: 16_384,
            epochs: 10,
            epoch_positions: None,
            seed: 0,
            checkpoint_steps: 500,
        }
    }
}

impl CourseSettings {
    /// Checks what deserialisation cannot.
    pub(crate) fn check(&self) -> Result<(), WrongSetting> {
        self.filters()?;
        if self.data.is_empty() {
            return Err(wrong("data", "give at least one binpack file"));
        }
        within("batch", self.batch as f64, BATCH)?;
        at_least_one("epochs", self.epochs)?;
        at_least_one("epoch_positions", self.epoch_positions.unwrap_or(1))?;
        at_least_one("checkpoint_steps", self.checkpoint_steps)?;
        at_least_one("validation_positions", self.validation_positions as u64)?;
        within("validation_share", self.validation_share, VALIDATION_SHARE)
    }

    /// The parsed filters.
    pub(crate) fn filters(&self) -> Result<Filters, WrongSetting> {
        self.filters
            .iter()
            .map(|text| text.parse::<Filter>())
            .collect::<Result<Filters, _>>()
            .map_err(|error| wrong("filters", error.to_string()))
    }
}

/// A text that is equal only for equal settings.
///
/// # Errors
/// If they cannot be serialised.
pub(crate) fn text(settings: &impl Serialize) -> Result<String, WrongSetting> {
    serde_json::to_string(settings).map_err(|error| wrong("settings", error.to_string()))
}
