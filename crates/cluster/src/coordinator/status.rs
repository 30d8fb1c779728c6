//! What there is to be seen of a cluster, for those who only look.

use super::events::Summary;
use super::session::by_chance;
use crate::connection::Access;
use crate::error::ClusterError;
use crate::message::{self, Heartbeat};
use crate::names;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// How a cluster stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Status {
    /// The version of its server.
    pub server: String,
    /// The coordinators that are at work.
    pub sessions: Vec<SessionStatus>,
    /// Workers that are there, with their threads and speed, whoever they work for.
    pub workers: Vec<(String, usize, u64)>,
}

/// How the work of one coordinator stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SessionStatus {
    /// Its name.
    pub session: String,
    /// The version of its program.
    pub version: String,
    /// The kinds of its jobs.
    pub kinds: Vec<String>,
    /// Units that wait for a worker.
    pub queued: u64,
    /// Units that are not done.
    pub open: usize,
    /// Its workers.
    pub workers: Vec<WorkerStatus>,
    /// What came of it so far.
    pub summary: Summary,
}

/// What a worker does and has done for a coordinator.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// Its threads; none if it is gone.
    pub threads: usize,
    /// What one of them does in a second.
    pub speed: u64,
    /// Units that it holds.
    pub units: usize,
    /// Pieces that it has done.
    pub pieces: u64,
    /// Seconds of its threads for that.
    pub seconds: f64,
    /// Units that it and somebody else did equally.
    pub confirmed: u64,
    /// Pieces that it could not do.
    pub failures: u64,
    /// Troubles of its machine.
    pub troubles: u64,
    /// Why nothing is taken from it.
    pub objection: Option<String>,
}

/// Asks everybody in a cluster how things stand, and listens for so long.
///
/// # Errors
/// If the server cannot be reached.
pub fn status(access: &Access, patience: Duration) -> Result<Status, ClusterError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(ClusterError::Threads)?;
    let status = runtime.block_on(ask(access, patience));
    runtime.shutdown_background();
    status
}

async fn ask(access: &Access, patience: Duration) -> Result<Status, ClusterError> {
    let name = access.name(&format!("status-{:016x}", by_chance()));
    let connection = access.connect(&name, Arc::new(|_| {})).await?;
    let client = &connection.client;
    let refused = |error: &dyn std::fmt::Display| {
        ClusterError::refused("report the status", error.to_string())
    };
    let mut sessions = client
        .subscribe(names::ALL_OVERVIEWS)
        .await
        .map_err(|error| refused(&error))?;
    let mut workers = client
        .subscribe(names::ALL_WORKERS)
        .await
        .map_err(|error| refused(&error))?;
    client
        .publish(names::PING, "".into())
        .await
        .map_err(|error| refused(&error))?;
    let (mut found, mut alive) = (BTreeMap::new(), BTreeMap::new());
    let end = tokio::time::sleep(patience);
    tokio::pin!(end);
    loop {
        tokio::select! {
            () = &mut end => break,
            Some(message) = sessions.next() => {
                let status: Result<SessionStatus, _> = message::from_json(&message.payload);
                if let Ok(status) = status {
                    found.insert(status.session.clone(), status);
                }
            }
            Some(message) = workers.next() => {
                let heartbeat: Result<Heartbeat, _> = message::from_json(&message.payload);
                let name = names::part(&message.subject, 2).map(str::to_owned);
                if let (Ok(heartbeat), Some(name)) = (heartbeat, name) {
                    let row = (name, heartbeat.threads, heartbeat.identity.speed);
                    match heartbeat.is_leaving {
                        true => alive.remove(&heartbeat.instance),
                        false => alive.insert(heartbeat.instance, row),
                    };
                }
            }
        }
    }
    let mut workers: Vec<_> = alive.into_values().collect();
    workers.sort();
    Ok(Status {
        server: connection.version.to_string(),
        sessions: found.into_values().collect(),
        workers,
    })
}
