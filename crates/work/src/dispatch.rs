//! What a job is, and what a dispatcher promises.

pub(crate) mod portable;

use crate::StopSignal;
use portable::Portable;
use std::io;
use std::ops::ControlFlow;

/// A piece of work.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Piece {
    /// Its number, by which errors name it.
    pub number: u64,
    /// What a worker needs beside the number; often nothing.
    pub payload: Vec<u8>,
}

impl Piece {
    /// A piece that its number alone decides.
    pub fn numbered(number: u64) -> Piece {
        Piece {
            number,
            payload: Vec::new(),
        }
    }
}

/// What a worker made of a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The result.
    Done(Vec<u8>),
    /// It was told to stop before the piece was done.
    GivenUp,
    /// The piece cannot be done, which ends the whole work. What is wrong is told
    /// in bytes that the job understands.
    Failed(Vec<u8>),
}

/// A result that has come back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// The number of the piece.
    pub number: u64,
    /// What the worker made of it.
    pub result: Vec<u8>,
}

/// Work of one kind. Which worker does a piece, and what that worker did before,
/// must not change the result.
pub trait Job: Sync {
    /// What a piece is called in errors, such as `game`.
    fn piece_name(&self) -> &'static str;

    /// The stack that a worker needs, in bytes.
    fn stack_bytes(&self) -> usize;

    /// How many pieces a worker does side by side, if that is cheaper.
    fn side_by_side(&self) -> usize {
        1
    }

    /// Makes a worker, on its own thread and when it is first needed. Workers of
    /// a dispatcher are numbered from 0.
    fn worker(&self, number: usize) -> Box<dyn Worker + '_>;

    /// The job as other processes can do it; none if it cannot leave this one.
    fn portable(&self) -> Option<&dyn Portable> {
        None
    }
}

/// One who does pieces, one after the other, and keeps what is costly to make.
pub trait Worker {
    /// Does a piece. `halt` asks to give it up; only then may that be done.
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome;

    /// Does all pieces that the counter has: one after the other, unless a worker
    /// finds it cheaper to do several side by side. Results must be the same.
    fn serve(&mut self, counter: &mut dyn Counter) {
        while let Taken::Piece(piece) = counter.take(true) {
            let outcome = self.work(&piece, counter.halt());
            counter.hand_in(piece.number, outcome);
        }
    }
}

/// Where a worker takes pieces and hands in results.
pub trait Counter {
    /// The next piece. A worker that has pieces in work must not wait for room: the
    /// result that others wait for may be its own.
    fn take(&mut self, may_wait: bool) -> Taken;

    /// Hands in what became of a piece.
    fn hand_in(&mut self, number: u64, outcome: Outcome);

    /// Asks to give up the pieces in work.
    fn halt(&self) -> &StopSignal;
}

/// What a worker got when it asked for a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taken {
    /// One more.
    Piece(Piece),
    /// None now, but perhaps later.
    NotNow,
    /// There will be no more.
    Over,
}

/// When results are handed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As soon as they are there.
    AsFinished,
    /// In the order in which the pieces came.
    AsGiven,
}

/// What becomes of the pieces in work when the work is told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stopping {
    /// They are given up.
    #[default]
    GiveUp,
    /// They are finished; no other is begun.
    Finish,
}

/// What is to be done.
pub struct Assignment<'a> {
    /// How.
    pub job: &'a dyn Job,
    /// The pieces, taken one by one as workers become free.
    pub pieces: &'a mut (dyn Iterator<Item = Piece> + Send),
    /// When results are handed over.
    pub order: Order,
    /// What becomes of the pieces in work when `stop` is given.
    pub stopping: Stopping,
    /// Ends the work early.
    pub stop: &'a StopSignal,
}

/// Where results go. Nothing comes now and then while there is no result, so
/// that the receiver can do something else for a moment.
pub type Receive<'a> = dyn FnMut(Option<Done>) -> ControlFlow<()> + 'a;

/// One who gives out pieces and brings back results.
///
/// Only a bounded number of pieces is taken from the iterator before the first of
/// their results has been received, whatever the order.
pub trait Dispatcher: Sync {
    /// How many pieces are worked on at once.
    fn at_once(&self) -> usize;

    /// Does the work. When the receiver breaks off, pieces in work are given up
    /// and nothing more is received.
    ///
    /// # Errors
    /// If workers cannot be had, or a piece failed.
    fn dispatch(
        &self,
        assignment: Assignment<'_>,
        receive: &mut Receive<'_>,
    ) -> Result<(), DispatchError>;

    /// What a report should say of those who did the work, such as whose results were
    /// thrown away; each is told once.
    fn take_remarks(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Why work ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum DispatchError {
    /// There are no workers.
    #[error("cannot start the workers: {0}")]
    Start(io::Error),
    /// A piece cannot be done.
    #[error("{name} {number}: {}", String::from_utf8_lossy(.fault))]
    Failed {
        /// What a piece is called.
        name: &'static str,
        /// Which one.
        number: u64,
        /// What the worker said.
        fault: Vec<u8>,
    },
    /// Only this process can do such work.
    #[error("this cannot be done on other machines: {0}")]
    NotPortable(String),
    /// A worker gave wrong results. All of its results are void and have to be
    /// computed again, also those that were received before.
    #[error("{} results of the worker '{worker}' are invalid: {reason}", .numbers.len())]
    Withdrawn {
        /// Who it was.
        worker: String,
        /// How it was found out.
        reason: String,
        /// The numbers of the pieces that were received from it.
        numbers: Vec<u64>,
    },
    /// A worker panicked, which is a mistake in this program.
    #[error("{piece}: an internal error: {problem}")]
    Panic {
        /// The name and number of the piece.
        piece: String,
        /// What the panic said.
        problem: String,
    },
}
