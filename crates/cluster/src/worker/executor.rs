//! The thread that does pieces: one for each slot and job, with the stack that the job
//! wants, and a worker of the job that lives as long.

use crate::message::Report;
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;
use tokio::sync::mpsc::UnboundedSender;
use work::{BoxedJob, Counter, Outcome, Piece, StopSignal, Taken};

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
pub(super) struct Executor {
    job: Arc<BoxedJob>,
    tasks: Sender<Task>,
}

impl Executor {
    /// Starts a thread for a job.
    pub(super) fn new(job: Arc<BoxedJob>, number: usize) -> std::io::Result<Executor> {
        let (tasks, receiver) = channel();
        let own = job.clone();
        std::thread::Builder::new()
            .name(format!("worker {number}"))
            .stack_size(job.stack_bytes())
            .spawn(move || run(&own, number, &receiver))?;
        Ok(Executor { job, tasks })
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
        let mut table = Table::new(task);
        // After a panic, pieces that were not begun are done all the same.
        while table.has_more() {
            let work = || {
                let worker = worker.get_or_insert_with(|| job.worker(number));
                worker.serve(&mut table);
            };
            match panic::catch_unwind(AssertUnwindSafe(work)) {
                Ok(()) => break,
                Err(panicked) => {
                    // Whatever state it was in is not to be relied on.
                    worker = None;
                    table.fail(&words_of(panicked.as_ref()));
                }
            }
        }
    }
}

/// The pieces of a task, before the worker of a job.
struct Table {
    pieces: VecDeque<Piece>,
    /// The numbers of those that were begun and have not ended.
    in_work: Vec<u64>,
    control: Control,
    reports: UnboundedSender<Reported>,
    /// When the last one ended. Where several are done side by side, each counts for what
    /// it took after that, so that all of them count for the time of the thread.
    since: Instant,
    /// Whether nobody wants reports any more.
    is_deserted: bool,
}

impl Table {
    fn new(task: Task) -> Table {
        Table {
            pieces: task.pieces.into(),
            in_work: Vec::new(),
            control: task.control,
            reports: task.reports,
            since: Instant::now(),
            is_deserted: false,
        }
    }

    fn has_more(&self) -> bool {
        !self.pieces.is_empty() && !self.control.is_over() && !self.is_deserted
    }

    fn report(&mut self, number: u64, report: Report) {
        let reported = Reported {
            number,
            report,
            seconds: self.since.elapsed().as_secs_f64(),
        };
        self.since = Instant::now();
        self.is_deserted |= self.reports.send(reported).is_err();
    }

    /// Whatever was in work failed.
    fn fail(&mut self, words: &str) {
        for number in std::mem::take(&mut self.in_work) {
            self.report(number, Report::Failed(words.as_bytes().to_vec()));
        }
    }
}

impl Counter for Table {
    fn take(&mut self, _: bool) -> Taken {
        let piece = match self.has_more() {
            true => self.pieces.pop_front(),
            false => None,
        };
        match piece {
            Some(piece) => {
                self.in_work.push(piece.number);
                Taken::Piece(piece)
            }
            None => Taken::Over,
        }
    }

    fn hand_in(&mut self, number: u64, outcome: Outcome) {
        self.in_work.retain(|other| *other != number);
        match outcome {
            Outcome::Done(result) => self.report(number, Report::Done(result)),
            Outcome::Failed(fault) => self.report(number, Report::Failed(fault)),
            Outcome::GivenUp => {}
        }
    }

    fn halt(&self) -> &StopSignal {
        &self.control.halt
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
