//! A model with a policy that plays with little search or none.

use super::kinds::read_option;
use crate::Engine;
use crate::sequence::SequenceEngine;
use crate::words::written;
use nets::Model;
use serde::Serialize;
use std::collections::BTreeMap;

/// A model with a policy that plays with little search or none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SequenceRecipe {
    /// The model that gives policy and values.
    #[serde(serialize_with = "written")]
    pub model: Model,
    /// The size in mebibytes of the cache of computed events.
    pub hash: usize,
    /// UCI options of the player that differ from the defaults, by name.
    #[serde(rename = "option", skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

impl SequenceRecipe {
    /// The default cache size in mebibytes: enough for the events of some games and of a search.
    pub(super) const HASH: usize = 64;

    /// A model with the default options.
    pub fn new(model: Model) -> SequenceRecipe {
        SequenceRecipe {
            model,
            hash: SequenceRecipe::HASH,
            options: BTreeMap::new(),
        }
    }

    /// The player. Options were checked when the recipe was read; unknown ones in the map have no
    /// effect.
    pub fn engine(&self) -> SequenceEngine {
        let mut engine = SequenceEngine::new(self.model.clone(), self.hash);
        for (name, value) in &self.options {
            if let Ok((name, value)) = read_option(&SequenceEngine::declarations(), name, value) {
                engine.set_option(name, &value, &mut |_| {});
            }
        }
        engine
    }
}
