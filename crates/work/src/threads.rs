//! The dispatcher for the threads of this process.

use crate::dispatch::{
    Assignment, Counter, DispatchError, Dispatcher, Done, Outcome, Piece, Receive, Taken,
};
use crate::{Job, Order, StopSignal, Stopping};
use std::any::Any;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long the receiver waits for a result before it may do something else, and so how quickly a
/// request to stop is noticed.
const ATTENTION: Duration = Duration::from_millis(50);

/// How many results may wait for each worker: enough to keep all of them busy while the receiver is
/// busy or, in order, while one piece takes long.
const WAITING_RESULTS: usize = 2;

/// A dispatcher for this many threads of this process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads(NonZeroUsize);

impl Threads {
    /// A dispatcher for `count` threads, but at least one.
    pub fn new(count: usize) -> Threads {
        Threads(NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN))
    }
}

impl Dispatcher for Threads {
    fn at_once(&self) -> usize {
        self.0.get()
    }

    fn dispatch(
        &self,
        assignment: Assignment<'_>,
        receive: &mut Receive<'_>,
    ) -> Result<(), DispatchError> {
        let count = self.at_once();
        let Assignment {
            job,
            pieces,
            order,
            stopping,
            stop,
        } = assignment;
        let shared = Shared {
            job,
            pieces: Mutex::new(Pieces {
                left: Some(pieces),
                taken: 0,
            }),
            most_open: count * job.side_by_side().max(1) * (1 + WAITING_RESULTS),
            order,
            stop,
            halt: StopSignal::new(),
            state: Mutex::new(State {
                workers: count,
                ..State::default()
            }),
            changed: Condvar::new(),
        };
        thread::scope(|scope| {
            // The workers end however this function returns.
            let _halting = Halting(&shared);
            for number in 0..count {
                let shared = &shared;
                thread::Builder::new()
                    .name(format!("worker {number}"))
                    .stack_size(job.stack_bytes())
                    .spawn_scoped(scope, move || shared.run(number))
                    .map_err(DispatchError::Start)?;
            }
            while let Some(done) = shared.next_result(stopping) {
                if receive(done).is_break() {
                    break;
                }
            }
            shared.lock().failure.take().map_or(Ok(()), Err)
        })
    }
}

/// What the threads share.
struct Shared<'a> {
    job: &'a dyn Job,
    /// Locked apart from the state, because reading the next piece may take a while.
    pieces: Mutex<Pieces<'a>>,
    /// How many pieces may be taken whose results were not received yet.
    most_open: usize,
    order: Order,
    /// Signalled by the caller.
    stop: &'a StopSignal,
    /// Asks the workers to give up.
    halt: StopSignal,
    state: Mutex<State>,
    changed: Condvar,
}

struct Pieces<'a> {
    /// `None` once the last piece was taken.
    left: Option<&'a mut (dyn Iterator<Item = Piece> + Send)>,
    taken: u64,
}

impl Pieces<'_> {
    /// The next piece, and its place in the order.
    fn next(&mut self) -> Option<(u64, Piece)> {
        let Some(piece) = self.left.as_mut()?.next() else {
            self.left = None;
            return None;
        };
        self.taken += 1;
        Some((self.taken - 1, piece))
    }
}

#[derive(Default)]
struct State {
    /// Workers that have not ended yet.
    workers: usize,
    /// Pieces that were taken, or are about to be, and whose results were not received yet.
    open: usize,
    /// Finished results, by the place of their pieces in the order.
    waiting: BTreeMap<u64, Done>,
    /// How many results were received.
    received: u64,
    failure: Option<DispatchError>,
}

