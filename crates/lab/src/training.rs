//! One training: from a checkpoint, or from nothing, to a candidate.
//!
//! It must not know where nets are written.

use crate::error::LabError;
use crate::folder::make_parent;
use crate::news::News;
use engines::StopSignal;
use std::path::Path;
use train::nnue::{Memory, Session, Settings};
use train::{Ending, Event, TrainError, Training};

/// A training to be done.
pub(crate) struct Lesson<'a> {
    pub(crate) settings: &'a Settings,
    /// The checkpoint with whose net it begins, and what is remembered; random
    /// weights if there is none.
    pub(crate) follows: Option<(&'a Path, Memory)>,
    /// Where it keeps itself.
    pub(crate) checkpoint: &'a Path,
    pub(crate) threads: usize,
}

/// What to do at the end of each epoch. Those of epochs that a kill undid come again.
pub(crate) type EndEpoch<'a> = dyn FnMut(&mut dyn Training) -> Result<(), LabError> + 'a;

impl Lesson<'_> {
    /// Trains to the end. If it was told to stop, it is saved and goes on from
    /// there the next time.
    pub(crate) fn learn(
        &self,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&News<'_>),
        end_epoch: &mut EndEpoch<'_>,
    ) -> Result<(), LabError> {
        make_parent(self.checkpoint)?;
        let mut session = self.session()?;
        let mut hear = |event: Event<'_>| match event {
            Event::Stepped(training, measured) => {
                let counters = training.counters();
                listen(&News::Training {
                    step: counters.steps,
                    steps: counters.all_steps(),
                    batch: counters.batch,
                    loss: measured.loss,
                });
                Ok(())
            }
            Event::EpochEnded(training) => end_epoch(training),
            Event::Saved(_) => Ok(()),
        };
        let is_stopped = || stop.is_stopped();
        match train::run(&mut session, self.checkpoint, &is_stopped, &mut hear)? {
            Ending::Finished => Ok(()),
            Ending::Stopped => Err(LabError::Stopped),
        }
    }

    fn session(&self) -> Result<Session, TrainError> {
        if self.checkpoint.exists() {
            let session = Session::resume(self.settings.clone(), self.threads, self.checkpoint);
            match session {
                // The folder was moved in the middle of a training. The same steps
                // from its beginning lead to the same net.
                Err(TrainError::OtherSettings { .. }) => {}
                session => return session,
            }
        }
        match self.follows {
            Some((path, memory)) => {
                Session::follow(self.settings.clone(), self.threads, path, memory)
            }
            None => Session::begin(self.settings.clone(), self.threads),
        }
    }
}
