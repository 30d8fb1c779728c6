//! Threads as a dispatcher: order, bounds, stops, failures.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use work::{
    Assignment, Counter, DispatchError, Dispatcher, Job, Order, Outcome, Piece, StopSignal,
    Stopping, Taken, Threads, Worker,
};

/// Work that is a function.
struct Function<F>(F);

impl<F: Fn(&Piece, &StopSignal) -> Outcome + Sync> Job for Function<F> {
    fn piece_name(&self) -> &'static str {
        "number"
    }

    fn stack_bytes(&self) -> usize {
        1 << 18
    }

    fn worker(&self, _: usize) -> Box<dyn Worker + '_> {
        Box::new(Caller(&self.0))
    }
}

struct Caller<'a, F>(&'a F);

impl<F: Fn(&Piece, &StopSignal) -> Outcome> Worker for Caller<'_, F> {
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome {
        (self.0)(piece, halt)
    }
}

fn squared(piece: &Piece) -> Outcome {
    Outcome::Done((piece.number * piece.number).to_le_bytes().to_vec())
}

fn numbers(count: u64) -> impl Iterator<Item = Piece> + Send {
    (0..count).map(Piece::numbered)
}

/// Dispatches, and gives the numbers whose results were received, in that order.
fn received(
    threads: usize,
    job: &dyn Job,
    pieces: &mut (dyn Iterator<Item = Piece> + Send),
    order: Order,
) -> (Vec<u64>, Result<(), DispatchError>) {
    let mut numbers = Vec::new();
    let assignment = Assignment {
        job,
        pieces,
        order,
        stopping: Stopping::GiveUp,
        stop: &StopSignal::new(),
    };
    let outcome = Threads::new(threads).dispatch(assignment, &mut |done| {
        numbers.extend(done.map(|done| done.number));
        ControlFlow::Continue(())
    });
    (numbers, outcome)
}

/// Waits until a count is reached.
#[derive(Default)]
struct Gate {
    count: Mutex<u64>,
    changed: Condvar,
}

impl Gate {
    fn add(&self) {
        *self.count.lock().expect("a count") += 1;
        self.changed.notify_all();
    }

