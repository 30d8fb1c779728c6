//! The thread that does pieces: one for each slot and job, with the stack that the job
//! wants, and a worker of the job that lives as long.

use crate::message::Report;
use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;
use tokio::sync::mpsc::UnboundedSender;
use work::{BoxedJob, Outcome, Piece, StopSignal};

/// Pieces to be done.
pub(super) struct Task {
    pub(super) pieces: Vec<Piece>,
    pub(super) control: Control,
    /// Where reports go; it is closed when there will be no more.
    pub(super) reports: UnboundedSender<Reported>,
}

/// What was made of a piece.
pub(super) struct Reported {
    pub(super) number: u64,
    pub(super) report: Report,
    pub(super) seconds: f64,
}

/// Steers a task from elsewhere.
#[derive(Clone, Default)]
pub(super) struct Control {
    halt: StopSignal,
    finish: Arc<AtomicBool>,
}

impl Control {
    /// The piece in work is given up, and no other is begun.
    pub(super) fn give_up(&self) {
        self.finish();
        self.halt.stop();
    }

    /// No other piece is begun.
    pub(super) fn finish(&self) {
        self.finish.store(true, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        self.finish.load(Ordering::Relaxed)
    }
}

/// A thread for one job.
pub(super) struct Bench {
    job: Arc<BoxedJob>,
    tasks: Sender<Task>,
}

impl Bench {
    /// Starts a thread for a job.
    pub(super) fn new(job: Arc<BoxedJob>, number: usize) -> std::io::Result<Bench> {
        let (tasks, receiver) = channel();
        let own = job.clone();
        std::thread::Builder::new()
            .name(format!("worker {number}"))
            .stack_size(job.stack_bytes())
            .spawn(move || run(&own, number, &receiver))?;
        Ok(Bench { job, tasks })
    }

    /// Whether it is for this job.
    pub(super) fn is_for(&self, job: &Arc<BoxedJob>) -> bool {
        Arc::ptr_eq(&self.job, job)
    }

    /// Gives it something to do; reports end at once if its thread is gone.
    pub(super) fn give(&self, task: Task) {
        let _ = self.tasks.send(task);
    }
}

/// Does one task after the other. The only place where panics of jobs are caught.
fn run(job: &BoxedJob, number: usize, tasks: &Receiver<Task>) {
    let mut worker = None;
    while let Ok(task) = tasks.recv() {
        for piece in &task.pieces {
            if task.control.is_over() {
                break;
            }
            let begin = Instant::now();
            let work = || {
                let worker = worker.get_or_insert_with(|| job.worker(number));
                worker.work(piece, &task.control.halt)
            };
            let report = match panic::catch_unwind(AssertUnwindSafe(work)) {
                Ok(Outcome::Done(result)) => Report::Done(result),
                Ok(Outcome::Failed(fault)) => Report::Failed(fault),
                Ok(Outcome::GivenUp) => break,
                Err(panicked) => {
                    // Whatever state it was in is not to be relied on.
                    worker = None;
                    Report::Failed(words_of(panicked.as_ref()).into_bytes())
                }
            };
            let reported = Reported {
                number: piece.number,
                report,
                seconds: begin.elapsed().as_secs_f64(),
            };
            if task.reports.send(reported).is_err() {
                break;
            }
        }
    }
}

fn words_of(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned());
    let text = text.unwrap_or_else(|| "a panic".to_owned());
    format!("an internal error: {text}")
}
