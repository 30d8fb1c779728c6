//! The results of each kind of step, as recorded in the state.

use crate::folder::{FileRecord, ModelRecord};
use crate::matches::Counts;
use arena::selfplay::Totals;
use arena::statistics::{Pentanomial, Trinomial};
use data::replay::Chosen;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Generation 0.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Beginning {
    #[serde(alias = "net")]
    pub(crate) model: ModelRecord,
    pub(crate) checkpoint: FileRecord,
}

/// Self-play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Played {
    pub(crate) totals: Totals,
    pub(crate) shard: FileRecord,
    /// The plies after which games ended.
    pub(crate) horizon: Option<u32>,
    /// Whether it was limited by time.
    pub(crate) is_timed: bool,
    pub(crate) seed: u64,
}

/// The training data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Material {
    pub(crate) chosen: Chosen,
    pub(crate) files: [FileRecord; 2],
}

/// The numbers measured by a step that a learner adds, by name.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Added {
    pub(crate) numbers: Vec<(String, f64)>,
}

/// A candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Trained {
    pub(crate) steps: u64,
    pub(crate) loss: f64,
    pub(crate) validation_loss: f64,
    /// What else was measured then; nothing in runs of earlier versions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) numbers: BTreeMap<String, f64>,
    pub(crate) candidate: ModelRecord,
    pub(crate) checkpoint: FileRecord,
}

/// A match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Met {
    pub(crate) counts: Pentanomial,
    #[serde(alias = "nets")]
    pub(crate) models: [String; 2],
    /// The games from White's point of view: those in which the first model had White, and the
    /// others; `None` in runs of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) white: Option<[Trinomial; 2]>,
}

impl Met {
    /// The results of the games between two models.
    pub(crate) fn new(played: Counts, models: [&ModelRecord; 2]) -> Met {
        Met::named(played, models.map(|model| model.name.clone()))
    }

    /// The same for models with these names.
    pub(crate) fn named(played: Counts, models: [String; 2]) -> Met {
        Met {
            counts: played.pairs,
            white: Some(played.white),
            models,
        }
    }

    /// Whether both were the same model, as after a run without a promotion.
    pub(crate) fn is_same_model(&self) -> bool {
        self.models[0] == self.models[1]
    }
}

/// The decision about a candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Promotion {
    pub(crate) promoted: bool,
    pub(crate) reason: String,
    /// The model that plays from now on.
    pub(crate) version: ModelRecord,
    /// The checkpoint with which the next training begins.
    pub(crate) checkpoint: FileRecord,
}
