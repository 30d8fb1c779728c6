//! Takes one unit after the other and sees it through.

use super::delivery::deliver;
use super::executor::{Control, Executor, Reported, Task};
use super::sessions::Wish;
use super::{Shared, WorkerEvent};
use crate::message::{Remark, Report, Unit};
use crate::names;
use async_nats::jetstream::{self, AckKind};
use async_nats::{Client, StatusCode, Subscriber};
use futures_util::StreamExt;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::Instant;

/// How long a request for a unit waits at the server; not long if others have work.
const PULL: Duration = Duration::from_secs(5);
const SHORT_PULL: Duration = Duration::from_millis(500);
/// How long to wait if the server refuses such a request.
const REFUSED: Duration = Duration::from_millis(500);
/// Results are handed in after so long, even if the unit is not done.
const PART_EVERY: Duration = Duration::from_secs(5);
/// Or when they are so many bytes.
const PART_BYTES: usize = 512 << 10;
/// How often it is looked at what the coordinator wants.
const ATTENTION: Duration = Duration::from_millis(200);
/// How long to wait after a trouble of this machine.
const RECOVERY: Duration = Duration::from_secs(5);

/// Works until the worker is told to stop.
pub(super) async fn run(shared: Arc<Shared>, number: usize) {
    let mut slot = Slot::new(shared, number);
    while let Some(taken) = slot.next().await {
        slot.see_through(taken).await;
    }
}

/// Does the units that somebody asks for, beside all others: there are few of them, and
/// a coordinator may wait for nothing else.
pub(super) async fn run_asked(shared: Arc<Shared>, number: usize) {
    let mut slot = Slot::new(shared, number);
    while !slot.shared.stop.is_stopped() {
        match slot.shared.leases.take_asked() {
            Some(unit) => slot.see_through(Taken { unit, lease: None }).await,
            None => slot.shared.leases.wait().await,
        }
    }
}

struct Slot {
    shared: Arc<Shared>,
    number: usize,
    /// Where units come.
    inbox: Option<(String, Subscriber)>,
    /// The session that was asked last, and whether it had work.
    last: Option<(String, bool)>,
    executor: Option<Executor>,
    /// The kind of the last job.
    kind: Option<String>,
    is_idle: bool,
}

/// A unit, and the message that leases it; none if somebody asked for it.
struct Taken {
    unit: Unit,
    lease: Option<jetstream::Message>,
}

impl Slot {
    fn new(shared: Arc<Shared>, number: usize) -> Slot {
        Slot {
            shared,
            number,
            inbox: None,
            last: None,
            executor: None,
            kind: None,
            is_idle: false,
        }
    }

    /// The next unit; none if the worker is to stop.
    async fn next(&mut self) -> Option<Taken> {
        loop {
            if self.shared.stop.is_stopped() {
                return None;
            }
            let Some(session) = self.shared.sessions.choose(self.last.as_ref()) else {
                self.be_idle();
                self.shared.sessions.change().await;
                continue;
            };
            let message = self.pull(&session).await;
            self.last = Some((session, message.is_some()));
            let Some(message) = message else { continue };
            match Unit::from_bytes(&message.payload) {
                Ok(unit) => {
                    self.shared.leases.take(&unit.name);
                    let lease = Some(message);
                    return Some(Taken { unit, lease });
                }
                Err(problem) => {
                    // No worker can do it, so nobody should get it again.
                    let _ = message.ack_with(AckKind::Term).await;
                    let words = format!("a unit that cannot be read: {problem}");
                    self.shared.tell(WorkerEvent::Trouble(words));
                }
            }
        }
    }

    fn be_idle(&mut self) {
        // One slot speaks for all.
        if self.number == 0 && !self.is_idle {
            self.is_idle = true;
            self.shared.tell(WorkerEvent::Idle);
        }
        self.kind = None;
    }

    /// Asks for a unit of a session; none if there is none for a while.
    async fn pull(&mut self, session: &str) -> Option<jetstream::Message> {
        let client = self.shared.connection.client.clone();
        if self.inbox.is_none() {
            self.inbox = open_inbox(&client).await;
        }
        let Some((inbox, subscriber)) = &mut self.inbox else {
            tokio::time::sleep(REFUSED).await;
            return None;
        };
        let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{}.{session}", names::WORK_STREAM);
        let patience = match self.shared.sessions.are_several() {
            true => SHORT_PULL,
            false => PULL,
        };
        let request = format!("{{\"batch\":1,\"expires\":{}}}", patience.as_nanos());
        let sent = client.publish_with_reply(subject, inbox.clone(), request.into());
        if sent.await.is_err() {
            tokio::time::sleep(REFUSED).await;
            return None;
        }
        let end = Instant::now() + patience + REFUSED;
        let received = tokio::select! {
            received = tokio::time::timeout_at(end, subscriber.next()) => received,
            () = stopped(&self.shared) => return None,
        };
        let message = match received {
            Err(_) => return None,
            Ok(None) => {
                self.inbox = None;
                return None;
            }
            Ok(Some(message)) => message,
        };
        // What the queue holds has somewhere to be confirmed. It may look like a refusal, if
        // a worker directed one there, and would come again and again if it were taken for one.
        let is_of_queue = message.reply.is_some();
        match message.status.filter(|_| !is_of_queue) {
            None => {
                let context = self.shared.connection.jetstream.clone();
                Some(jetstream::Message { message, context })
            }
            // Nothing came in time.
            Some(StatusCode::NOT_FOUND | StatusCode::TIMEOUT) => None,
            // A refusal, perhaps of an earlier request.
            Some(_) => {
                tokio::time::sleep(REFUSED).await;
                None
            }
        }
    }

