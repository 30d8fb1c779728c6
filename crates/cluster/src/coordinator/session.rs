//! One coordinator's time with a server: its streams and consumers, what it tells and
//! hears, and the doors through which results reach its jobs.
//!
//! Names of a session are chosen by chance, so nothing that another session, or an
//! earlier one of the same work, has left behind can be mistaken for its own.

mod streams;

use super::events::{CoordinatorEvent, Summary};
use super::registry::{Change, WorkerRegistry};
use super::status::{SessionStatus, WorkerStatus};
use crate::blobs::Store;
use crate::connection::{Access, Connection, Signal};
use crate::credentials::COORDINATOR;
use crate::error::ClusterError;
use crate::identity::Identity;
use crate::message::{Announcement, Heartbeat, OpenJob, UnitName, UnitResult, to_json};
use crate::names;
use crate::settings::Settings;
use async_nats::jetstream::{self, AckKind};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;

/// Who hears what happens.
pub(super) type Listener = dyn Fn(CoordinatorEvent) + Send + Sync;

/// How long a publisher waits before it tries again.
const RETRY: Duration = Duration::from_millis(500);

/// What reaches a job.
pub(super) enum Event {
    /// A worker has sent results.
    Result {
        worker: String,
        result: UnitResult,
        message: Box<jetstream::Message>,
    },
    /// A worker has sent something that no worker sends.
    Garbage { worker: String, problem: String },
    /// A worker is gone, with what it held.
    Gone {
        worker: String,
        units: Vec<UnitName>,
    },
    /// A piece was done here.
    Judged {
        number: u64,
        judged: Result<Vec<u8>, Vec<u8>>,
    },
}

pub(super) struct Session {
    pub(super) id: String,
    /// What workers cannot foresee depends on it.
    pub(super) secret: u64,
    pub(super) connection: Connection,
    pub(super) settings: Settings,
    pub(super) identity: Identity,
    pub(super) handle: Handle,
    store: Store,
    listener: Arc<Listener>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    registry: WorkerRegistry,
    jobs: BTreeMap<u64, Door>,
    next_job: u64,
    /// The hash of each blob that was put into the store, by its name in settings.
    blobs: HashMap<String, String>,
    /// Other sessions, when they were last heard of, and the blobs that they need.
    neighbours: HashMap<String, (Instant, Vec<String>)>,
    /// Units that wait in the queue, as far as it is known.
    queue: Option<u64>,
    summary: Summary,
    /// How many of those that were banned were told to whoever asked.
    told_shut_out: usize,
    is_leaving: bool,
}

/// The way to a job.
struct Door {
    open: OpenJob,
    events: SyncSender<Event>,
    blobs: Vec<String>,
    units: usize,
}

/// A number by chance: every state of the standard hasher has its own keys.
pub(crate) fn by_chance() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

