//! The settings of a run's verdict.

use crate::ranges;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The final matches, and the rule for the verdict.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "verdict")]
pub struct VerdictSettings {
    /// Games of each match between the final nets of two arms, and of each final net against
    /// generation 0; 0 for none.
    #[schemars(transform = ranges::GAMES.schema(), extend("multipleOf" = 2))]
    pub games: u64,
    /// Search depth per move; without any limit, as in gate matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::DEPTH.schema())]
    pub depth: Option<u32>,
    /// Nodes per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::COUNT.schema())]
    pub nodes: Option<u64>,
    /// Number of random plies after the opening; default: as in gate matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::RANDOM_PLIES.schema())]
    pub random_plies: Option<u32>,
    /// Plies after which a game is a draw, 0 to play games out; default: as in gate matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon: Option<u32>,
    /// The difference to be tested, such as `curriculum - control`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// Further differences to show, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub effects: BTreeMap<String, String>,
    /// The condition that confirms the claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reproduced_if: Option<String>,
    /// The condition that refutes the claim.
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
