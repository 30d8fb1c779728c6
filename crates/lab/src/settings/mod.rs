//! The run file: what is compared, with every default.
//!
//! Tables outside of `[arms]` hold for all arms; an arm says only what differs.
//! `read` joins them (`tables`) and hands each learner its own, `check` finds what makes no
//! sense, `files` names the files that would be opened, `fingerprint` tells experiments apart, `earlier` understands run files of
//! earlier versions for those who only look. No learner is known here by name.

mod check;
mod earlier;
mod files;
mod fingerprint;
mod matches;
mod parts;
mod read;
mod schema;
mod tables;

pub(crate) use check::{Wrong, check_games, within, wrong};
pub use files::{NamedFiles, named_files};
pub(crate) use fingerprint::fingerprint;
pub use matches::{
    AfterRejection, AtCap, Conditions, EvalOpponent, EvalSettings, GateSettings, Interval, Opponent,
};
pub use parts::{AmountSettings, BufferSettings, FirstSettings, Keep};
pub(crate) use read::read_earlier;
pub use read::{SettingsError, from_table, read};
pub use schema::schema;
pub use tables::put;
pub(crate) use tables::{filled, locate};

use crate::verdict::{Field, VerdictSettings, pairs};
use arena::selfplay;
use arena::selfplay::explore::ExploreSettings;
use engines::recipe::Recipe;
use nets::Model;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use train::Learner;

/// The name of the only arm of a file without arms.
pub const ONLY_ARM: &str = "main";

/// What a run does.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Experiment {
    /// What it is called in reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is to find out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// How many generations each model learns.
    pub generations: u32,
    /// After so many hours of work on an arm with a seed no further generation begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hours: Option<f64>,
    /// A training run of each arm for each of these.
    pub seeds: Vec<u64>,
    /// The ways of learning that are compared, by name.
    pub arms: BTreeMap<String, Arm>,
    /// The final matches, and the rule for the verdict.
    pub verdict: VerdictSettings,
    /// Under which conditions they meet.
    pub finals: Conditions,
    /// Which files are kept.
    pub keep: Keep,
    /// A text that only the same experiment has.
    #[serde(skip)]
    pub fingerprint: String,
}

/// A way of learning: who plays, and who learns from the games.
#[derive(Clone, Debug)]
pub struct Arm {
    /// How its models play; which model that is changes with the generations.
    pub player: Recipe,
    /// How it learns.
    pub learner: Arc<dyn Learner>,
    /// How many games a generation plays.
    pub amount: AmountSettings,
    /// How it plays with itself.
    pub selfplay: selfplay::Settings,
    /// How its searches explore then, if it learns from them.
    pub explore: Option<ExploreSettings>,
    /// What it remembers.
    pub buffer: BufferSettings,
    /// How its first model comes about; as the learner makes it by default.
    pub generation_0: Option<FirstSettings>,
    /// Which models are promoted.
    pub gate: GateSettings,
    /// Which games it plays for the record.
    pub eval: EvalSettings,
}

impl Arm {
    /// Its player with a model.
    pub(crate) fn player(&self, model: Model) -> Recipe {
        self.player.clone().with_model(model)
    }
}

impl PartialEq for Arm {
    fn eq(&self, other: &Arm) -> bool {
        let value = |arm: &Arm| serde_json::to_value(arm).ok();
        value(self) == value(other)
    }
}

/// As the tables of a run file, every default filled in.
impl Serialize for Arm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("learner", self.learner.kind())?;
        if let Value::Object(tables) = self.learner.settings() {
            for (name, table) in &tables {
                map.serialize_entry(name, table)?;
            }
        }
        let mut player = serde_json::to_value(&self.player).map_err(serde::ser::Error::custom)?;
        // That of a generation is the one that matters.
        if let Value::Object(table) = &mut player {
            table.remove("model");
        }
        map.serialize_entry("player", &player)?;
        map.serialize_entry("amount", &self.amount)?;
        map.serialize_entry("selfplay", &self.selfplay)?;
        if let Some(explore) = &self.explore {
            map.serialize_entry("explore", explore)?;
        }
        map.serialize_entry("buffer", &self.buffer)?;
        if let Some(first) = &self.generation_0 {
            map.serialize_entry("generation_0", first)?;
        }
        map.serialize_entry("gate", &self.gate)?;
        map.serialize_entry("eval", &self.eval)?;
        map.end()
    }
}

impl Experiment {
    /// Whether the same file would give other games elsewhere.
    pub fn is_timed(&self) -> bool {
        self.hours.is_some() || self.arms.values().any(|arm| arm.amount.minutes.is_some())
    }

    /// Who takes part.
    pub fn field(&self) -> Field {
        Field {
            arms: self.arms.keys().cloned().collect(),
            seeds: self.seeds.clone(),
        }
    }

    /// How many final matches of two arms each seed has.
    pub fn pairs(&self) -> usize {
        pairs(&self.field().arms).len()
    }
}

#[cfg(test)]
mod tests;
