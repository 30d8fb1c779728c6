//! What a run file says of its verdict.

use crate::ranges;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How the final nets meet, and what would prove what.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "verdict")]
pub struct VerdictSettings {
    /// Games between the final nets of every two arms, and of each against generation 0; 0 for
    /// none.
    #[schemars(transform = ranges::GAMES.schema(), extend("multipleOf" = 2))]
    pub games: u64,
    /// Iterations for each move; without any limit, as in gate matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Random plies after the opening; as in gate matches if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_plies: Option<u32>,
    /// Plies after which a game is a draw; as in gate matches if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon: Option<u32>,
    /// The difference in question, such as `curriculum - control`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// Further differences that are shown, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub effects: BTreeMap<String, String>,
    /// What would confirm the claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reproduced_if: Option<String>,
    /// What would refute it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refuted_if: Option<String>,
}

impl Default for VerdictSettings {
    fn default() -> VerdictSettings {
        VerdictSettings {
            games: 1_000,
            depth: None,
            nodes: None,
            random_plies: None,
            horizon: None,
            difference: None,
            effects: BTreeMap::new(),
            reproduced_if: None,
            refuted_if: None,
        }
    }
}
