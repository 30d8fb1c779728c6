//! The run file: what is compared, with every default.
//!
//! Tables outside of `[arms]` apply to all arms; an arm only has what differs. `read` joins them
//! (using `tables`) and passes each learner its own table, `check` finds invalid values,
//! `files` lists the files that would be opened, `fingerprint` tells experiments apart, `earlier`
//! translates run files of earlier versions for reading only. No learner is known here by name.

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

/// The name of the only arm in a file without arms.
pub const ONLY_ARM: &str = "main";

/// The settings of a run.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Experiment {
    /// The title of reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The question that the run should answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The number of generations.
    pub generations: u32,
    /// No further generation begins after this many hours of work on an arm with a seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hours: Option<f64>,
    /// The seeds: each arm is trained once for each of them.
    pub seeds: Vec<u64>,
    /// The ways of learning that are compared, by name.
    pub arms: BTreeMap<String, Arm>,
    /// The final matches, and the rule for the verdict.
    pub verdict: VerdictSettings,
    /// The conditions of the final matches.
    pub finals: Conditions,
    /// Which files are kept.
    pub keep: Keep,
    /// A text that is unique to the experiment.
    #[serde(skip)]
    pub fingerprint: String,
}

/// An arm: a player, and a learner that trains it on its games.
#[derive(Clone, Debug)]
pub struct Arm {
    /// How its models play; the model changes with the generations.
    pub player: Recipe,
    /// Trains its models.
    pub learner: Arc<dyn Learner>,
    /// How many games a generation plays.
    pub amount: AmountSettings,
    /// How games of self-play are played.
    pub selfplay: selfplay::Settings,
    /// How searches explore in self-play, if the learner learns from them.
    pub explore: Option<ExploreSettings>,
    /// The replay buffer.
    pub buffer: BufferSettings,
    /// How its first model is made; by default as the learner does.
    pub generation_0: Option<FirstSettings>,
    /// Which models are promoted.
    pub gate: GateSettings,
    /// Its evaluation games.
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

/// Serialised like the tables of a run file, with every default filled in.
impl Serialize for Arm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("learner", self.learner.kind())?;
        let tables = self.learner.settings();
        if let Value::Object(tables) = tables.map_err(serde::ser::Error::custom)? {
            for (name, table) in &tables {
                map.serialize_entry(name, table)?;
            }
        }
        let mut player = serde_json::to_value(&self.player).map_err(serde::ser::Error::custom)?;
        // The model is that of a generation.
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
    /// Whether the games depend on the speed of the machine.
    pub fn is_timed(&self) -> bool {
        self.hours.is_some() || self.arms.values().any(|arm| arm.amount.minutes.is_some())
    }

    /// The arms and seeds.
    pub fn field(&self) -> Field {
        Field {
            arms: self.arms.keys().cloned().collect(),
            seeds: self.seeds.clone(),
        }
    }

    /// The number of final matches between two arms, for each seed.
    pub fn pairs(&self) -> usize {
        pairs(&self.field().arms).len()
    }
}

#[cfg(test)]
mod tests;
