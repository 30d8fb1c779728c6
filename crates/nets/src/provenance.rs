//! Where a model comes from.

use serde::{Deserialize, Serialize};

/// Where a model comes from, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The run that trained it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The seed of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The hash of the data it was trained on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// The name, by its hash, of the model from which training continued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
}