    /// Does a unit, hands in its results and gives the lease back.
    async fn see_through(&mut self, taken: Taken) {
        let shared = self.shared.clone();
        let Taken { unit, lease } = taken;
        let name = unit.name.clone();
        shared.changed.notify_one();
        let lease = lease.map(Arc::new);
        let heart = lease.clone().map(|lease| {
            let period = Duration::from_millis((unit.lease / 3).clamp(50, 60_000));
            tokio::spawn(keep(lease, period))
        });
        let is_delivered = self.work(unit).await;
        if let Some(heart) = heart {
            heart.abort();
        }
        if let Some(lease) = lease {
            let kind = match is_delivered {
                true => AckKind::Ack,
                // Nobody has anything of it: somebody else should do it.
                false => AckKind::Nak(None),
            };
            // If that gets lost, it is done again, and its result ignored.
            let _ = lease.ack_with(kind).await;
        }
        shared.leases.put_down(&name);
        shared.changed.notify_one();
    }

    /// Does the pieces of a unit; whether the coordinator need not wait for more.
    async fn work(&mut self, unit: Unit) -> bool {
        let shared = self.shared.clone();
        if shared.sessions.wish(&unit.name) == Wish::GiveUp {
            return true;
        }
        let job = match shared.jobs.get(&unit.order).await {
            Ok(job) => job,
            Err(error) => return self.complain(&unit, error.to_string()).await,
        };
        self.begin(&unit.order.kind);
        if !self
            .executor
            .as_ref()
            .is_some_and(|executor| executor.is_for(&job))
        {
            match Executor::new(job, self.number) {
                Ok(executor) => self.executor = Some(executor),
                Err(error) => return self.complain(&unit, error.to_string()).await,
            }
        }
        let Some(executor) = &self.executor else {
            return false;
        };
        let control = Control::default();
        let (sender, reports) = unbounded_channel();
        executor.give(Task {
            pieces: unit.pieces.clone(),
            control: control.clone(),
            reports: sender,
        });
        gather(&shared, &unit, &control, reports).await
    }

    fn begin(&mut self, kind: &str) {
        self.is_idle = false;
        if self.number == 0 && self.kind.as_deref() != Some(kind) {
            self.kind = Some(kind.to_owned());
            let kind = kind.to_owned();
            self.shared.tell(WorkerEvent::Began { kind });
        }
    }

    /// This machine cannot do the unit: somebody else should.
    async fn complain(&self, unit: &Unit, problem: String) -> bool {
        self.shared.tell(WorkerEvent::Trouble(problem.clone()));
        let remark = Remark::Trouble(problem);
        let is_delivered = deliver(&self.shared, &unit.name, 0.0, remark, Vec::new()).await;
        tokio::select! {
            () = tokio::time::sleep(RECOVERY) => {}
            () = stopped(&self.shared) => {}
        }
        is_delivered
    }
}

async fn open_inbox(client: &Client) -> Option<(String, Subscriber)> {
    let inbox = client.new_inbox();
    let subscriber = client.subscribe(inbox.clone()).await.ok()?;
    Some((inbox, subscriber))
}

/// Waits until the worker is to stop.
async fn stopped(shared: &Shared) {
    while !shared.stop.is_stopped() {
        tokio::time::sleep(ATTENTION).await;
    }
}

/// Keeps a lease as long as it is not aborted.
async fn keep(lease: Arc<jetstream::Message>, period: Duration) {
    loop {
        tokio::time::sleep(period).await;
        let _ = lease.ack_with(AckKind::Progress).await;
    }
}

/// Reports that are not handed in yet.
#[derive(Default)]
struct Part {
    reports: Vec<(u64, Report)>,
    bytes: usize,
    seconds: f64,
}

impl Part {
    fn add(&mut self, reported: Reported) {
        let Reported {
            number,
            report,
            seconds,
        } = reported;
        if let Report::Done(bytes) | Report::Failed(bytes) = &report {
            self.bytes += bytes.len();
        }
        self.seconds += seconds;
        self.reports.push((number, report));
    }
}

/// Gathers the reports of a unit and hands them in, part by part. Whether the
/// coordinator need not wait for more.
async fn gather(
    shared: &Shared,
    unit: &Unit,
    control: &Control,
    mut reports: UnboundedReceiver<Reported>,
) -> bool {
    let name = &unit.name;
    let mut missing: HashSet<u64> = unit.pieces.iter().map(|piece| piece.number).collect();
    let mut part = Part::default();
    let mut handed_in = Instant::now();
    loop {
        match tokio::time::timeout(ATTENTION, reports.recv()).await {
            Ok(Some(reported)) => {
                missing.remove(&reported.number);
                shared.pieces.fetch_add(1, Ordering::Relaxed);
                part.add(reported);
            }
            Ok(None) => break,
            Err(_) => {}
        }
        match shared.sessions.wish(name) {
            Wish::Work if shared.stop.is_stopped() => control.give_up(),
            Wish::Work => {}
            Wish::Finish => control.finish(),
            Wish::GiveUp => {
                control.give_up();
                return true;
            }
        }
        let is_due = part.bytes >= PART_BYTES
            || !part.reports.is_empty() && handed_in.elapsed() >= PART_EVERY;
        if is_due {
            let Part {
                reports, seconds, ..
            } = std::mem::take(&mut part);
            if !deliver(shared, name, seconds, Remark::More, reports).await {
                control.give_up();
                return false;
            }
            handed_in = Instant::now();
        }
    }
    let returned = missing.into_iter().map(|number| (number, Report::Returned));
    part.reports.extend(returned);
    deliver(shared, name, part.seconds, Remark::Last, part.reports).await
}
