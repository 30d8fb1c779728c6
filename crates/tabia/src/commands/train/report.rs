//! What came of a training.

use super::metrics::Epoch;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use train::classical::OneScale;
use train::nnue::ExportCheck;

/// What came of it.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) steps: u64,
    pub(super) epochs: Vec<Epoch>,
    /// The validation loss of the hand-written evaluation with one scale.
    pub(super) baseline: OneScale,
    pub(super) folder: PathBuf,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "                             integers against floats, centipawns\n\
             epoch       loss  validation     mean    95 %  largest  net"
        )?;
        for epoch in &self.epochs {
            let Epoch {
                epoch: number,
                loss,
                validation_loss,
                net,
                ..
            } = epoch;
            let ExportCheck {
                mean,
                percentile_95,
                largest,
                ..
            } = epoch.export.unwrap_or_default();
            writeln!(
                f,
                "{number:5} {loss:10.6} {validation_loss:11.6} {mean:8.2} {percentile_95:7.2} {largest:8.2}  {net}"
            )?;
        }
        let OneScale { loss, scale, .. } = self.baseline;
        writeln!(
            f,
            "to undercut {loss:16.6}  the hand-written evaluation times {scale:.3}"
        )?;
        writeln!(f, "{} steps, in {}", self.steps, self.folder.display())
    }
}
