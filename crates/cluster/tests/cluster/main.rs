//! A coordinator and workers with a real nats-server between them.
//!
//! All tests want that program and are ignored without it; `scripts/test` runs them.
//! Everything happens on this machine, in some seconds.

mod basics;
mod faults;
mod harness;
mod liars;
mod proxy;
mod rights;
mod toy;
