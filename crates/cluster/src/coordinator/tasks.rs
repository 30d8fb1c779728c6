//! What a session does all the time, beside its jobs: it tells that it lives, hears
//! workers and other sessions, brings results to jobs, and tidies up.

use super::session::{Delivery, Event, Session};
use crate::message::{self, UnitResult};
use crate::names;
use async_nats::jetstream;
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::Duration;

/// Results that are fetched at once: many, since each request takes a while on a busy
/// machine.
const BATCH: usize = 256;
/// How long a request for results waits at the server.
const EXPIRES: Duration = Duration::from_secs(30);
/// How often the server tells that it has not forgotten such a request.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// How long to wait after a failure, and for a job to have room.
const RETRY: Duration = Duration::from_millis(500);
const ROOM: Duration = Duration::from_millis(5);
/// How many heartbeats pass between two sweeps.
const SWEEP_EVERY: u32 = 20;

/// Starts everything; it ends with the runtime.
pub(super) fn start(session: &Arc<Session>) {
    let handle = &session.handle;
    handle.spawn(live(session.clone()));
    handle.spawn(hear_workers(session.clone()));
    handle.spawn(hear_sessions(session.clone()));
    handle.spawn(answer_pings(session.clone()));
    handle.spawn(fetch_results(session.clone()));
}

async fn live(session: Arc<Session>) {
    let mut ticks = tokio::time::interval(session.settings.heartbeat);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    for beat in 1_u32.. {
        ticks.tick().await;
        session.announce().await;
        session.look_for_silent();
        session.look_at_queue().await;
        // Not at once: others have to be heard of first.
        if beat.is_multiple_of(SWEEP_EVERY) {
            session.sweep().await;
        }
    }
}

async fn hear_workers(session: Arc<Session>) {
    let client = &session.connection.client;
    while let Ok(mut heard) = client.subscribe(names::ALL_WORKERS).await {
        // Those who are there answer at once.
        let _ = client.publish(names::PING, "".into()).await;
        while let Some(message) = heard.next().await {
            let heartbeat = message::from_json(&message.payload);
            if let (Some(name), Ok(heartbeat)) = (names::part(&message.subject, 2), heartbeat) {
                session.hear_worker(name, heartbeat);
            }
        }
    }
}

async fn hear_sessions(session: Arc<Session>) {
    let client = &session.connection.client;
    while let Ok(mut heard) = client.subscribe(names::ALL_SESSIONS).await {
        while let Some(message) = heard.next().await {
            let announcement = message::from_json(&message.payload);
            if let (Some(id), Ok(announcement)) = (names::part(&message.subject, 2), announcement) {
                session.hear_session(id, announcement);
            }
        }
    }
}

async fn answer_pings(session: Arc<Session>) {
    let client = &session.connection.client;
    while let Ok(mut pings) = client.subscribe(names::PING).await {
        while pings.next().await.is_some() {
            let status = message::to_json(&session.status());
            let _ = client
                .publish(names::overview(&session.id), status.into())
                .await;
        }
    }
}

/// Fetches results as fast as jobs take them, and no faster.
async fn fetch_results(session: Arc<Session>) {
    loop {
        if let Ok(consumer) = session.results().await {
            let messages = consumer
                .stream()
                .max_messages_per_batch(BATCH)
                .expires(EXPIRES)
                .heartbeat(HEARTBEAT)
                .messages()
                .await;
            if let Ok(mut messages) = messages {
                while let Some(Ok(message)) = messages.next().await {
                    deliver(&session, message).await;
                }
            }
        }
        tokio::time::sleep(RETRY).await;
        // The server may have lost everything.
        let _ = session.ensure().await;
    }
}

/// Whether the worker in the subject has sent it, and not the server, which answers where
/// the requests of another worker tell it to.
fn is_by_worker(message: &jetstream::Message) -> bool {
    let headers = message.headers.as_ref();
    headers.is_some_and(|headers| headers.get(names::BY_WORKER).is_some())
}

async fn deliver(session: &Session, message: jetstream::Message) {
    let Some(worker) = names::part(&message.subject, 2).map(str::to_owned) else {
        return;
    };
    let result = match UnitResult::from_bytes(&message.payload) {
        Ok(result) if result.name.session == session.id => result,
        other => {
            let problem = other.err().unwrap_or_else(|| "it is for others".to_owned());
            if is_by_worker(&message) {
                session.send_to_all(&|| Event::Garbage {
                    worker: worker.clone(),
                    problem: problem.clone(),
                });
            }
            let _ = message.ack().await;
            return;
        }
    };
    let job = result.name.job;
    let mut event = Event::Result {
        worker,
        result,
        message: Box::new(message),
    };
    loop {
        match session.deliver(job, event) {
            Delivery::Done => return,
            Delivery::Full(again) => event = again,
            Delivery::Over(over) => {
                if let Event::Result { message, .. } = over {
                    let _ = message.ack().await;
                }
                return;
            }
        }
        tokio::time::sleep(ROOM).await;
    }
}
