//! The nets of a training's epochs, beside its checkpoint: the same files that
//! `tabia train` leaves, so that a selection takes either.

use super::Lineage;
use crate::error::LabError;
use crate::folder::{Folder, NetRecord};
use train::Training;
use train::metrics::{Epoch, Metrics};

impl Lineage<'_> {
    /// Judges the net of the epoch that has just ended and writes it, if it is the
    /// candidate or if all are kept.
    pub(super) fn end_epoch(
        &self,
        folder: &Folder,
        generation: u32,
        parent: &str,
        training: &mut dyn Training,
    ) -> Result<Option<(Epoch, NetRecord)>, LabError> {
        let (is_last, keeps) = (training.is_over(), self.experiment.keep.epochs);
        if !is_last && !keeps {
            return Ok(None);
        }
        let kept = self
            .lane
            .epoch(generation, training.epochs(), &self.arm.net);
        let name = kept.file_name().unwrap_or_default().to_string_lossy();
        let epoch = Epoch::judge(training, name.into_owned());
        let path = match is_last {
            true => self.lane.candidate(generation, &self.arm.net),
            false => kept.clone(),
        };
        let parent = Some(parent.to_owned());
        let net = self.write_net(folder, generation, parent, &path, |words, provenance| {
            Ok(training.export(words, provenance)?.bytes)
        })?;
        if keeps {
            if is_last {
                folder.same_net(&net, &kept)?;
            }
            // Later ones, which a kill undid, come again.
            Metrics::open(&self.lane.training(generation), epoch.epoch - 1)?.add(epoch.clone())?;
        }
        Ok(is_last.then_some((epoch, net)))
    }
}
