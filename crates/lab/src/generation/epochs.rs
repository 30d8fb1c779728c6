//! The models of a training's epochs, next to its checkpoint: the same files that `tabia train`
//! writes, so that a selection can take either.

use super::Lineage;
use crate::error::LabError;
use crate::folder::{Folder, ModelRecord};
use train::Training;
use train::metrics::{Epoch, Metrics};

impl Lineage<'_> {
    /// Evaluates the model of the epoch that has just ended on the validation data, and writes it
    /// if it is the candidate or if all are kept.
    pub(super) fn end_epoch(
        &self,
        folder: &Folder,
        generation: u32,
        parent: &str,
        training: &mut dyn Training,
    ) -> Result<Option<(Epoch, ModelRecord)>, LabError> {
        let (is_last, keeps) = (training.is_over(), self.experiment.keep.epochs);
        if !is_last && !keeps {
            return Ok(None);
        }
        let kept = self.lane.epoch(generation, training.epochs());
        let name = kept.file_name().unwrap_or_default().to_string_lossy();
        let epoch = Epoch::judge(training, name.into_owned());
        let path = match is_last {
            true => self.lane.candidate(generation),
            false => kept.clone(),
        };
        let model = self.write_model(folder, generation, Some(parent), &path, training)?;
        if keeps {
            if is_last {
                folder.same_model(&model, &kept)?;
            }
            // Later epochs, which a kill undid, are added again.
            Metrics::open(&self.lane.training(generation), epoch.epoch - 1)?.add(epoch.clone())?;
        }
        Ok(is_last.then_some((epoch, model)))
    }
}
