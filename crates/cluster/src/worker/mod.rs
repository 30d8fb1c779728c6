//! The side that does the work: takes units, makes their jobs, does their pieces and
//! hands in the results.
//!
//! - `slot` takes one unit after the other, `executor` is the thread that does its pieces;
//! - `jobs` makes jobs from their descriptions, with blobs from the disk;
//! - `sessions` tracks the coordinators, `leases` the units that this worker holds;
//! - `delivery` hands in results until the server has them.

mod delivery;
mod executor;
mod jobs;
mod leases;
mod sessions;
mod slot;

use crate::blobs::Cache;
use crate::connection::{Access, Connection, Signal};
use crate::coordinator::by_chance;
use crate::error::ClusterError;
use crate::identity::Identity;
use crate::message::{self, Heartbeat, Unit};
use crate::names;
use futures_util::StreamExt;
use jobs::Jobs;
use leases::Leases;
use sessions::Sessions;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Notify;
use work::{Kind, StopSignal};

/// How often the wish to stop is looked at.
const ATTENTION: Duration = Duration::from_millis(100);
/// How often it is told how far things are.
const TELL_EVERY: Duration = Duration::from_secs(30);
/// How long saying goodbye may take.
const GOODBYE: Duration = Duration::from_secs(5);

/// What a worker needs.
pub struct WorkerOptions {
    /// Where the server is.
    pub access: Access,
    /// This program and machine.
    pub identity: Identity,
    /// The kinds of jobs that it can do.
    pub kinds: Vec<Kind>,
    /// How many units it works on at once.
    pub threads: usize,
    /// Where it keeps models and books.
    pub cache: PathBuf,
    /// How many bytes of them.
    pub cache_bytes: u64,
}

/// What a worker tells.
#[derive(Clone, PartialEq, Debug)]
pub enum WorkerEvent {
    /// It is connected, under this name.
    Connected {
        /// Its name.
        name: String,
        /// What to know of the server's version.
        warning: Option<String>,
    },
    /// The connection is there again.
    Reconnected,
    /// The connection is lost; it is tried again and again.
    Disconnected,
    /// There is nothing to do.
    Idle,
    /// It has begun with a job.
    Began {
        /// What kind of job.
        kind: String,
    },
    /// It cannot work for a coordinator.
    Unfit {
        /// Why, and what to do.
        reason: String,
    },
    /// It has done so much.
    Progress {
        /// Pieces since it was started.
        pieces: u64,
        /// Units that it holds.
        units: usize,
    },
    /// It has a problem of its own.
    Trouble(String),
}

impl fmt::Display for WorkerEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkerEvent::Connected { name, .. } => write!(f, "connected as {name}"),
            WorkerEvent::Reconnected => f.write_str("connected again"),
            WorkerEvent::Disconnected => f.write_str("the NATS server does not respond; retrying"),
            WorkerEvent::Idle => f.write_str("waiting for work"),
            WorkerEvent::Began { kind } => write!(f, "working: {kind}"),
            WorkerEvent::Unfit { reason } => {
                write!(f, "cannot work for a running coordinator: {reason}")
            }
            WorkerEvent::Progress { pieces, units } => {
                write!(f, "{pieces} pieces done, {units} units in progress")
            }
            WorkerEvent::Trouble(words) => f.write_str(words),
        }
    }
}

/// A worker of a group.
pub struct Worker;

impl Worker {
    /// Works until it is told to stop; what is in work is then given back. How many
    /// pieces were done.
    ///
    /// # Errors
    /// If the server cannot be reached at first, or this worker is banned.
    pub fn run(
        options: WorkerOptions,
        stop: &StopSignal,
        listen: impl Fn(WorkerEvent) + Send + Sync + 'static,
    ) -> Result<u64, ClusterError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(ClusterError::Threads)?;
        let worked = runtime.block_on(work(options, stop, Arc::new(listen)));
        runtime.shutdown_background();
        worked
    }
}

/// Who hears what happens.
type Listener = dyn Fn(WorkerEvent) + Send + Sync;

/// What all tasks of a worker share.
struct Shared {
    name: String,
    /// Tells this process apart from others of the same name.
    instance: u64,
    identity: Identity,
    threads: usize,
    connection: Connection,
    listener: Arc<Listener>,
    sessions: Sessions,
    leases: Leases,
    jobs: Jobs,
    pieces: AtomicU64,
    /// Something has changed of which others should hear.
    changed: Notify,
    stop: StopSignal,
}

impl Shared {
    fn tell(&self, event: WorkerEvent) {
        (self.listener)(event);
    }

    /// Tells everybody that it lives.
    async fn beat(&self, is_leaving: bool) {
        let heartbeat = Heartbeat {
            instance: self.instance,
            identity: self.identity.clone(),
            threads: self.threads,
            units: self.leases.held(),
            pieces: self.pieces.load(Ordering::Relaxed),
            is_leaving,
        };
        let heartbeat = message::to_json(&heartbeat);
        // Whoever misses it hears the next one.
        let _ = self
            .connection
            .client
            .publish(names::worker(&self.name), heartbeat.into())
            .await;
    }
}

