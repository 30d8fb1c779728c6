//! What comes of each kind of step, as the state keeps it.

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

/// Games of a model with itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Played {
    pub(crate) totals: Totals,
    pub(crate) shard: FileRecord,
    /// The plies after which games ended.
    pub(crate) horizon: Option<u32>,
    /// Whether time was the limit.
    pub(crate) is_timed: bool,
    pub(crate) seed: u64,
}

/// What to learn from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Material {
    pub(crate) chosen: Chosen,
    pub(crate) files: [FileRecord; 2],
}

/// What a step that a learner adds has measured, by name.
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
    /// The games from White's view: those in which the first had White, and the others;
    /// nothing in runs of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) white: Option<[Trinomial; 2]>,
}

impl Met {
    /// What came of the games of two models.
    pub(crate) fn new(played: Counts, models: [&ModelRecord; 2]) -> Met {
        Met::named(played, models.map(|model| model.name.clone()))
    }

    /// The same of models with these names.
    pub(crate) fn named(played: Counts, models: [String; 2]) -> Met {
        Met {
            counts: played.pairs,
            white: Some(played.white),
            models,
        }
    }

    /// Whether both were the same model, as after a run that promoted nothing.
    pub(crate) fn is_same_model(&self) -> bool {
        self.models[0] == self.models[1]
    }
}

/// What became of the candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Promotion {
    pub(crate) promoted: bool,
    pub(crate) reason: String,
    /// The model that plays from now on.
    pub(crate) version: ModelRecord,
    /// The checkpoint with which the next training begins.
    pub(crate) checkpoint: FileRecord,
}
