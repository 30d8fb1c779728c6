//! A model with the tree search.

use super::kinds::read_option;
use super::pace::Pace;
use crate::Engine;
use crate::mcts::{MctsEngine, Options};
use crate::words::written;
use nets::Model;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// A model with the tree search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MctsRecipe {
    /// The model that gives policy and values.
    #[serde(serialize_with = "written")]
    pub model: Model,
    /// The size of its tree in mebibytes.
    pub hash: usize,
    /// Its number of threads.
    pub threads: usize,
    /// UCI options of the player that differ from the defaults, by name.
    #[serde(rename = "option", skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

impl MctsRecipe {
    /// A model with a tree of `hash` mebibytes, and defaults otherwise.
    pub fn new(model: Model, hash: usize) -> MctsRecipe {
        MctsRecipe {
            model,
            hash,
            threads: 1,
            options: BTreeMap::new(),
        }
    }

    /// The player. Options were checked when the recipe was read; unknown ones in the map have no
    /// effect.
    pub fn engine(&self) -> MctsEngine {
        let search = Options {
            hash: self.hash,
            threads: self.threads,
            ..Options::default()
        };
        let mut engine = MctsEngine::new(self.model.clone(), search);
        for (name, value) in &self.options {
            if let Ok((name, value)) = read_option(&MctsEngine::declarations(), name, value) {
                engine.set_option(name, &value, &mut |_| {});
            }
        }
        engine
    }

    /// The size in mebibytes of a tree that a search at this pace does not fill, including what it
    /// keeps of the previous tree.
    pub(super) fn fitting_hash(pace: &Pace) -> usize {
        const MOST: u64 = 64;
        const BYTES_A_SIMULATION: u64 = 1024;
        let Some(simulations) = pace.nodes else {
            return MOST as usize;
        };
        let bytes = simulations.saturating_mul(BYTES_A_SIMULATION);
        bytes.div_ceil(1 << 20).min(MOST).next_power_of_two() as usize
    }
}

/// Model, size and threads, written in the grammar of recipes.
impl fmt::Display for MctsRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MctsRecipe {
            model,
            hash,
            threads,
            ..
        } = self;
        write!(f, "model={model} hash={hash} threads={threads}")
    }
}