    fn wait_for(&self, wanted: u64) {
        let count = self.count.lock().expect("a count");
        let is_missing = |count: &mut u64| *count < wanted;
        drop(self.changed.wait_while(count, is_missing).expect("a count"));
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let job = Function(|piece: &Piece, _: &StopSignal| {
        let mut result = piece.payload.clone();
        result.reverse();
        result.extend(piece.number.to_le_bytes());
        Outcome::Done(result)
    });
    let results = |threads, order| {
        let mut pieces = (0..200_u64).map(|number| Piece {
            number: 3 * number,
            payload: vec![number as u8; number as usize % 5],
        });
        let mut results = Vec::new();
        let assignment = Assignment {
            job: &job,
            pieces: &mut pieces,
            order,
            stopping: Stopping::Finish,
            stop: &StopSignal::new(),
        };
        let outcome = Threads::new(threads).dispatch(assignment, &mut |done| {
            results.extend(done.map(|done| (done.number, done.result)));
            ControlFlow::Continue(())
        });
        outcome.expect("all done");
        results
    };
    let expected = results(1, Order::AsGiven);
    assert_eq!(expected.len(), 200);
    for threads in [2, 3, 8] {
        assert!(results(threads, Order::AsGiven) == expected, "{threads}");
        let mut unordered = results(threads, Order::AsFinished);
        unordered.sort();
        assert!(unordered == expected, "{threads}");
    }
}

#[test]
fn finished_results_overtake_a_slow_one_only_if_they_may() {
    let slow = Gate::default();
    let job = Function(|piece: &Piece, _: &StopSignal| {
        match piece.number {
            // Until two others are finished, which one thread can do alone.
            0 => slow.wait_for(2),
            _ => slow.add(),
        }
        squared(piece)
    });
    let (order, outcome) = received(2, &job, &mut numbers(20), Order::AsGiven);
    outcome.expect("all done");
    assert!(order.iter().copied().eq(0..20), "{order:?}");
    *slow.count.lock().expect("a count") = 0;
    // Now number 0 ends only when number 1 was received.
    let heard = Gate::default();
    let job = Function(|piece: &Piece, _: &StopSignal| {
        if piece.number == 0 {
            heard.wait_for(1);
        }
        squared(piece)
    });
    let mut order = Vec::new();
    let assignment = Assignment {
        job: &job,
        pieces: &mut numbers(20),
        order: Order::AsFinished,
        stopping: Stopping::GiveUp,
        stop: &StopSignal::new(),
    };
    let outcome = Threads::new(2).dispatch(assignment, &mut |done| {
        if let Some(done) = done {
            order.push(done.number);
            heard.add();
        }
        ControlFlow::Continue(())
    });
    outcome.expect("all done");
    assert_ne!(order[0], 0);
    assert_eq!(order.iter().copied().collect::<BTreeSet<_>>().len(), 20);
}

#[test]
fn the_look_ahead_is_bounded() {
    for order in [Order::AsGiven, Order::AsFinished] {
        let (taken, received) = (AtomicU64::new(0), AtomicU64::new(0));
        let most = AtomicU64::new(0);
        let job = Function(|piece: &Piece, _: &StopSignal| {
            if piece.number.is_multiple_of(50) {
                std::thread::yield_now();
            }
            squared(piece)
        });
        let threads = 4;
        let mut pieces = (0..2000).map(|number| {
            let ahead = taken.fetch_add(1, Ordering::SeqCst) + 1 - received.load(Ordering::SeqCst);
            most.fetch_max(ahead, Ordering::SeqCst);
            Piece::numbered(number)
        });
        let assignment = Assignment {
            job: &job,
            pieces: &mut pieces,
            order,
            stopping: Stopping::GiveUp,
            stop: &StopSignal::new(),
        };
        let outcome = Threads::new(threads).dispatch(assignment, &mut |done| {
            // A slow receiver, so that the bound is reached.
            std::thread::yield_now();
            received.fetch_add(u64::from(done.is_some()), Ordering::SeqCst);
            ControlFlow::Continue(())
        });
        outcome.expect("all done");
        assert_eq!(received.into_inner(), 2000);
        // A result counts here when the receiver returns, one later than inside.
        let most = most.into_inner();
        assert!(most <= 3 * threads as u64 + 1, "{order:?}: {most}");
    }
}

#[test]
fn pieces_in_work_are_given_up_if_that_is_said() {
    let stop = StopSignal::new();
    let begun = AtomicUsize::new(0);
    let job = Function(|_: &Piece, halt: &StopSignal| {
        begun.fetch_add(1, Ordering::SeqCst);
        stop.stop();
        while !halt.is_stopped() {
            std::thread::yield_now();
        }
        Outcome::GivenUp
    });
    let mut results = 0;
    let assignment = Assignment {
        job: &job,
        pieces: &mut numbers(u64::MAX),
        order: Order::AsFinished,
        stopping: Stopping::GiveUp,
        stop: &stop,
    };
    let outcome = Threads::new(2).dispatch(assignment, &mut |done| {
        results += usize::from(done.is_some());
        ControlFlow::Continue(())
    });
    outcome.expect("stopped");
    assert_eq!(results, 0);
    assert!((1..=2).contains(&begun.into_inner()));
}

#[test]
fn pieces_in_work_are_finished_if_that_is_said() {
    let stop = StopSignal::new();
    let begun = Mutex::new(BTreeSet::new());
    let both = Gate::default();
    let job = Function(|piece: &Piece, halt: &StopSignal| {
        begun.lock().expect("a set").insert(piece.number);
        both.add();
        both.wait_for(2);
        stop.stop();
        assert!(!halt.is_stopped());
        squared(piece)
    });
    let mut results = BTreeSet::new();
    let assignment = Assignment {
        job: &job,
        pieces: &mut numbers(1000),
        order: Order::AsFinished,
        stopping: Stopping::Finish,
        stop: &stop,
    };
    let outcome = Threads::new(2).dispatch(assignment, &mut |done| {
        results.extend(done.map(|done| done.number));
        ControlFlow::Continue(())
    });
    outcome.expect("stopped");
    // Both threads had a piece, and none was begun after the signal.
    assert_eq!(results, BTreeSet::from([0, 1]));
    assert_eq!(begun.into_inner().expect("a set"), results);
}

#[test]
fn work_that_was_stopped_before_does_nothing() {
    let stop = StopSignal::new();
    stop.stop();
    for stopping in [Stopping::GiveUp, Stopping::Finish] {
        let job = Function(|_: &Piece, _: &StopSignal| panic!("there is nothing to do"));
        let assignment = Assignment {
            job: &job,
            pieces: &mut numbers(5),
            order: Order::AsGiven,
            stopping,
            stop: &stop,
        };
        let outcome = Threads::new(3).dispatch(assignment, &mut |_| ControlFlow::Continue(()));
        outcome.expect("nothing done");
    }
}

#[test]
fn nothing_is_received_after_a_break() {
    for threads in [1, 2, 4] {
        let job = Function(|piece: &Piece, _: &StopSignal| squared(piece));
        let mut results = 0;
        let assignment = Assignment {
            job: &job,
            pieces: &mut numbers(u64::MAX),
            order: Order::AsFinished,
            stopping: Stopping::Finish,
            stop: &StopSignal::new(),
        };
        let outcome = Threads::new(threads).dispatch(assignment, &mut |done| {
            results += u64::from(done.is_some());
            match results {
                10 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
        outcome.expect("broken off");
        assert_eq!(results, 10);
    }
}

#[test]
fn a_panic_names_its_piece_and_keeps_what_came_before() {
    for threads in [1, 3] {
        let job = Function(|piece: &Piece, _: &StopSignal| {
            assert!(piece.number != 7, "on purpose");
            squared(piece)
        });
        let (order, outcome) = received(threads, &job, &mut numbers(1000), Order::AsGiven);
        let error = outcome.expect_err("a panic").to_string();
        assert_eq!(error, "number 7: an internal error: on purpose");
        assert!(order.iter().copied().eq(0..7), "{order:?}");
    }
}

#[test]
fn a_panic_while_pieces_are_read_is_an_error_too() {
    let job = Function(|piece: &Piece, _: &StopSignal| squared(piece));
    let mut pieces = numbers(9).inspect(|piece| assert!(piece.number < 4, "torn"));
    let (order, outcome) = received(2, &job, &mut pieces, Order::AsFinished);
    let error = outcome.expect_err("a panic").to_string();
    assert_eq!(error, "the next number: an internal error: torn");
    assert!(order.len() <= 4, "{order:?}");
}

#[test]
fn a_failure_ends_the_work_in_the_words_of_the_worker() {
    let job = Function(|piece: &Piece, _: &StopSignal| match piece.number {
        12 => Outcome::Failed(b"no more room".to_vec()),
        _ => squared(piece),
    });
    let (order, outcome) = received(2, &job, &mut numbers(u64::MAX), Order::AsGiven);
    let error = outcome.expect_err("a failure");
    assert_eq!(error.to_string(), "number 12: no more room");
    let DispatchError::Failed { number, fault, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((number, fault.as_slice()), (12, &b"no more room"[..]));
    assert!(order.iter().copied().eq(0..12), "{order:?}");
}

#[test]
fn the_receiver_is_woken_while_nothing_ends() {
    let woken = Gate::default();
    let job = Function(|piece: &Piece, _: &StopSignal| {
        woken.wait_for(2);
        squared(piece)
    });
    let assignment = Assignment {
        job: &job,
        pieces: &mut numbers(1),
        order: Order::AsGiven,
        stopping: Stopping::GiveUp,
        stop: &StopSignal::new(),
    };
    let outcome = Threads::new(1).dispatch(assignment, &mut |done| {
        if done.is_none() {
            woken.add();
        }
        ControlFlow::Continue(())
    });
    outcome.expect("done");
}

/// Counts its workers and what each did.
struct Counting {
    made: Mutex<Vec<usize>>,
}

struct CountingWorker(u64);

impl Job for Counting {
    fn piece_name(&self) -> &'static str {
        "number"
    }

    fn stack_bytes(&self) -> usize {
        1 << 18
    }

    fn worker(&self, number: usize) -> Box<dyn Worker + '_> {
        let name = std::thread::current().name().map(str::to_owned);
        assert_eq!(name, Some(format!("worker {number}")));
        self.made.lock().expect("a list").push(number);
        Box::new(CountingWorker(0))
    }
}

impl Worker for CountingWorker {
    fn work(&mut self, _: &Piece, _: &StopSignal) -> Outcome {
        self.0 += 1;
        Outcome::Done(self.0.to_le_bytes().to_vec())
    }
}

#[test]
fn a_worker_is_made_once_and_keeps_what_it_has() {
    let job = Counting {
        made: Mutex::default(),
    };
    let mut results = Vec::new();
    let assignment = Assignment {
        job: &job,
        pieces: &mut numbers(30),
        order: Order::AsGiven,
        stopping: Stopping::GiveUp,
        stop: &StopSignal::new(),
    };
    let outcome = Threads::new(1).dispatch(assignment, &mut |done| {
        results.extend(done.map(|done| done.result));
        ControlFlow::Continue(())
    });
    outcome.expect("done");
    assert_eq!(results.last(), Some(&30_u64.to_le_bytes().to_vec()));
    assert_eq!(job.made.into_inner().expect("a list"), [0]);
    // Nobody is made for nothing.
    let job = Counting {
        made: Mutex::default(),
    };
    let (order, outcome) = received(8, &job, &mut numbers(1), Order::AsFinished);
    outcome.expect("done");
    assert_eq!(order, [0]);
    assert_eq!(job.made.into_inner().expect("a list").len(), 1);
}

#[test]
fn a_panic_of_the_receiver_leaves_no_thread_behind() {
    let job = Function(|piece: &Piece, _: &StopSignal| squared(piece));
    let outcome = std::panic::catch_unwind(|| {
        let assignment = Assignment {
            job: &job,
            pieces: &mut numbers(u64::MAX),
            order: Order::AsGiven,
            stopping: Stopping::Finish,
            stop: &StopSignal::new(),
        };
        let _ = Threads::new(2).dispatch(assignment, &mut |_| panic!("on purpose"));
    });
    assert!(outcome.is_err());
}

/// A worker that has several pieces in work and finishes the newest first.
struct Juggler {
    most: usize,
    held: Vec<Piece>,
}

impl Worker for Juggler {
    fn work(&mut self, piece: &Piece, _: &StopSignal) -> Outcome {
        squared(piece)
    }

    fn serve(&mut self, counter: &mut dyn Counter) {
        loop {
            while self.held.len() < self.most {
                match counter.take(self.held.is_empty()) {
                    Taken::Piece(piece) => self.held.push(piece),
                    Taken::NotNow | Taken::Over => break,
                }
            }
            let Some(piece) = self.held.pop() else { return };
            let outcome = self.work(&piece, counter.halt());
            counter.hand_in(piece.number, outcome);
        }
    }
}

struct Juggling(usize);

impl Job for Juggling {
    fn piece_name(&self) -> &'static str {
        "number"
    }

    fn stack_bytes(&self) -> usize {
        1 << 18
    }

    fn side_by_side(&self) -> usize {
        self.0
    }

    fn worker(&self, _: usize) -> Box<dyn Worker + '_> {
        Box::new(Juggler {
            most: self.0,
            held: Vec::new(),
        })
    }
}

#[test]
fn workers_may_do_several_pieces_side_by_side() {
    for (threads, most) in [(1, 1), (1, 7), (3, 5)] {
        let job = Juggling(most);
        let (mut all, ended) = received(threads, &job, &mut numbers(200), Order::AsFinished);
        ended.expect("no failure");
        all.sort_unstable();
        assert_eq!(all, (0..200).collect::<Vec<_>>());
        // In order, the oldest piece comes last of those that a worker holds: nobody
        // may wait for room with it in hand.
        let (all, ended) = received(threads, &job, &mut numbers(200), Order::AsGiven);
        ended.expect("no failure");
        assert_eq!(all, (0..200).collect::<Vec<_>>());
    }
}
