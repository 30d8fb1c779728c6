//! The run file: what is compared, with every default.
//!
//! Tables outside of `[arms]` hold for all arms; an arm says only what differs.
//! `read` joins them, `check` finds what makes no sense.

mod check;
mod parts;
mod read;

pub(crate) use check::{Wrong, wrong};
pub use parts::{
    AfterRejection, AmountSettings, BufferSettings, Conditions, FirstPlayer, FirstSettings,
    GateSettings, Keep, Opponent, TrainSettings, VerdictSettings,
};
pub use read::{SettingsError, from_table, put, read};
pub(crate) use read::{filled, locate};

use arena::selfplay;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use train::nnue::NetSettings;

/// The name of the only arm of a file without arms.
pub const ONLY_ARM: &str = "main";

/// What a run does.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Experiment {
    /// What it is called in reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is to find out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// How many generations each net learns.
    pub generations: u32,
    /// A training run of each arm for each of these.
    pub seeds: Vec<u64>,
    /// The ways of learning that are compared, by name.
    pub arms: BTreeMap<String, Arm>,
    /// How the final nets meet, and what would prove what.
    pub verdict: VerdictSettings,
    /// Under which conditions they meet.
    pub finals: Conditions,
    /// Which files stay.
    pub keep: Keep,
}

/// A way of learning.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Arm {
    /// The shape of its nets.
    pub net: NetSettings,
    /// How many games a generation plays. In the file these keys stand among
    /// those of self-play.
    #[serde(rename(deserialize = "amount of selfplay", serialize = "amount"))]
    pub amount: AmountSettings,
    /// How it plays with itself.
    pub selfplay: selfplay::Settings,
    /// What it remembers.
    pub buffer: BufferSettings,
    /// How it learns.
    pub train: TrainSettings,
    /// How its first net comes about; random weights if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation_0: Option<FirstSettings>,
    /// Which nets are promoted.
    pub gate: GateSettings,
}

impl Arm {
    /// The file of the net with which it begins, if it goes on with one.
    pub(crate) fn first_net(&self) -> Option<PathBuf> {
        self.generation_0.as_ref()?.net.clone()
    }
}

impl Experiment {
    /// A text that only the same experiment has.
    pub fn fingerprint(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }

    /// Whether the same file would give other games elsewhere.
    pub fn is_timed(&self) -> bool {
        self.arms.values().any(|arm| arm.amount.minutes.is_some())
    }

    /// Each two arms, the first by name first.
    pub fn pairs(&self) -> Vec<[&str; 2]> {
        let names: Vec<&str> = self.arms.keys().map(String::as_str).collect();
        let mut pairs = Vec::new();
        for (index, first) in names.iter().enumerate() {
            pairs.extend(names[index + 1..].iter().map(|second| [*first, *second]));
        }
        pairs
    }
}

#[cfg(test)]
mod tests;
