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
    /// Where policy and values come from.
    #[serde(serialize_with = "written")]
    pub model: Model,
    /// Mebibytes of computed events that are kept.
    pub hash: usize,
    /// UCI options of the player that are not the usual ones, by name.
    #[serde(rename = "option", skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

impl SequenceRecipe {
    /// Mebibytes of events if nobody says otherwise: those of some games and of a search.
    pub(super) const HASH: usize = 64;

    /// A model that plays as usual.
    pub fn new(model: Model) -> SequenceRecipe {
        SequenceRecipe {
            model,
            hash: SequenceRecipe::HASH,
            options: BTreeMap::new(),
        }
    }

    /// The player. Options were checked when the recipe was read; whatever else stands in
    /// the map has no effect.
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