async fn work(
    options: WorkerOptions,
    stop: &StopSignal,
    listener: Arc<Listener>,
) -> Result<u64, ClusterError> {
    let instance = by_chance();
    let cache = Cache::open(&options.cache, options.cache_bytes)?;
    let name = options.access.name(&format!("worker-{instance:016x}"));
    let connection = connect(&options.access, &name, &listener).await?;
    let shared = Arc::new(Shared {
        name,
        instance,
        identity: options.identity,
        threads: options.threads.max(1),
        sessions: Sessions::default(),
        leases: Leases::default(),
        jobs: Jobs::new(options.kinds, cache, connection.clone()),
        connection,
        listener,
        pieces: AtomicU64::new(0),
        changed: Notify::new(),
        stop: stop.clone(),
    });
    shared.tell(WorkerEvent::Connected {
        name: shared.name.clone(),
        warning: shared.connection.version.warning(),
    });
    tokio::spawn(hear_sessions(shared.clone()));
    tokio::spawn(hear_asks(shared.clone()));
    tokio::spawn(answer_pings(shared.clone()));
    tokio::spawn(live(shared.clone()));
    let slots = (0..shared.threads).map(|number| tokio::spawn(slot::run(shared.clone(), number)));
    let mut slots: Vec<_> = slots.collect();
    slots.push(tokio::spawn(slot::run_asked(
        shared.clone(),
        shared.threads,
    )));
    let excluded = wait(&shared).await;
    for slot in slots {
        let _ = slot.await;
    }
    let goodbye = async {
        shared.beat(true).await;
        let _ = shared.connection.client.flush().await;
    };
    let _ = tokio::time::timeout(GOODBYE, goodbye).await;
    match excluded {
        Some(reason) => Err(ClusterError::Excluded(reason)),
        None => Ok(shared.pieces.load(Ordering::Relaxed)),
    }
}

async fn connect(
    access: &Access,
    name: &str,
    listener: &Arc<Listener>,
) -> Result<Connection, ClusterError> {
    let tell = listener.clone();
    let is_first = std::sync::atomic::AtomicBool::new(true);
    let heard = move |signal| match signal {
        Signal::Connected if is_first.swap(false, Ordering::Relaxed) => {}
        Signal::Connected => tell(WorkerEvent::Reconnected),
        Signal::Disconnected => tell(WorkerEvent::Disconnected),
        Signal::Refused(words) => tell(WorkerEvent::Trouble(format!(
            "the NATS server rejected a request: {words}"
        ))),
    };
    access.connect(name, Arc::new(heard)).await
}

/// Waits until it is told to stop, or is banned; then why.
async fn wait(shared: &Shared) -> Option<String> {
    let mut told = tokio::time::Instant::now();
    loop {
        tokio::time::sleep(ATTENTION).await;
        if shared.stop.is_stopped() {
            return None;
        }
        if let Some(reason) = shared.sessions.shut_out() {
            shared.stop.stop();
            return Some(format!("this worker was banned: {reason}"));
        }
        if told.elapsed() >= TELL_EVERY {
            told = tokio::time::Instant::now();
            shared.tell(WorkerEvent::Progress {
                pieces: shared.pieces.load(Ordering::Relaxed),
                units: shared.leases.held().len(),
            });
        }
    }
}

/// Tells that it lives, now and then and whenever something changes.
async fn live(shared: Arc<Shared>) {
    loop {
        shared.beat(false).await;
        let period = shared.sessions.heartbeat();
        let _ = tokio::time::timeout(period, shared.changed.notified()).await;
    }
}

async fn hear_sessions(shared: Arc<Shared>) {
    let client = &shared.connection.client;
    while let Ok(mut heard) = client.subscribe(names::ALL_SESSIONS).await {
        while let Some(message) = heard.next().await {
            let announcement = message::from_json(&message.payload);
            if let (Some(id), Ok(announcement)) = (names::part(&message.subject, 2), announcement) {
                let objection =
                    shared
                        .sessions
                        .hear(id, announcement, &shared.name, &shared.identity);
                if let Some(reason) = objection {
                    shared.tell(WorkerEvent::Unfit { reason });
                }
            }
        }
    }
}

async fn hear_asks(shared: Arc<Shared>) {
    let client = &shared.connection.client;
    while let Ok(mut heard) = client.subscribe(names::ask(&shared.name)).await {
        while let Some(message) = heard.next().await {
            if let Ok(unit) = Unit::from_bytes(&message.payload) {
                shared.leases.ask(unit);
                shared.changed.notify_one();
            }
        }
    }
}

async fn answer_pings(shared: Arc<Shared>) {
    let client = &shared.connection.client;
    while let Ok(mut pings) = client.subscribe(names::PING).await {
        while pings.next().await.is_some() {
            shared.beat(false).await;
        }
    }
}
