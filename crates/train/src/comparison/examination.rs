//! Measures how well any evaluation finds the desired moves of positions.

use super::judging::{Tally, judge};
use crate::error::wrong;
use crate::labelled_position::LabelledPosition;
use crate::search::Search;
use crate::settings::{TRAINING_DEPTH, at_least_one, within};
use crate::{TrainError, WrongSetting};
use data::loader;
use data::range::Range;
use nets::ntuple::NTuple;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// Positions between two checks of the stop signal.
const BLOCK: usize = 512;

/// How evaluations are judged on positions with best moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "examination")]
pub struct ExaminationSettings {
    /// Search depth per move in plies, including the move itself; followed by quiescence search.
    #[schemars(transform = TRAINING_DEPTH.schema())]
    pub depth: u32,
    /// Maximum number of positions.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub positions: usize,
}

impl Default for ExaminationSettings {
    fn default() -> ExaminationSettings {
        ExaminationSettings {
            depth: 1,
            positions: 100_000,
        }
    }
}

impl ExaminationSettings {
    /// Checks what deserialisation cannot.
    ///
    /// # Errors
    /// The first key with an invalid value.
    pub fn check(&self) -> Result<(), WrongSetting> {
        within("depth", f64::from(self.depth), TRAINING_DEPTH)?;
        at_least_one("positions", self.positions as u64)
    }
}

/// Positions with best moves, on which evaluations are judged.
pub struct Examination {
    positions: Vec<LabelledPosition>,
    depth: u32,
}

/// How well an evaluation finds the desired moves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Agreement {
    /// The number of positions with more than one legal move.
    pub positions: u64,
    /// The share of them in which the desired move is chosen.
    pub agreement: f64,
    /// The mean rank of the desired move, from 1.
    pub rank: f64,
}

impl Examination {
    /// Loads the positions of files, always the same selection.
    ///
    /// # Errors
    /// If the files cannot be read, or have no best moves.
    pub fn open(
        files: &[PathBuf],
        settings: ExaminationSettings,
        threads: usize,
    ) -> Result<Examination, TrainError> {
        let source = loader::Settings {
            threads,
            ..loader::Settings::new(files.to_vec())
        };
        let positions: Vec<LabelledPosition> = loader::load(source, settings.positions)?;
        if positions.iter().all(|it| it.with_move().is_none()) {
            let names: Vec<_> = files
                .iter()
                .map(|file| file.display().to_string())
                .collect();
            let problem = format!(
                "the positions of {} have no best moves; add them with `tabia data label`",
                names.join(", ")
            );
            return Err(wrong("data", problem).into());
        }
        Ok(Examination {
            positions,
            depth: settings.depth,
        })
    }

    /// Judges an evaluation; `None` if it was stopped.
    pub fn judge(
        &self,
        network: &Arc<NTuple>,
        search: &dyn Search,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<Agreement> {
        let mut tally = Tally::default();
        for positions in self.positions.chunks(BLOCK) {
            if is_stopped() {
                return None;
            }
            tally = tally.plus(&judge(positions, search, network, self.depth));
        }
        Some(Agreement {
            positions: tally.positions,
            agreement: tally.agreement(),
            rank: tally.rank(),
        })
    }
}
