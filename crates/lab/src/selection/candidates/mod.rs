//! The candidates, identified by their hashes. `find` finds them by file name patterns, with their
//! epochs.

mod find;

pub(super) use find::find;

use crate::error::LabError;
use nets::Model;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The candidate nets.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "candidates")]
pub struct CandidateSettings {
    /// The folder of a training, all epochs of which are candidates.
    pub training: Option<PathBuf>,
    /// Patterns of net files, such as `nets/*.nnue`.
    pub nets: Vec<String>,
    /// The first epoch of the gauntlet.
    pub from: u32,
    /// The gauntlet takes every Nth epoch; stage 3 considers those between.
    #[schemars(transform = crate::ranges::EPOCHS.schema())]
    pub every: u32,
}

impl Default for CandidateSettings {
    fn default() -> CandidateSettings {
        CandidateSettings {
            training: None,
            nets: Vec::new(),
            from: 0,
            every: 1,
        }
    }
}

/// A net that may be chosen.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// Its name in tables and games.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// The epoch in its name.
    pub epoch: Option<u32>,
    /// Its validation loss, if its training recorded it.
    pub validation_loss: Option<f64>,
    /// The SHA-256 of its file.
    pub sha256: String,
    /// Its name, which is derived from that hash.
    pub net: String,
    /// Whether it plays the gauntlet.
    pub begins: bool,
}

/// The opponent in the gauntlet, if it is not a candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outsider {
    /// Its name in tables and games.
    pub name: String,
    /// Its file; `None` for the hand-written evaluation.
    pub path: Option<PathBuf>,
    /// The name of its evaluation, which is derived from its hash.
    pub evaluation: String,
}

/// All players: the candidates by index, then the baseline if it is not one of them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Field {
    /// The candidates, by epoch.
    pub candidates: Vec<Candidate>,
    /// A baseline that is not a candidate.
    pub outsider: Option<Outsider>,
    /// The index of the baseline.
    pub baseline: usize,
}

impl Field {
    /// The name of a player.
    pub fn name(&self, player: usize) -> &str {
        match (self.candidates.get(player), &self.outsider) {
            (Some(candidate), _) => &candidate.name,
            (None, Some(outsider)) => &outsider.name,
            (None, None) => "",
        }
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.candidates.len() + usize::from(self.outsider.is_some())
    }

    /// Opens a player's model, if its file has not changed.
    pub(super) fn open(&self, player: usize) -> Result<Model, LabError> {
        if let Some(candidate) = self.candidates.get(player) {
            let model = open_model(&candidate.path)?;
            return match model.hash() == candidate.sha256 {
                true => Ok(model),
                false => Err(LabError::NetChanged(candidate.path.clone())),
            };
        }
        let Some(outsider) = &self.outsider else {
            return Ok(Model::classical());
        };
        let model = open_outsider(outsider.path.as_deref())?;
        match (model.name() == outsider.evaluation, &outsider.path) {
            (false, Some(path)) => Err(LabError::NetChanged(path.clone())),
            _ => Ok(model),
        }
    }
}

fn open_model(path: &Path) -> Result<Model, LabError> {
    Model::open(path).map_err(|cause| LabError::Net {
        path: path.to_owned(),
        cause,
    })
}

fn open_outsider(path: Option<&Path>) -> Result<Model, LabError> {
    match path {
        None => Ok(Model::classical()),
        Some(path) => Model::open(path)
            .map_err(|error| LabError::Candidates(format!("baseline {}: {error}", path.display()))),
    }
}
