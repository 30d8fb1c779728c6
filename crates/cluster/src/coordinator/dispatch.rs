//! Drives the course of one job: hands its results over, and does what it decides.

mod judges;
mod speeds;

use super::events::CoordinatorEvent;
use super::scheduler::{Command, Plan, Scheduler};
use super::session::{Event, Session};
use super::verification::Verification;
use crate::message::{JobOrder, OpenJob, Unit, UnitName};
use async_nats::jetstream;
use judges::{Halting, Judges};
use speeds::alike;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use work::{Assignment, DispatchError, Piece, Portable, Receive, Repeatable, StopSignal, Stopping};

/// How long to wait for something to happen before the receiver may do something else,
/// and so how soon a request to stop is heard.
const ATTENTION: Duration = Duration::from_millis(50);
/// Results that wait for the course of a job; the rest waits at the server.
const EVENTS: usize = 256;
/// A receiver brings what it has got to the disk within a second, if it is called with
/// nothing after that; only then is a result confirmed.
const DURABLE_AFTER: Duration = Duration::from_millis(1_500);
/// How often lost units and comparisons are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How often it is said that there are no workers, and after which time first.
const NO_WORKERS_FIRST: Duration = Duration::from_secs(5);
const NO_WORKERS_EVERY: Duration = Duration::from_secs(60);

/// Does the work of an assignment.
pub(super) fn dispatch(
    session: &Arc<Session>,
    assignment: Assignment<'_>,
    receive: &mut Receive<'_>,
) -> Result<(), DispatchError> {
    let Assignment {
        job,
        pieces,
        order,
        stopping,
        stop,
    } = assignment;
    let not_portable = || {
        let name = job.piece_name();
        DispatchError::NotPortable(format!(
            "a {name} of this kind can only be done on this \
            machine"
        ))
    };
    let portable = job.portable().ok_or_else(not_portable)?;
    let description = portable.description().map_err(DispatchError::NotPortable)?;
    let speed = match description.is_timed {
        true => Some(alike(session, stop)?),
        false => None,
    };
    let blobs = session
        .keep_blobs(&description.blobs, &|name| portable.blob(name))
        .map_err(DispatchError::NotPortable)?;
    let wants_arithmetic = description.repeatable != Repeatable::Everywhere;
    let open = OpenJob {
        job: 0,
        kind: description.kind.to_owned(),
        wants_arithmetic,
        speed,
        is_finishing: false,
    };
    let order_of_job = Arc::new(JobOrder {
        kind: description.kind.to_owned(),
        settings: description.settings,
        blobs: blobs.clone(),
    });
    let (sender, events) = sync_channel(EVENTS);
    let hashes = blobs.into_iter().map(|(_, hash)| hash).collect();
    let number = session.open_job(open, hashes, sender.clone());
    let _door = OpenDoor {
        session,
        job: number,
    };
    let is_repeatable = description.repeatable != Repeatable::Nowhere;
    let checked_one_in = is_repeatable.then_some(session.settings.checked_one_in);
    let name = UnitName {
        session: session.id.clone(),
        job: number,
        unit: 0,
        is_copy: false,
    };
    let scheduler = Scheduler::new(Plan {
        name: name.clone(),
        portable,
        piece_name: job.piece_name(),
        order,
        settings: &session.settings,
        identity: &session.identity,
        wants_arithmetic,
        secret: session.secret,
        verification: Verification::new(format!("{}.{number}", session.secret), checked_one_in),
        now: Instant::now(),
    });
    let halt = StopSignal::new();
    thread::scope(|scope| {
        let _halting = Halting(&halt);
        let drive = Drive {
            session,
            scheduler,
            name,
            order: order_of_job,
            portable,
            blobs: description.blobs,
            judges: Judges {
                job,
                halt: &halt,
                scope,
                sender,
            },
            events,
            unconfirmed: VecDeque::new(),
            looked: Instant::now(),
            lonely: Lonely::default(),
        };
        drive.run(pieces, stop, stopping, receive)
    })
}

/// Closes the door of a job when it is dropped.
struct OpenDoor<'a> {
    session: &'a Session,
    job: u64,
}

impl Drop for OpenDoor<'_> {
    fn drop(&mut self) {
        self.session.close_job(self.job);
    }
}

/// A result that is not confirmed.
struct Unconfirmed {
    message: Box<jetstream::Message>,
    /// When all of it had been handed over.
    since: Option<Instant>,
}

/// When it was last said that there are no workers.
#[derive(Default)]
struct Lonely {
    since: Option<Instant>,
    told: Option<Instant>,
}

/// How a job stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Units are given out.
    Working,
    /// What is in work is finished, since then.
    Finishing(Instant),
}

