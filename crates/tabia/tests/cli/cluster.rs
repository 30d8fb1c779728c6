//! Work on many machines, with a real nats-server and processes that are killed.
//!
//! What wants that program is ignored without it; `scripts/test` runs it.

mod chaos;
mod commands;
mod group;
mod liars;
#[path = "../../../cluster/tests/cluster/proxy.rs"]
mod proxy;
