//! Several threads on one file: each takes the next batch when it is free,
//! and what they make of the batches is handed over in the order of the file.
//!
//! The caller's thread is one of them, so that one thread costs no more than
//! a loop and two do nearly twice the work. Knows nothing of games.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

use super::{
    batches::{Batch, Batches},
    source::SourceError,
};

/// Does `work` on every batch of a file, on so many threads, and hands the
/// outcomes to `deliver` one by one in their order. If that breaks, the rest
/// of the file is left alone.
///
/// A file that breaks off gives its error after all that could be read.
pub(crate) fn process<R: Send>(
    batches: &mut Batches,
    threads: usize,
    work: impl Fn(&Batch) -> R + Sync,
    deliver: impl FnMut(R) -> ControlFlow<()> + Send,
) -> Result<(), SourceError> {
    let threads = threads.max(1);
    let shared = Shared {
        input: Mutex::new(Input {
            batches,
            is_over: false,
            failure: None,
        }),
        output: Mutex::new(Output {
            next: 0,
            finished: BTreeMap::new(),
            deliver,
            is_stopped: false,
        }),
        delivered: Condvar::new(),
        // Enough to keep all at work while one batch takes its time.
        most_waiting: 2 * threads,
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| shared.run(&work));
        }
        shared.run(&work);
    });
    lock(&shared.input).failure.take().map_or(Ok(()), Err)
}

struct Shared<'a, R, D> {
    input: Mutex<Input<'a>>,
    output: Mutex<Output<R, D>>,
    delivered: Condvar,
    most_waiting: usize,
}

struct Input<'a> {
    batches: &'a mut Batches,
    is_over: bool,
    failure: Option<SourceError>,
}

struct Output<R, D> {
    /// The index of the batch to be delivered next.
    next: u64,
    /// What was made of batches behind it.
    finished: BTreeMap<u64, R>,
    deliver: D,
    is_stopped: bool,
}

impl<R: Send, D: FnMut(R) -> ControlFlow<()> + Send> Shared<'_, R, D> {
    fn run(&self, work: &impl Fn(&Batch) -> R) {
        let _guard = StopOnPanic(self);
        let mut batch = Batch::default();
        while self.may_go_on() && lock(&self.input).take(&mut batch) {
            let outcome = work(&batch);
            self.hand_over(batch.index(), outcome);
        }
    }

    /// Waits while too much waits for an earlier batch. Whoever works on that
    /// batch is not here, so this ends.
    fn may_go_on(&self) -> bool {
        let output = self
            .delivered
            .wait_while(lock(&self.output), |output| {
                output.finished.len() >= self.most_waiting && !output.is_stopped
            })
            .unwrap_or_else(PoisonError::into_inner);
        !output.is_stopped
    }

    fn hand_over(&self, index: u64, outcome: R) {
        let mut output = lock(&self.output);
        output.finished.insert(index, outcome);
        output.deliver_finished();
        self.delivered.notify_all();
    }
}

impl Input<'_> {
    fn take(&mut self, batch: &mut Batch) -> bool {
        if self.is_over {
            return false;
        }
        let taken = self.batches.next(batch);
        self.is_over = !matches!(taken, Ok(true));
        self.failure = taken.err();
        !self.is_over
    }
}

impl<R, D: FnMut(R) -> ControlFlow<()>> Output<R, D> {
    fn deliver_finished(&mut self) {
        while !self.is_stopped
            && let Some(outcome) = self.finished.remove(&self.next)
        {
            self.next += 1;
            self.is_stopped = (self.deliver)(outcome).is_break();
        }
    }
}

/// Lets the other threads end if this one panics, instead of waiting for a
/// batch that never comes.
struct StopOnPanic<'a, 'b, R, D>(&'a Shared<'b, R, D>);

impl<R, D> Drop for StopOnPanic<'_, '_, R, D> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.output).is_stopped = true;
            self.0.delivered.notify_all();
        }
    }
}

/// A lock left by a panicking thread is taken all the same: that panic ends
/// the whole process of the file anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::{io::Cursor, time::Duration};

    use super::*;
    use crate::pgn::{Limits, Source};

    fn batches(games: usize) -> Batches {
        let text: String = (0..games)
            .map(|game| format!("[Event \"{game}\"]\n\n*\n\n"))
            .collect();
        let source = Source::from_reader("test", Cursor::new(text.into_bytes())).unwrap();
        Batches::with_limits(
            source,
            Limits {
                batch: 1,
                game: 1000,
            },
        )
    }

    #[test]
    fn outcomes_come_in_the_order_of_the_file() {
        for threads in 1..5 {
            let mut seen = Vec::new();
            let work = |batch: &Batch| {
                // Some take longer, so that others overtake them.
                thread::sleep(Duration::from_micros(batch.index() % 3 * 300));
                batch.index()
            };
            let deliver = |index| {
                seen.push(index);
                ControlFlow::Continue(())
            };
            process(&mut batches(100), threads, work, deliver).unwrap();
            assert!(seen.len() > 50);
            assert!(seen.iter().copied().eq(0..seen.len() as u64), "{seen:?}");
        }
    }

    #[test]
    fn delivery_can_stop_the_work() {
        for threads in 1..4 {
            let mut seen = 0;
            let deliver = |_| {
                seen += 1;
                if seen == 10 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            process(&mut batches(1000), threads, |_| (), deliver).unwrap();
            assert_eq!(seen, 10);
        }
    }

    #[test]
    fn a_panic_does_not_hang_the_others() {
        let outcome = std::panic::catch_unwind(|| {
            let work = |batch: &Batch| assert!(batch.index() != 5, "on purpose");
            process(&mut batches(1000), 2, work, |()| ControlFlow::Continue(()))
        });
        assert!(outcome.is_err());
    }
}