struct Drive<'scope, 'env> {
    session: &'env Arc<Session>,
    scheduler: Scheduler<'env>,
    name: UnitName,
    order: Arc<JobOrder>,
    portable: &'env dyn Portable,
    blobs: Vec<String>,
    judges: Judges<'scope, 'env>,
    events: Receiver<Event>,
    unconfirmed: VecDeque<Unconfirmed>,
    looked: Instant,
    lonely: Lonely,
}

impl Drive<'_, '_> {
    fn run(
        mut self,
        pieces: &mut (dyn Iterator<Item = Piece> + Send),
        stop: &StopSignal,
        stopping: Stopping,
        receive: &mut Receive<'_>,
    ) -> Result<(), DispatchError> {
        let driven = self.drive(pieces, stop, stopping, receive);
        let driven = driven.and_then(|()| self.settle(stop));
        if let Err(DispatchError::Withdrawn {
            worker,
            reason,
            numbers,
        }) = &driven
        {
            let again = numbers.len() as u64;
            let entry = (worker.clone(), reason.clone(), again);
            self.session.sum_up(|summary| summary.shut_out.push(entry));
            self.session.announce_soon();
            self.session.tell(CoordinatorEvent::ShutOut {
                worker: worker.clone(),
                reason: reason.clone(),
            });
        }
        let (duplicates, lost) = (self.scheduler.duplicates, self.scheduler.lost);
        self.session.sum_up(|summary| {
            summary.duplicates += duplicates;
            summary.lost += lost;
        });
        self.confirm_all();
        driven
    }

    /// Confirms everything: after the last piece, what was received belongs to the receiver.
    fn confirm_all(&mut self) {
        let messages = self.unconfirmed.drain(..).map(|entry| *entry.message);
        self.session.confirm(messages.collect());
    }

    /// Gives out and receives until everything is done or enough.
    fn drive(
        &mut self,
        pieces: &mut (dyn Iterator<Item = Piece> + Send),
        stop: &StopSignal,
        stopping: Stopping,
        receive: &mut Receive<'_>,
    ) -> Result<(), DispatchError> {
        let mut phase = Phase::Working;
        loop {
            if stop.is_stopped() && phase == Phase::Working {
                if stopping == Stopping::GiveUp {
                    return Ok(());
                }
                self.scheduler.exhaust();
                self.session.finish_job(self.name.job);
                phase = Phase::Finishing(Instant::now());
            }
            if phase == Phase::Working {
                let threads = self.session.with_registry(|registry| registry.threads());
                let commands = self.scheduler.feed(pieces, threads, Instant::now());
                self.obey(commands)?;
            }
            let is_quiet = !self.hear()?;
            if self.hand_over(is_quiet, receive).is_break() {
                return Ok(());
            }
            self.look_around()?;
            if self.scheduler.is_over() || self.is_finished(phase) {
                return Ok(());
            }
        }
    }

    /// Whether nobody works on this job any more after it was told to finish.
    fn is_finished(&self, phase: Phase) -> bool {
        let Phase::Finishing(since) = phase else {
            return false;
        };
        // Workers have heard of it, have told what they hold, and what they did has come.
        let is_told = since.elapsed() > 2 * self.session.settings.heartbeat;
        is_told
            && !self.scheduler.has_waiting()
            && !self
                .session
                .with_registry(|registry| self.scheduler.is_held(registry))
    }

    /// Waits for the comparisons that were begun: the work of a worker that is found
    /// wrong at last is void as well.
    fn settle(&mut self, stop: &StopSignal) -> Result<(), DispatchError> {
        self.scheduler.close();
        while !self.scheduler.is_settled() && !stop.is_stopped() {
            // What is not confirmed fills the server, and then nobody can answer.
            self.confirm_all();
            self.look_around_now()?;
            // Nobody is there to do these.
            self.scheduler.give_up_wanted();
            self.hear()?;
        }
        Ok(())
    }

    /// Hears what has happened; false if nothing has for a moment.
    fn hear(&mut self) -> Result<bool, DispatchError> {
        let Ok(event) = self.events.recv_timeout(ATTENTION) else {
            return Ok(false);
        };
        self.handle(event)?;
        // The rest, but not without end: results want to be handed over.
        for _ in 0..EVENTS {
            match self.events.try_recv() {
                Ok(event) => self.handle(event)?,
                Err(_) => break,
            }
        }
        Ok(true)
    }

    fn handle(&mut self, event: Event) -> Result<(), DispatchError> {
        let session = self.session;
        let commands = match event {
            Event::Result {
                worker,
                result,
                message,
            } => {
                self.unconfirmed.push_back(Unconfirmed {
                    message,
                    since: None,
                });
                session.with_registry(|registry| self.scheduler.hear(&worker, result, registry))?
            }
            Event::Garbage { worker, problem } => session.with_registry(|registry| {
                self.scheduler.hear_garbage(&worker, &problem, registry)
            })?,
            Event::Gone { worker, units } => {
                session.with_registry(|registry| self.scheduler.lose(&worker, &units, registry))?;
                Vec::new()
            }
            Event::Judged { number, judged } => {
                session.with_registry(|registry| self.scheduler.judge(number, judged, registry))?
            }
        };
        self.obey(commands)
    }