impl Shared<'_> {
    /// Runs a worker from start to end. The only place where panics of jobs are caught.
    fn run(&self, number: usize) {
        let mut at = None;
        let work = || self.work(number, &mut at);
        let panicked = panic::catch_unwind(AssertUnwindSafe(work)).err();
        if let Some(payload) = panicked {
            let name = self.job.piece_name();
            let piece = match at {
                Some(number) => format!("{name} {number}"),
                None => format!("the next {name}"),
            };
            let problem = words_of(payload.as_ref());
            self.fail(DispatchError::Panic { piece, problem });
        }
        self.lock().workers -= 1;
        self.changed.notify_all();
    }

    /// Does pieces until there are no more; `at` is the number of the one begun last.
    fn work(&self, worker_number: usize, at: &mut Option<u64>) {
        // A worker is made when it is first needed.
        let Some(first @ Next::Piece(..)) = self.take(true) else {
            return;
        };
        let mut worker = self.job.worker(worker_number);
        worker.serve(&mut WorkerCounter {
            shared: self,
            first: Some(first),
            places: BTreeMap::new(),
            at,
        });
    }

    /// Ends the work because of the first failure.
    fn fail(&self, failure: DispatchError) {
        self.halt.stop();
        self.lock().failure.get_or_insert(failure);
    }

    /// Takes the next piece, with its place in the order, once there is room for its result. The
    /// worker whose piece the others wait for never waits here itself, so there is no deadlock.
    fn take(&self, may_wait: bool) -> Option<Next> {
        let mut state = self.lock();
        if !may_wait && state.open >= self.most_open && !self.is_over() {
            return Some(Next::NotNow);
        }
        state = self
            .changed
            .wait_while(state, |state| {
                state.open >= self.most_open && !self.is_over()
            })
            .unwrap_or_else(PoisonError::into_inner);
        state.open += 1;
        drop(state);
        let taken = self.pieces.lock().ok().and_then(|mut pieces| {
            // Checked only now: waiting for room may have taken long.
            match self.is_over() {
                true => None,
                false => pieces.next(),
            }
        });
        if taken.is_none() {
            self.lock().open -= 1;
        }
        taken.map(|(place, piece)| Next::Piece(place, piece))
    }

    /// Whether no new piece may be begun.
    fn is_over(&self) -> bool {
        self.halt.is_stopped() || self.stop.is_stopped()
    }

    /// Waits for a result: `None` when there will be no more, `Some(None)` when none arrived for a
    /// while.
    fn next_result(&self, stopping: Stopping) -> Option<Option<Done>> {
        if self.stop.is_stopped() {
            if stopping == Stopping::GiveUp {
                self.halt.stop();
            }
            // Workers that wait for room must notice it.
            self.changed.notify_all();
        }
        let waiting = |state: &mut State| !self.is_ready(state) && state.workers > 0;
        let (mut state, _) = self
            .changed
            .wait_timeout_while(self.lock(), ATTENTION, waiting)
            .unwrap_or_else(PoisonError::into_inner);
        if !self.is_ready(&state) {
            return (state.workers > 0).then_some(None);
        }
        let (_, done) = state.waiting.pop_first()?;
        state.received += 1;
        state.open -= 1;
        drop(state);
        self.changed.notify_all();
        Some(Some(done))
    }

    /// Whether a result can be delivered.
    fn is_ready(&self, state: &State) -> bool {
        let first = state.waiting.first_key_value();
        first.is_some_and(|(&place, _)| match self.order {
            Order::AsFinished => true,
            Order::AsGiven => place == state.received,
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What comes next for a worker.
enum Next {
    /// A piece, with its place in the order.
    Piece(u64, Piece),
    /// There is no room for another result.
    NotNow,
}

/// Where one worker takes pieces and hands in results.
struct WorkerCounter<'a, 'b> {
    shared: &'a Shared<'b>,
    /// The piece that was taken before the worker was made.
    first: Option<Next>,
    /// The places in the order of unfinished pieces, by their numbers.
    places: BTreeMap<u64, u64>,
    /// The number of the piece begun last, for the report of a panic.
    at: &'a mut Option<u64>,
}

impl Counter for WorkerCounter<'_, '_> {
    fn take(&mut self, may_wait: bool) -> Taken {
        let next = self.first.take().or_else(|| self.shared.take(may_wait));
        match next {
            None => Taken::Over,
            Some(Next::NotNow) => Taken::NotNow,
            Some(Next::Piece(place, piece)) => {
                self.places.insert(piece.number, place);
                *self.at = Some(piece.number);
                Taken::Piece(piece)
            }
        }
    }

    fn hand_in(&mut self, number: u64, outcome: Outcome) {
        let place = self.places.remove(&number);
        if *self.at == Some(number) {
            *self.at = self.places.keys().next_back().copied();
        }
        match (outcome, place) {
            (Outcome::Done(result), Some(place)) => {
                let done = Done { number, result };
                self.shared.lock().waiting.insert(place, done);
                self.shared.changed.notify_all();
            }
            // Nobody is to wait for its result.
            (Outcome::Done(_) | Outcome::GivenUp, _) => self.shared.halt.stop(),
            (Outcome::Failed(fault), _) => self.shared.fail(DispatchError::Failed {
                name: self.shared.job.piece_name(),
                number,
                fault,
            }),
        }
    }

    fn halt(&self) -> &StopSignal {
        &self.shared.halt
    }
}

/// Stops the workers when it is dropped.
struct Halting<'a>(&'a Shared<'a>);

impl Drop for Halting<'_> {
    fn drop(&mut self) {
        self.0.halt.stop();
        // The lock makes sure that no thread is between checking the signal and going to sleep.
        drop(self.0.lock());
        self.0.changed.notify_all();
    }
}

/// The message of a panic.
fn words_of(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned());
    let owned = || payload.downcast_ref::<String>().cloned();
    text.or_else(owned).unwrap_or_else(|| "a panic".to_owned())
}
