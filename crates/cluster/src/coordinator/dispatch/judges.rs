//! Pieces that are done here, to see who is right.

use crate::coordinator::session::Event;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::{self, Scope};
use work::{DispatchError, Job, Outcome, Piece, StopSignal};

/// Stops judges when it is dropped.
pub(super) struct Halting<'a>(pub(super) &'a StopSignal);

impl Drop for Halting<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Threads of this process that do single pieces.
pub(super) struct Judges<'scope, 'env> {
    pub(super) job: &'env dyn Job,
    pub(super) halt: &'env StopSignal,
    pub(super) scope: &'scope Scope<'scope, 'env>,
    pub(super) sender: SyncSender<Event>,
}

impl<'scope, 'env> Judges<'scope, 'env> {
    /// Does a piece here; the result comes as an event.
    pub(super) fn judge(&self, piece: Arc<Piece>) -> Result<(), DispatchError> {
        let (job, halt, sender) = (self.job, self.halt, self.sender.clone());
        thread::Builder::new()
            .name("judge".to_owned())
            .stack_size(job.stack_bytes())
            .spawn_scoped(self.scope, move || {
                let work = || job.worker(0).work(&piece, halt);
                let judged = match panic::catch_unwind(AssertUnwindSafe(work)) {
                    Ok(Outcome::Done(result)) => Ok(result),
                    Ok(Outcome::Failed(fault)) => Err(fault),
                    Ok(Outcome::GivenUp) => return,
                    Err(_) => Err(b"an internal error".to_vec()),
                };
                let number = piece.number;
                let _ = sender.send(Event::Judged { number, judged });
            })
            .map(drop)
            .map_err(DispatchError::Start)
    }
}