    fn obey(&mut self, commands: Vec<Command>) -> Result<(), DispatchError> {
        for command in commands {
            match command {
                Command::Publish(unit, pieces) => {
                    let bytes = self.unit(unit, false, &pieces);
                    self.session.publish(self.name.job, bytes);
                }
                Command::Ask(worker, copy, pieces) => {
                    let bytes = self.unit(copy, true, &pieces);
                    self.session.ask(&worker, bytes);
                }
                Command::Judge(piece) => self.judges.judge(piece)?,
                Command::Tell(event) => self.tell(event)?,
            }
        }
        Ok(())
    }

    fn tell(&mut self, event: CoordinatorEvent) -> Result<(), DispatchError> {
        match &event {
            CoordinatorEvent::ShutOut { worker, reason } => {
                let entry = (worker.clone(), reason.clone(), 0);
                self.session.sum_up(|summary| summary.shut_out.push(entry));
                self.session.announce_soon();
            }
            // What it did not find may really be missing.
            CoordinatorEvent::Trouble { .. } => {
                self.session.forget_blobs();
                let portable = self.portable;
                self.session
                    .keep_blobs(&self.blobs, &|name| portable.blob(name))
                    .map_err(DispatchError::NotPortable)?;
            }
            _ => {}
        }
        self.session.tell(event);
        Ok(())
    }

    fn unit(&self, unit: u64, is_copy: bool, pieces: &[Arc<Piece>]) -> Vec<u8> {
        let unit = Unit {
            name: UnitName {
                unit,
                is_copy,
                ..self.name.clone()
            },
            order: self.order.clone(),
            lease: self.session.settings.lease.as_millis() as u64,
            pieces: pieces.iter().map(|piece| Piece::clone(piece)).collect(),
        };
        unit.to_bytes()
    }

    /// Hands over what is there, and confirms what has become durable.
    fn hand_over(&mut self, is_quiet: bool, receive: &mut Receive<'_>) -> ControlFlow<()> {
        while let Some(done) = self.scheduler.next_done() {
            receive(Some(done))?;
        }
        let is_due = |entry: &Unconfirmed| {
            let since = entry.since;
            since.is_some_and(|since| since.elapsed() > DURABLE_AFTER)
        };
        if is_quiet || self.unconfirmed.front().is_some_and(is_due) {
            receive(None)?;
        }
        let mut durable = Vec::new();
        while self.unconfirmed.front().is_some_and(is_due) {
            durable.extend(self.unconfirmed.pop_front().map(|entry| *entry.message));
        }
        if !durable.is_empty() {
            self.session.confirm(durable);
        }
        // In order, a result may wait for others before it is handed over. If too many do,
        // they must make room at the server, or the one that they wait for cannot come.
        if !self.scheduler.has_waiting() || self.scheduler.is_full() {
            let now = Instant::now();
            for entry in self.unconfirmed.iter_mut().rev() {
                match entry.since {
                    None => entry.since = Some(now),
                    Some(_) => break,
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Looks for what is lost or to be compared, now and then.
    fn look_around(&mut self) -> Result<(), DispatchError> {
        match self.looked.elapsed() < LOOK_EVERY {
            true => Ok(()),
            false => self.look_around_now(),
        }
    }

    fn look_around_now(&mut self) -> Result<(), DispatchError> {
        let now = Instant::now();
        self.looked = now;
        let session = self.session;
        session.note_units(self.name.job, self.scheduler.open_units());
        let is_queue_empty = session.is_queue_empty();
        let (commands, workers) = session.with_registry(|registry| {
            let commands = self.scheduler.look_around(registry, is_queue_empty, now);
            (commands, registry.count())
        });
        self.complain_of_loneliness(workers, now);
        self.obey(commands)
    }

    fn complain_of_loneliness(&mut self, workers: usize, now: Instant) {
        if workers > 0 || !self.scheduler.wants_workers() {
            self.lonely = Lonely::default();
            return;
        }
        let since = *self.lonely.since.get_or_insert(now);
        let is_due = match self.lonely.told {
            None => now.duration_since(since) >= NO_WORKERS_FIRST,
            Some(told) => now.duration_since(told) >= NO_WORKERS_EVERY,
        };
        if is_due {
            self.lonely.told = Some(now);
            self.session.tell(CoordinatorEvent::NoWorkers);
        }
    }
}
