//! Processes one file with several threads: each takes the next batch when it is free,
//! and the outcomes are delivered in the order of the file.
//!
//! This is for reading files, where a batch takes milliseconds: batches and outcomes
//! keep their types and memory, and the calling thread works too, so that one thread
//! costs no more than a loop and two do nearly twice the work. Playing and searching,
//! and anything that may be stopped or done on other machines, uses a dispatcher of the
//! crate `work` instead. This module must not know the contents of batches.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Calls `work` for every batch that `next` reads, with this many threads, and passes
/// the outcomes to `deliver` one by one in their order. If that breaks, the rest of the
/// file is not read. `next` fills a batch, or returns false if there is none.
///
/// The error of a truncated file is returned after everything before it was delivered.
pub(crate) fn process<B: Default, R: Send, E: Send>(
    next: impl FnMut(&mut B) -> Result<bool, E> + Send,
    threads: usize,
    work: impl Fn(&B) -> R + Sync,
    deliver: impl FnMut(R) -> ControlFlow<()> + Send,
) -> Result<(), E> {
    let shared = Shared::new(next, threads, deliver);
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| shared.run(&work));
        }
        shared.run(&work);
    });
    shared.into_outcome()
}

struct Shared<N, E, R, D> {
    input: Mutex<Input<N, E>>,
    output: Mutex<Output<R, D>>,
    delivered: Condvar,
    most_waiting: usize,
}

struct Input<N, E> {
    next: N,
    /// How many batches were taken.
    taken: u64,
    is_over: bool,
    failure: Option<E>,
}

struct Output<R, D> {
    /// The index of the batch to be delivered next.
    next: u64,
    /// The outcomes of later batches.
    finished: BTreeMap<u64, R>,
    deliver: D,
    is_stopped: bool,
}

impl<N, E, R, D> Shared<N, E, R, D> {
    fn new(next: N, threads: usize, deliver: D) -> Self {
        Self {
            input: Mutex::new(Input {
                next,
                taken: 0,
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
            // Enough to keep all threads busy while one batch takes long.
            most_waiting: 2 * threads.max(1),
        }
    }

    fn into_outcome(self) -> Result<(), E> {
        let input = self.input.into_inner();
        let failure = input.unwrap_or_else(PoisonError::into_inner).failure;
        failure.map_or(Ok(()), Err)
    }
}

impl<N, E, R, D> Shared<N, E, R, D>
where
    R: Send,
    D: FnMut(R) -> ControlFlow<()> + Send,
{
    fn run<B: Default>(&self, work: &impl Fn(&B) -> R)
    where
        N: FnMut(&mut B) -> Result<bool, E>,
    {
        let _guard = StopOnPanic(self);
        let mut batch = B::default();
        while self.may_go_on() {
            let Some(index) = lock(&self.input).take(&mut batch) else {
                return;
            };
            let outcome = work(&batch);
            self.hand_over(index, outcome);
        }
    }

    /// Waits while too many outcomes wait for an earlier batch. The thread that works
    /// on that batch does not wait here, so there is no deadlock.
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

impl<N, E> Input<N, E> {
    /// Takes the next batch; returns its number.
    fn take<B>(&mut self, batch: &mut B) -> Option<u64>
    where
        N: FnMut(&mut B) -> Result<bool, E>,
    {
        if self.is_over {
            return None;
        }
        let taken = (self.next)(batch);
        self.is_over = !matches!(taken, Ok(true));
        self.failure = taken.err();
        self.taken += 1;
        (!self.is_over).then_some(self.taken - 1)
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

/// Stops the other threads if this one panics, so that they do not wait for its batch.
struct StopOnPanic<'a, N, E, R, D>(&'a Shared<N, E, R, D>);

impl<N, E, R, D> Drop for StopOnPanic<'_, N, E, R, D> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.output).is_stopped = true;
            self.0.delivered.notify_all();
        }
    }
}

/// Takes a lock even if it is poisoned: the panic that poisoned it ends the processing
/// of the file anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Gives `count` numbers one after another.
    fn numbers(count: u64) -> impl FnMut(&mut u64) -> Result<bool, String> {
        let mut next = 0;
        move |number| {
            *number = next;
            next += 1;
            Ok(*number < count)
        }
    }

    #[test]
    fn outcomes_come_in_the_order_of_the_file() {
        for threads in 1..5 {
            let mut seen = Vec::new();
            let work = |number: &u64| {
                // Some take longer, so that others overtake them.
                thread::sleep(Duration::from_micros(number % 3 * 300));
                *number
            };
            let deliver = |index| {
                seen.push(index);
                ControlFlow::Continue(())
            };
            process(numbers(100), threads, work, deliver).unwrap();
            assert!(seen.iter().copied().eq(0..100), "{seen:?}");
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
            process(numbers(1000), threads, |_| (), deliver).unwrap();
            assert_eq!(seen, 10);
        }
    }

    #[test]
    fn a_panic_does_not_hang_the_others() {
        let outcome = std::panic::catch_unwind(|| {
            let work = |number: &u64| assert!(*number != 5, "on purpose");
            process(numbers(1000), 2, work, |()| ControlFlow::Continue(()))
        });
        assert!(outcome.is_err());
    }

    #[test]
    fn an_error_comes_after_what_was_read() {
        let mut seen = 0;
        let mut numbers = numbers(10);
        let next = |number: &mut u64| match numbers(number)? {
            true => Ok(true),
            false => Err("torn".to_owned()),
        };
        let deliver = |()| {
            seen += 1;
            ControlFlow::Continue(())
        };
        let outcome = process(next, 2, |_| (), deliver);
        assert_eq!((outcome, seen), (Err("torn".to_owned()), 10));
    }
}
