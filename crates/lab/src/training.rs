//! One training: from a checkpoint, or from nothing, to a candidate.
//!
//! It must not know where nets are written.

use crate::error::LabError;
use crate::folder::make_parent;
use engines::StopSignal;
use std::path::Path;
use train::nnue::{Exported, Memory, Session, SessionError, Settings};

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

/// What came of it.
pub(crate) struct Learned {
    pub(crate) steps: u64,
    /// The mean loss of the last epoch.
    pub(crate) loss: f64,
    /// The loss on what is judged by.
    pub(crate) validation_loss: f64,
    pub(crate) net: Exported,
}

/// What to do with what each epoch gave, by its number from 1.
pub(crate) type KeepEpoch<'a> = dyn FnMut(u64, Learned) -> Result<(), LabError> + 'a;

/// How far it has come.
pub(crate) struct Progress {
    pub(crate) step: u64,
    pub(crate) steps: u64,
    pub(crate) loss: f64,
}

impl Lesson<'_> {
    /// Trains to the end. If it was told to stop, it is saved and goes on from
    /// there the next time.
    ///
    /// With `keep` the net of each epoch before the last is made, too; those of epochs
    /// that a kill undid come again.
    pub(crate) fn learn(
        &self,
        stop: &StopSignal,
        listen: &mut dyn FnMut(Progress),
        mut keep: Option<&mut KeepEpoch<'_>>,
    ) -> Result<Learned, LabError> {
        make_parent(self.checkpoint)?;
        let mut session = self.session()?;
        while !session.is_over() {
            if stop.is_stopped() {
                session.save(self.checkpoint)?;
                return Err(LabError::Stopped);
            }
            let measured = session.step()?;
            listen(Progress {
                step: session.steps(),
                steps: session.all_steps(),
                loss: measured.loss,
            });
            let is_due = (session.steps()).is_multiple_of(self.settings.checkpoint_steps);
            if session.is_over() {
                break;
            }
            if (session.steps()).is_multiple_of(session.epoch_steps()) {
                match &mut keep {
                    Some(keep) => keep(session.epochs(), learned(&mut session)?)?,
                    // Only that of the last epoch is wanted.
                    None => drop(session.take_epoch_loss()),
                }
            }
            if is_due {
                session.save(self.checkpoint)?;
            }
        }
        // Before the loss is taken, for whoever comes back to it.
        session.save(self.checkpoint)?;
        learned(&mut session)
    }

    fn session(&self) -> Result<Session, SessionError> {
        if self.checkpoint.exists() {
            let session = Session::resume(self.settings.clone(), self.threads, self.checkpoint);
            match session {
                // The folder was moved in the middle of a training. The same steps
                // from its beginning lead to the same net.
                Err(SessionError::OtherSettings { .. }) => {}
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

/// What the epoch that has just ended gave.
fn learned(session: &mut Session) -> Result<Learned, LabError> {
    Ok(Learned {
        steps: session.steps(),
        loss: session.take_epoch_loss(),
        validation_loss: session.validate().loss,
        net: session.export()?,
    })
}
