//! Numbered pieces of work, done in parallel.
//!
//! A [`Job`] says how its pieces are done; a [`Dispatcher`] distributes them and collects the
//! results; [`Threads`] is the dispatcher for the threads of this process. A piece is a number and
//! some bytes, a result is bytes, so neither needs to stay in one process. A job that is
//! [`Portable`] can be described and rebuilt elsewhere.
//!
//! This crate must not know what the pieces are: no chess, no files, no formats.

mod dispatch;
mod stop;
mod threads;

pub use dispatch::portable::{Blobs, BoxedJob, Care, Description, Kind, Portable, Repeatable};
pub use dispatch::{
    Assignment, Counter, DispatchError, Dispatcher, Done, Job, Order, Outcome, Piece, Receive,
    Stopping, Taken, Worker,
};
pub use stop::StopSignal;
pub use threads::Threads;
