//! The one loop that runs any training to its end.
//!
//! It must not know what is trained, nor what happens to the models.

use crate::{Measured, TrainError, Training};
use std::path::Path;

/// An event during a training, for a listener.
pub enum Event<'a> {
    /// A step was made.
    Stepped(&'a dyn Training, Measured),
    /// An epoch has ended. The last one may be reported once more, if a training is resumed that
    /// had already ended.
    EpochEnded(&'a mut dyn Training),
    /// The checkpoint of this step was written.
    Saved(u64),
}

/// How a run of the loop ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All steps are made.
    Finished,
    /// It was stopped, after writing a checkpoint.
    Stopped,
}

/// Trains to the end, or until `stop` returns true.
///
/// Checkpoints are written regularly, after every epoch and at a stop. The one at the end of an
/// epoch is written after the listener has returned: what a kill undoes is repeated from an earlier
/// checkpoint, with the same results.
///
/// # Errors
/// If a step fails, a checkpoint cannot be written, or the listener fails.
pub fn run<E: From<TrainError>>(
    training: &mut dyn Training,
    checkpoint: &Path,
    stop: &dyn Fn() -> bool,
    listen: &mut dyn FnMut(Event<'_>) -> Result<(), E>,
) -> Result<Ending, E> {
    if training.is_over() {
        listen(Event::EpochEnded(training))?;
    }
    while !training.is_over() {
        if stop() {
            save(training, checkpoint, listen)?;
            return Ok(Ending::Stopped);
        }
        let measured = training.step()?;
        listen(Event::Stepped(training, measured))?;
        let counters = training.counters();
        let is_due = counters.steps.is_multiple_of(counters.checkpoint_steps);
        let ends_epoch = counters.ends_epoch();
        if ends_epoch {
            listen(Event::EpochEnded(training))?;
        }
        if ends_epoch || is_due {
            save(training, checkpoint, listen)?;
        }
    }
    Ok(Ending::Finished)
}

fn save<E: From<TrainError>>(
    training: &mut dyn Training,
    checkpoint: &Path,
    listen: &mut dyn FnMut(Event<'_>) -> Result<(), E>,
) -> Result<(), E> {
    training.save(checkpoint)?;
    listen(Event::Saved(training.steps()))
}
