//! The steps that a learner adds to a generation.

use super::Lineage;
use crate::error::LabError;
use crate::folder::make_parent;
use crate::state::Step;
use crate::step_runner::StepRunner;
use crate::steps::Added;
use train::{AddedStep, Moment, Surroundings};

impl Lineage<'_> {
    /// Does the steps that the learner adds at this point of a generation.
    pub(super) fn add(
        &self,
        runner: &mut StepRunner<'_>,
        generation: u32,
        moment: Moment,
    ) -> Result<(), LabError> {
        let steps = self.arm.learner.added_steps().iter();
        for step in steps.filter(|step| step.moment == moment) {
            self.add_one(runner, generation, step)?;
        }
        Ok(())
    }

    fn add_one(
        &self,
        runner: &mut StepRunner<'_>,
        generation: u32,
        step: &AddedStep,
    ) -> Result<(), LabError> {
        let mut place = self.place(generation, Step::Added);
        place.other = Some(step.name.to_owned());
        runner.step(place, |runner| {
            let [data, validation] = self.lane.lesson(generation);
            let folder = self.lane.training(generation);
            make_parent(&data)?;
            let surroundings = Surroundings {
                folder: &folder,
                data: &data,
                validation: &validation,
                threads: runner.threads,
            };
            let numbers = self.arm.learner.perform(step.name, &surroundings)?;
            Ok(Added { numbers })
        })?;
        Ok(())
    }
}
