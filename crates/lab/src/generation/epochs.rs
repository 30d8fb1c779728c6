//! The nets of a training's epochs, beside its checkpoint: the same files that
//! `tabia train` leaves, so that a selection takes either.

use super::Lineage;
use crate::error::LabError;
use crate::folder::{Folder, NetRecord};
use crate::training::Learned;
use serde::Serialize;
use std::io::ErrorKind;
use std::path::Path;

/// The file in which a training notes the losses of its epochs.
pub(crate) const FILE: &str = "metrics.jsonl";

/// What is noted of an epoch.
#[derive(Serialize)]
struct Line<'a> {
    epoch: u64,
    loss: f64,
    validation_loss: f64,
    net: &'a str,
}

impl Lineage<'_> {
    /// Writes the net of an epoch before the last.
    pub(super) fn keep_epoch(
        &self,
        folder: &Folder,
        generation: u32,
        epoch: u64,
        parent: &str,
        learned: Learned,
    ) -> Result<(), LabError> {
        let path = self.lane.epoch(generation, epoch, &self.arm.net);
        let losses = [learned.loss, learned.validation_loss];
        let parent = Some(parent.to_owned());
        self.write_net(folder, generation, learned.net, parent, &path)?;
        note(&path, epoch, losses)
    }

    /// The last epoch's net is the candidate.
    pub(super) fn keep_last_epoch(
        &self,
        folder: &Folder,
        generation: u32,
        epoch: u64,
        candidate: &NetRecord,
        losses: [f64; 2],
    ) -> Result<(), LabError> {
        let path = self.lane.epoch(generation, epoch, &self.arm.net);
        folder.same_net(candidate, &path)?;
        note(&path, epoch, losses)
    }
}

/// Adds the line of an epoch. Later ones, which a kill undid, come again.
fn note(net: &Path, epoch: u64, [loss, validation_loss]: [f64; 2]) -> Result<(), LabError> {
    let path = net.with_file_name(FILE);
    let line = serde_json::to_string(&Line {
        epoch,
        loss,
        validation_loss,
        net: &net.file_name().unwrap_or_default().to_string_lossy(),
    })
    .unwrap_or_default();
    let before = match std::fs::read_to_string(&path) {
        Err(cause) if cause.kind() != ErrorKind::NotFound => {
            return Err(LabError::file(path, cause));
        }
        text => text.unwrap_or_default(),
    };
    let lines: Vec<&str> = (before.lines().take(epoch as usize - 1))
        .chain([line.as_str()])
        .collect();
    let text = lines.join("\n") + "\n";
    data::file::write(&path, text.as_bytes()).map_err(|cause| LabError::file(path, cause))
}
