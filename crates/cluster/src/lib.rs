//! The dispatcher for many machines, on NATS JetStream.
//!
//! A [`Coordinator`] gives out the pieces of jobs, in units of some seconds, and brings
//! the results back; a [`Worker`] on any machine takes units, makes the job of each from
//! its description and does its pieces. Between them stands a nats-server, which keeps
//! the queue of units, leases each to one worker at a time, and keeps results until they
//! are fetched. Nothing of it is trusted to be right: a piece counts when its result has
//! been checked and the receiver has made it durable, and then only once.
//!
//! The public seam blocks; tokio stays inside. This crate must not know what the work
//! is: kinds of jobs are handed in by the program.

mod blobs;
mod chi_square;
mod connection;
mod coordinator;
mod credentials;
mod error;
mod frame;
mod identity;
mod message;
mod names;
mod server;
mod settings;
mod worker;

pub use connection::Access;
pub use coordinator::{
    Coordinator, CoordinatorEvent, SessionStatus, Status, Summary, WorkerStatus, status,
};
pub use credentials::Credentials;
pub use error::ClusterError;
pub use identity::Identity;
pub use names::is_worker_name;
pub use server::{Server, ServerFiles, ServerVersion};
pub use settings::Settings;
pub use worker::{Worker, WorkerEvent, WorkerOptions};
