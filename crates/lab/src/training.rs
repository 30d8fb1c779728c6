//! One training: from the checkpoint that it continues to a candidate.
//!
//! It must not know what is trained, nor where models are written.

use crate::error::LabError;
use crate::events::Event;
use crate::folder::make_parent;
use engines::StopSignal;
use train::{Ending, Learner, Lesson, Training};

/// Called at the end of each epoch; again for epochs that a kill undid.
pub(crate) type EndEpoch<'a> = dyn FnMut(&mut dyn Training) -> Result<(), LabError> + 'a;

/// Trains to the end. If it is stopped, the training is saved and continues from there the next
/// time.
pub(crate) fn learn(
    learner: &dyn Learner,
    lesson: &Lesson<'_>,
    stop: &StopSignal,
    tell: &mut dyn FnMut(Event),
    end_epoch: &mut EndEpoch<'_>,
) -> Result<(), LabError> {
    make_parent(lesson.checkpoint)?;
    let mut training = learner.training(lesson)?;
    let mut hear = |event: train::Event<'_>| match event {
        train::Event::Stepped(training, measured) => {
            let counters = training.counters();
            tell(Event::Training {
                step: counters.steps,
                steps: counters.all_steps(),
                batch: counters.batch,
                loss: measured.loss,
            });
            Ok(())
        }
        train::Event::EpochEnded(training) => end_epoch(training),
        train::Event::Saved(_) => Ok(()),
    };
    let is_stopped = || stop.is_stopped();
    match train::run(training.as_mut(), lesson.checkpoint, &is_stopped, &mut hear)? {
        Ending::Finished => Ok(()),
        Ending::Stopped => Err(LabError::Stopped),
    }
}
