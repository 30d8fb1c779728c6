//! Numbered work, done by many at once.
//!
//! A [`Job`] says how its pieces are done, a [`Dispatcher`] gives them out and
//! brings the results back; [`Threads`] is the dispatcher for the threads of this
//! process. A piece is a number and some bytes, a result is bytes: neither needs
//! to stay in one process. A job that is [`Portable`] can be written down and made
//! again elsewhere.
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