impl Session {
    /// Connects, makes what is missing, and tells that it is there.
    pub(super) async fn open(
        access: &Access,
        identity: Identity,
        settings: Settings,
        listener: Arc<Listener>,
    ) -> Result<Arc<Session>, ClusterError> {
        let id = format!("{:016x}", by_chance());
        let tell = listener.clone();
        let heard = Arc::new(move |signal| match signal {
            Signal::Connected => tell(CoordinatorEvent::Connected),
            Signal::Disconnected => tell(CoordinatorEvent::Disconnected),
            Signal::Refused(words) => tell(CoordinatorEvent::Refused(words)),
        });
        let name = access.name(&format!("{COORDINATOR}-{id}"));
        let connection = access.connect(&name, heard).await?;
        let store = Store::open(&connection, settings.blob_bytes).await?;
        let session = Arc::new(Session {
            id,
            secret: by_chance(),
            connection,
            settings,
            identity,
            handle: Handle::current(),
            store,
            listener,
            state: Mutex::default(),
        });
        session.ensure().await?;
        Ok(session)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn tell(&self, event: CoordinatorEvent) {
        (self.listener)(event);
    }

    /// Uses the registry of workers.
    pub(super) fn with_registry<T>(&self, work: impl FnOnce(&mut WorkerRegistry) -> T) -> T {
        work(&mut self.lock().registry)
    }

    /// Whether the queue is known to have nothing that nobody has.
    pub(super) fn is_queue_empty(&self) -> bool {
        self.lock().queue == Some(0)
    }

    /// Opens a door for a job; its number.
    pub(super) fn open_job(
        &self,
        open: OpenJob,
        blobs: Vec<String>,
        events: SyncSender<Event>,
    ) -> u64 {
        let mut state = self.lock();
        state.next_job += 1;
        let job = state.next_job;
        let door = Door {
            open: OpenJob { job, ..open },
            events,
            blobs,
            units: 0,
        };
        state.jobs.insert(job, door);
        drop(state);
        self.announce_soon();
        job
    }

    /// No other piece of a job is to be begun.
    pub(super) fn finish_job(&self, job: u64) {
        if let Some(door) = self.lock().jobs.get_mut(&job) {
            door.open.is_finishing = true;
        }
        self.announce_soon();
        self.purge(job);
    }

    /// Closes the door of a job: whoever works on it gives up.
    pub(super) fn close_job(&self, job: u64) {
        self.lock().jobs.remove(&job);
        self.announce_soon();
        self.purge(job);
    }

    /// Whether a job is still wanted.
    fn is_open(&self, job: u64) -> bool {
        let state = self.lock();
        let door = state.jobs.get(&job);
        door.is_some_and(|door| !door.open.is_finishing)
    }

    /// How many units of a job are open, for those who look.
    pub(super) fn note_units(&self, job: u64, units: usize) {
        if let Some(door) = self.lock().jobs.get_mut(&job) {
            door.units = units;
        }
    }

    /// Changes what is summed up at the end.
    pub(super) fn sum_up(&self, change: impl FnOnce(&mut Summary)) {
        change(&mut self.lock().summary);
    }

    /// Workers that were banned since this was last asked.
    pub(super) fn take_shut_out(&self) -> Vec<(String, String, u64)> {
        let mut state = self.lock();
        let all = state.summary.shut_out.len();
        let told = std::mem::replace(&mut state.told_shut_out, all);
        state.summary.shut_out[told..].to_vec()
    }

    /// What came of the session so far.
    pub(super) fn summary(&self) -> Summary {
        let state = self.lock();
        let mut summary = state.summary.clone();
        for (_, member) in state.registry.members() {
            summary.workers += usize::from(member.work.pieces > 0);
            summary.pieces += member.work.pieces;
            summary.seconds += member.work.seconds;
            // Each comparison confirms two.
            summary.confirmed += member.work.confirmed;
        }
        summary.confirmed /= 2;
        summary
    }

    /// The queue of units: puts one there, and tries again until it is.
    pub(super) fn publish(self: &Arc<Session>, job: u64, unit: Vec<u8>) {
        let session = self.clone();
        let subject = names::work(&self.id, job);
        let unit = bytes::Bytes::from(unit);
        self.handle.spawn(async move {
            while session.is_open(job) {
                let sent = session
                    .connection
                    .jetstream
                    .publish(subject.clone(), unit.clone())
                    .await;
                if let Ok(sent) = sent
                    && sent.await.is_ok()
                {
                    return;
                }
                tokio::time::sleep(RETRY).await;
            }
        });
    }

    /// Asks one worker to do a unit.
    pub(super) fn ask(&self, worker: &str, unit: Vec<u8>) {
        let client = self.connection.client.clone();
        let subject = names::ask(worker);
        // If it gets lost, somebody else is asked.
        self.handle
            .spawn(async move { client.publish(subject, unit.into()).await });
    }

    /// Tells the server that results are safe.
    pub(super) fn confirm(&self, messages: Vec<jetstream::Message>) {
        self.handle.spawn(async move {
            for message in messages {
                // If that gets lost, the result comes again and is ignored.
                let _ = message.ack_with(AckKind::Ack).await;
            }
        });
    }

    /// The hashes of blobs under which workers find them; those that are new are put
    /// into the store.
    pub(super) fn keep_blobs(
        &self,
        blobs: &[String],
        content: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Vec<(String, String)>, String> {
        let mut kept = Vec::new();
        for name in blobs {
            let known = self.lock().blobs.get(name).cloned();
            let hash = match known {
                Some(hash) => hash,
                None => {
                    let bytes = content(name)?;
                    let put = self.handle.block_on(self.store.put(&bytes));
                    let hash = put.map_err(|error| error.to_string())?;
                    self.lock().blobs.insert(name.clone(), hash.clone());
                    hash
                }
            };
            kept.push((name.clone(), hash));
        }
        Ok(kept)
    }

    /// Forgets that blobs are in the store: somebody did not find one.
    pub(super) fn forget_blobs(&self) {
        self.lock().blobs.clear();
    }

    fn announcement(&self) -> Announcement {
        let state = self.lock();
        let shut_out = state.registry.members().filter_map(|(name, member)| {
            let reason = member.shut_out.clone()?;
            Some((name.to_owned(), reason))
        });
        let doors = state.jobs.values();
        Announcement {
            identity: self.identity.clone(),
            jobs: doors.clone().map(|door| door.open.clone()).collect(),
            heartbeat: self.settings.heartbeat.as_millis() as u64,
            blobs: doors.flat_map(|door| door.blobs.clone()).collect(),
            shut_out: shut_out.collect(),
            is_leaving: state.is_leaving,
        }
    }

    /// Tells what is offered.
    pub(super) async fn announce(&self) {
        let announcement = to_json(&self.announcement());
        let subject = names::session(&self.id);
        let client = &self.connection.client;
        // Whoever misses it hears the next one.
        let _ = client.publish(subject, announcement.into()).await;
    }

    pub(super) fn announce_soon(&self) {
        let announcement = to_json(&self.announcement());
        let subject = names::session(&self.id);
        let client = self.connection.client.clone();
        self.handle
            .spawn(async move { client.publish(subject, announcement.into()).await });
    }

    /// A worker tells that it lives.
    pub(super) fn hear_worker(&self, name: &str, heartbeat: Heartbeat) {
        let objection = self.announcement().objection_to(name, &heartbeat.identity);
        let mut state = self.lock();
        let change = state
            .registry
            .hear(name, heartbeat, objection, Instant::now());
        drop(state);
        let worker = name.to_owned();
        match change {
            Some(Change::Joined { threads }) => {
                self.tell(CoordinatorEvent::Joined { worker, threads })
            }
            Some(Change::Left) => self.tell(CoordinatorEvent::Left { worker }),
            Some(Change::Objected(reason)) => self.tell(CoordinatorEvent::Unfit { worker, reason }),
            None => {}
        }
    }

    /// Another session tells that it lives.
    pub(super) fn hear_session(&self, id: &str, announcement: Announcement) {
        if id == self.id {
            return;
        }
        let mut state = self.lock();
        match announcement.is_leaving {
            true => drop(state.neighbours.remove(id)),
            false => {
                let heard = (Instant::now(), announcement.blobs);
                state.neighbours.insert(id.to_owned(), heard);
            }
        }
    }

    /// Looks for workers that were silent for too long.
    pub(super) fn look_for_silent(&self) {
        let patience = self.settings.patience();
        let mut state = self.lock();
        let gone = state.registry.forget_silent(patience, Instant::now());
        drop(state);
        for (worker, units) in gone {
            let name = worker.clone();
            self.tell(CoordinatorEvent::Left { worker: name });
            self.send_to_all(&|| Event::Gone {
                worker: worker.clone(),
                units: units.clone(),
            });
        }
    }

    /// Tells all jobs something that can be missed.
    pub(super) fn send_to_all(&self, event: &dyn Fn() -> Event) {
        let state = self.lock();
        for door in state.jobs.values() {
            let _ = door.events.try_send(event());
        }
    }

    /// Brings results to their job. They come back if it has no room for them, and go
    /// nowhere if it is over.
    pub(super) fn deliver(&self, job: u64, event: Event) -> Delivery {
        let state = self.lock();
        let Some(door) = state.jobs.get(&job) else {
            return Delivery::Over(event);
        };
        match door.events.try_send(event) {
            Ok(()) => Delivery::Done,
            Err(TrySendError::Full(event)) => Delivery::Full(event),
            Err(TrySendError::Disconnected(event)) => Delivery::Over(event),
        }
    }

    /// What there is to be seen of the session.
    pub(super) fn status(&self) -> SessionStatus {
        let summary = self.summary();
        let state = self.lock();
        let workers = state.registry.members().map(|(name, member)| WorkerStatus {
            name: name.to_owned(),
            threads: member.threads(),
            speed: member.speed().unwrap_or(0),
            units: member.units(),
            pieces: member.work.pieces,
            seconds: member.work.seconds,
            confirmed: member.work.confirmed,
            failures: member.work.failures,
            troubles: member.work.troubles,
            objection: member.shut_out.clone().or(member.objection.clone()),
        });
        SessionStatus {
            session: self.id.clone(),
            version: self.identity.version.clone(),
            kinds: (state.jobs.values())
                .map(|door| door.open.kind.clone())
                .collect(),
            // What was left of the last job was taken out of the queue with it.
            queued: match state.jobs.is_empty() {
                true => 0,
                false => state.queue.unwrap_or(0),
            },
            open: state.jobs.values().map(|door| door.units).sum(),
            workers: workers.collect(),
            summary,
        }
    }
}

/// What became of an event.
pub(super) enum Delivery {
    Done,
    /// There is no room for it now.
    Full(Event),
    /// Nobody wants it any more.
    Over(Event),
}
