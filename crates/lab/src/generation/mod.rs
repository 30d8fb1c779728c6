//! The steps of one generation, and of generation 0.
//!
//! Each step is noted when its files are on the disk. One that was begun and not
//! noted is done again: self-play, training and matches go on from what they have
//! kept themselves, the rest is quick. `beginning` makes generation 0, `learning`
//! goes from games to a candidate, `epochs` keeps the nets on the way if that is
//! wanted, `judging` goes from the candidate to the promotion. It must not know other
//! arms or seeds.

mod beginning;
mod epochs;
mod judging;
mod learning;

use crate::desk::Desk;
use crate::error::LabError;
use crate::folder::{FileRecord, Folder, Lane, NetRecord};
use crate::seeds::{Purpose, seed};
use crate::settings::{Arm, Experiment, Opponent};
use crate::state::{Place, Step};
use arena::selfplay::Totals;
use arena::statistics::Pentanomial;
use data::replay::Chosen;
use nets::Provenance;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use train::{TrainError, nnue};

/// Generation 0.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Beginning {
    pub(crate) net: NetRecord,
    pub(crate) checkpoint: FileRecord,
}

/// Games of a net with itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Played {
    pub(crate) totals: Totals,
    pub(crate) shard: FileRecord,
    /// The plies after which games ended.
    pub(crate) horizon: Option<u32>,
    /// Whether time was the limit.
    pub(crate) is_timed: bool,
    pub(crate) seed: u64,
}

/// What is learned from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Material {
    pub(crate) chosen: Chosen,
    pub(crate) files: [FileRecord; 2],
}

/// A candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Trained {
    pub(crate) steps: u64,
    pub(crate) loss: f64,
    pub(crate) validation_loss: f64,
    pub(crate) candidate: NetRecord,
    pub(crate) checkpoint: FileRecord,
}

/// A match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Met {
    pub(crate) counts: Pentanomial,
    pub(crate) nets: [String; 2],
}

/// What became of the candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Promotion {
    pub(crate) promoted: bool,
    pub(crate) reason: String,
    /// The net that plays from now on.
    pub(crate) version: NetRecord,
    /// The checkpoint with which the next training begins.
    pub(crate) checkpoint: FileRecord,
}

/// One arm with one seed.
pub(crate) struct Lineage<'a> {
    pub(crate) experiment: &'a Experiment,
    pub(crate) name: &'a str,
    pub(crate) arm: &'a Arm,
    pub(crate) seed: u64,
    pub(crate) lane: Lane,
}

impl Lineage<'_> {
    /// One generation, from the games to the promotion.
    pub(crate) fn generation(
        &self,
        desk: &mut Desk<'_>,
        generation: u32,
        beginning: &Beginning,
        before: &Promotion,
    ) -> Result<Promotion, LabError> {
        self.play(desk, generation, before)?;
        let material = self.choose(desk, generation)?;
        let trained = self.train(desk, generation, &material, before)?;
        let gate = &self.arm.gate;
        let previous = self.meet(
            desk,
            generation,
            Opponent::Previous,
            &trained,
            &before.version,
        )?;
        let baseline = match gate.baseline_games() {
            0 => None,
            _ => Some(self.meet(
                desk,
                generation,
                Opponent::Baseline,
                &trained,
                &beginning.net,
            )?),
        };
        let decisive = match gate.against {
            Opponent::Previous => Some(previous),
            Opponent::Baseline => baseline,
        };
        let counts = decisive.map(|met| met.counts).unwrap_or_default();
        self.promote(desk, generation, &trained, before, counts)
    }

    fn place(&self, generation: u32, step: Step) -> Place {
        Place {
            arm: self.name.to_owned(),
            seed: self.seed,
            generation,
            step,
            other: None,
        }
    }

    fn number(&self, generation: u32, purpose: Purpose) -> u64 {
        seed(self.seed, generation, purpose)
    }

    fn settings(&self, generation: u32, data: PathBuf, validation: PathBuf) -> nnue::Settings {
        let seed = self.number(generation, Purpose::Training);
        let (train, net) = (&self.arm.train, &self.arm.net);
        train.training(net, data, validation, seed)
    }

    /// Writes a net, whose bytes are made with a description and a provenance. Nothing in it depends on the folder: the same settings give
    /// the same bytes anywhere.
    fn write_net(
        &self,
        folder: &Folder,
        generation: u32,
        parent: Option<String>,
        path: &Path,
        bytes: impl FnOnce(&str, Provenance) -> Result<Vec<u8>, TrainError>,
    ) -> Result<NetRecord, LabError> {
        let run = match generation {
            0 => "generation 0".to_owned(),
            _ => format!("{}, generation {generation}", self.name),
        };
        let provenance = Provenance {
            run: Some(run.clone()),
            seed: Some(self.seed),
            data: None,
            parent,
        };
        let bytes = bytes(&format!("Trained by Tabia: {run}"), provenance)?;
        folder.write_net(path, &bytes)
    }
}
