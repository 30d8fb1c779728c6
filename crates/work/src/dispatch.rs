//! The interface of parallel work: jobs, their pieces and workers, and what a dispatcher
//! guarantees.

pub(crate) mod portable;

use crate::StopSignal;
use portable::Portable;
use std::io;
use std::ops::ControlFlow;

/// A piece of work.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Piece {
    /// Its number, which errors name.
    pub number: u64,
    /// What a worker needs besides the number; often empty.
    pub payload: Vec<u8>,
}

impl Piece {
    /// A piece that is determined by its number alone.
    pub fn numbered(number: u64) -> Piece {
        Piece {
            number,
            payload: Vec::new(),
        }
    }
}

/// What a worker returns for a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The result.
    Done(Vec<u8>),
    /// The worker was asked to stop before the piece was done.
    GivenUp,
    /// The piece cannot be done, which ends the whole work. The bytes say why, in a form that the
    /// job understands.
    Failed(Vec<u8>),
}

/// A finished piece with its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// The number of the piece.
    pub number: u64,
    /// The worker's result.
    pub result: Vec<u8>,
}

/// Work of one kind. The result of a piece must not depend on which worker does it, nor on what
/// that worker did before.
pub trait Job: Sync {
    /// What a piece is called in errors, such as `game`.
    fn piece_name(&self) -> &'static str;

    /// The stack that a worker needs, in bytes.
    fn stack_bytes(&self) -> usize;

    /// How many pieces a worker does side by side, where that is cheaper than one after the other.
    fn side_by_side(&self) -> usize {
        1
    }

    /// Makes a worker, on its own thread and only when it is first needed. The workers of a
    /// dispatcher are numbered from 0.
    fn worker(&self, number: usize) -> Box<dyn Worker + '_>;

    /// The job in a form that other processes can do; `None` if it must stay in this one.
    fn portable(&self) -> Option<&dyn Portable> {
        None
    }
}

/// Does pieces one after the other, and keeps what is expensive to set up.
pub trait Worker {
    /// Does a piece. It may be given up only once `halt` is signalled.
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome;

    /// Does all pieces that the counter gives out: one after the other, unless the worker finds it
    /// cheaper to do several side by side. The results must be the same either way.
    fn serve(&mut self, counter: &mut dyn Counter) {
        while let Taken::Piece(piece) = counter.take(true) {
            let outcome = self.work(&piece, counter.halt());
            counter.hand_in(piece.number, outcome);
        }
    }
}

/// Where a worker takes pieces and hands in results.
pub trait Counter {
    /// The next piece. A worker with unfinished pieces must not wait for room: the result that the
    /// others wait for may be its own.
    fn take(&mut self, may_wait: bool) -> Taken;

    /// Hands in the outcome of a piece.
    fn hand_in(&mut self, number: u64, outcome: Outcome);

    /// The signal to give up unfinished pieces.
    fn halt(&self) -> &StopSignal;
}

/// The answer to a worker that asked for a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taken {
    /// The next piece.
    Piece(Piece),
    /// None at the moment, but perhaps later.
    NotNow,
    /// There are no more.
    Over,
}

/// The order in which results are delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As soon as they are finished.
    AsFinished,
    /// In the order of their pieces.
    AsGiven,
}

/// What happens to unfinished pieces when the work is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stopping {
    /// They are given up.
    #[default]
    GiveUp,
    /// They are finished, but no new piece is begun.
    Finish,
}

/// All that a dispatcher needs to do a job.
pub struct Assignment<'a> {
    /// How each piece is done.
    pub job: &'a dyn Job,
    /// The pieces, taken one by one as workers become free.
    pub pieces: &'a mut (dyn Iterator<Item = Piece> + Send),
    /// The order in which results are delivered.
    pub order: Order,
    /// What happens to unfinished pieces when `stop` is signalled.
    pub stopping: Stopping,
    /// Ends the work early.
    pub stop: &'a StopSignal,
}

/// Receives the results. While there is no result it is called with `None` now and then, so that
/// the receiver can do something else in the meantime.
pub type Receive<'a> = dyn FnMut(Option<Done>) -> ControlFlow<()> + 'a;

/// Distributes pieces to workers and collects the results.
///
/// In either order, only a bounded number of pieces is taken from the iterator ahead of the
/// receiver.
pub trait Dispatcher: Sync {
    /// How many pieces are in progress at once.
    fn at_once(&self) -> usize;

    /// Does the work. When the receiver breaks off, unfinished pieces are given up and no further
    /// result is delivered.
    ///
    /// # Errors
    /// If no workers can be started, or a piece failed.
    fn dispatch(
        &self,
        assignment: Assignment<'_>,
        receive: &mut Receive<'_>,
    ) -> Result<(), DispatchError>;

    /// Remarks about the workers for a report, such as whose results were discarded; each is
    /// returned only once.
    fn take_remarks(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Why work ended early.
#[derive(Debug, thiserror::Error)]
pub enum DispatchError {
    /// No worker could be started.
    #[error("cannot start the workers: {0}")]
    Start(io::Error),
    /// A piece cannot be done.
    #[error("{name} {number}: {}", String::from_utf8_lossy(.fault))]
    Failed {
        /// What a piece is called.
        name: &'static str,
        /// Which one.
        number: u64,
        /// What the worker reported, in bytes that the job understands.
        fault: Vec<u8>,
    },
    /// The job cannot leave this process.
    #[error("this cannot be done on other machines: {0}")]
    NotPortable(String),
    /// A worker gave wrong results. All of its results are void, including those already received,
    /// and must be computed again.
    #[error("{} results of the worker '{worker}' are invalid: {reason}", .numbers.len())]
    Withdrawn {
        /// Which worker.
        worker: String,
        /// How it was detected.
        reason: String,
        /// The numbers of the pieces that were received from it.
        numbers: Vec<u64>,
    },
    /// A worker panicked: a bug in this program.
    #[error("{piece}: an internal error: {problem}")]
    Panic {
        /// The name and number of the piece.
        piece: String,
        /// The message of the panic.
        problem: String,
    },
}
