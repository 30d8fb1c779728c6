//! Hands in results until the server has them: a server that is gone, or full because
//! the coordinator is slow, makes the worker wait.

use super::Shared;
use super::sessions::Wish;
use crate::message::{Remark, Report, UnitName, UnitResult};
use crate::names;
use async_nats::HeaderMap;
use std::time::Duration;
use tokio::time::Instant;

/// Waits between two attempts, the first and the longest.
const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// How long it goes on after it was told to stop.
const LAST_ATTEMPTS: Duration = Duration::from_secs(5);

/// Hands in what was made of a unit; whether the server has it.
pub(super) async fn deliver(
    shared: &Shared,
    name: &UnitName,
    seconds: f64,
    remark: Remark,
    reports: Vec<(u64, Report)>,
) -> bool {
    let mut result = UnitResult {
        name: name.clone(),
        identity: shared.identity.clone(),
        seconds,
        remark,
        reports,
    };
    let mut bytes = result.to_bytes();
    let most = shared.connection.client.max_payload();
    if bytes.len() > most {
        let words = format!(
            "its result has {} bytes, but the NATS server accepts at most {most}: raise \
             max_payload",
            bytes.len()
        );
        for (_, report) in &mut result.reports {
            *report = Report::Failed(words.clone().into_bytes());
        }
        bytes = result.to_bytes();
    }
    publish(shared, name, bytes.into()).await
}

async fn publish(shared: &Shared, name: &UnitName, bytes: bytes::Bytes) -> bool {
    let subject = names::result(&shared.name, &name.session);
    let mut headers = HeaderMap::new();
    headers.insert(names::BY_WORKER, shared.name.as_str());
    let mut wait = FIRST_WAIT;
    let mut stopped: Option<Instant> = None;
    loop {
        let jetstream = &shared.connection.jetstream;
        let sent = jetstream.publish_with_headers(subject.clone(), headers.clone(), bytes.clone());
        if let Ok(sent) = sent.await
            && sent.await.is_ok()
        {
            return true;
        }
        if shared.sessions.wish(name) == Wish::GiveUp {
            return false;
        }
        if shared.stop.is_stopped() {
            let since = *stopped.get_or_insert_with(Instant::now);
            if since.elapsed() > LAST_ATTEMPTS {
                return false;
            }
        }
        tokio::time::sleep(wait).await;
        wait = (2 * wait).min(LONGEST_WAIT);
    }
}
