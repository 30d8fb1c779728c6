//! What a session has at the server: streams, consumers and blobs.

use super::Session;
use crate::blobs::try_smaller;
use crate::error::ClusterError;
use crate::names;
use async_nats::jetstream;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::stream;
use std::time::Duration;

/// Units and results that wait take no more of the server's disk.
const WORK_BYTES: u64 = 1 << 30;
/// The server forgets what a session has left behind after so long.
const INACTIVE: Duration = Duration::from_secs(24 * 3600);
/// More pulls than workers can ever make at once.
const MOST_PULLS: i64 = 1 << 16;
/// More units than can ever be in work at once.
const MOST_LEASES: i64 = 1 << 17;
/// Results that may be in our hands at once without being confirmed.
const MOST_UNCONFIRMED: i64 = 1 << 14;
/// How long a result may be in our hands before the server sends it again.
const CONFIRMED_AFTER: Duration = Duration::from_secs(120);
/// A session that was not heard of for so long is over.
const SESSION_PATIENCE: Duration = Duration::from_secs(60);

impl Session {
    /// Makes the streams and consumers that are missing.
    pub(in crate::coordinator) async fn ensure(&self) -> Result<(), ClusterError> {
        let work = self
            .stream(names::WORK_STREAM, names::WORK_SUBJECTS, WORK_BYTES)
            .await?;
        let bytes = self.settings.result_bytes;
        let results = self
            .stream(names::RESULT_STREAM, names::RESULT_SUBJECTS, bytes)
            .await?;
        let consumer = pull::Config {
            durable_name: Some(self.id.clone()),
            filter_subject: names::all_work(&self.id),
            ack_wait: self.settings.lease,
            max_ack_pending: MOST_LEASES,
            max_waiting: MOST_PULLS,
            inactive_threshold: INACTIVE,
            ..Default::default()
        };
        work.get_or_create_consumer(&self.id, consumer)
            .await
            .map_err(|error| ClusterError::refused("make the queue of this session", error))?;
        self.results_of(&results).await.map(drop)
    }

    /// A stream of messages that each go to one reader; made if it is missing.
    async fn stream(
        &self,
        name: &str,
        subjects: &str,
        most_bytes: u64,
    ) -> Result<stream::Stream, ClusterError> {
        let mut bytes = most_bytes as i64;
        loop {
            let config = stream::Config {
                name: name.to_owned(),
                subjects: vec![subjects.to_owned()],
                retention: stream::RetentionPolicy::WorkQueue,
                discard: stream::DiscardPolicy::New,
                max_bytes: bytes,
                num_replicas: 1,
                ..Default::default()
            };
            let made = self.connection.jetstream.get_or_create_stream(config).await;
            let error = match made {
                Ok(stream) => return Ok(stream),
                Err(error) => ClusterError::refused(format!("make the stream {name}"), error),
            };
            if !try_smaller(&error, &mut bytes) {
                return Err(error);
            }
        }
    }

    async fn results_of(
        &self,
        stream: &stream::Stream,
    ) -> Result<jetstream::consumer::PullConsumer, ClusterError> {
        let consumer = pull::Config {
            durable_name: Some(self.id.clone()),
            filter_subject: names::all_results(&self.id),
            ack_wait: CONFIRMED_AFTER,
            max_ack_pending: MOST_UNCONFIRMED,
            inactive_threshold: INACTIVE,
            ..Default::default()
        };
        stream
            .get_or_create_consumer(&self.id, consumer)
            .await
            .map_err(|error| ClusterError::refused("make the results of this session", error))
    }

    /// The consumer of this session's results.
    pub(in crate::coordinator) async fn results(
        &self,
    ) -> Result<jetstream::consumer::PullConsumer, ClusterError> {
        let stream = self
            .connection
            .jetstream
            .get_stream(names::RESULT_STREAM)
            .await
            .map_err(|error| ClusterError::refused("find the stream of results", error))?;
        self.results_of(&stream).await
    }

    /// Asks the server how many units wait.
    pub(in crate::coordinator) async fn look_at_queue(&self) {
        let jetstream = &self.connection.jetstream;
        let queue = match jetstream.get_stream_no_info(names::WORK_STREAM).await {
            Ok(stream) => stream.consumer_info(&self.id).await.ok(),
            Err(_) => None,
        };
        self.lock().queue = queue.map(|info| info.num_pending);
    }

    /// Removes what sessions have left behind that are no more, and blobs that nobody
    /// needs.
    pub(in crate::coordinator) async fn sweep(&self) {
        let (known, needed) = {
            let mut state = self.lock();
            state
                .neighbours
                .retain(|_, (heard, _)| heard.elapsed() < SESSION_PATIENCE);
            let known: Vec<String> = state.neighbours.keys().cloned().collect();
            let theirs = state
                .neighbours
                .values()
                .flat_map(|(_, blobs)| blobs.clone());
            let mut needed: Vec<String> = theirs.collect();
            needed.extend(state.blobs.values().cloned());
            (known, needed)
        };
        for name in [names::WORK_STREAM, names::RESULT_STREAM] {
            let Ok(stream) = self.connection.jetstream.get_stream(name).await else {
                continue;
            };
            if name == names::RESULT_STREAM {
                // A worker can direct units here, where nobody reads them.
                let _ = stream.purge().filter(names::all_work(&self.id)).await;
            }
            for id in sessions_in(&stream).await {
                if id != self.id && !known.contains(&id) {
                    clear(&stream, &id).await;
                }
            }
        }
        let is_needed = |name: &str| needed.iter().any(|needed| needed == name);
        self.store.sweep_old(&is_needed).await;
    }

    /// Says goodbye and removes everything of the session.
    pub(in crate::coordinator) async fn leave(&self) {
        self.lock().is_leaving = true;
        self.announce().await;
        let _ = self.connection.client.flush().await;
        for name in [names::WORK_STREAM, names::RESULT_STREAM] {
            if let Ok(stream) = self.connection.jetstream.get_stream(name).await {
                clear(&stream, &self.id).await;
            }
        }
        let needed: Vec<String> = {
            let state = self.lock();
            let neighbours = state.neighbours.values();
            neighbours.flat_map(|(_, blobs)| blobs.clone()).collect()
        };
        let mine: Vec<String> = self.lock().blobs.values().cloned().collect();
        let is_needed = |name: &str| {
            needed.iter().any(|needed| needed == name) || !mine.iter().any(|own| own == name)
        };
        self.store.sweep(&is_needed, Duration::ZERO).await;
    }

    /// Takes what nobody has begun out of the queue.
    pub(super) fn purge(&self, job: u64) {
        let jetstream = self.connection.jetstream.clone();
        let subject = names::work(&self.id, job);
        self.handle.spawn(async move {
            if let Ok(stream) = jetstream.get_stream_no_info(names::WORK_STREAM).await {
                let _ = stream.purge().filter(subject).await;
            }
        });
    }
}

/// The sessions that have consumers or messages in a stream.
async fn sessions_in(stream: &stream::Stream) -> Vec<String> {
    use futures_util::TryStreamExt;
    let mut sessions: Vec<String> = stream
        .consumer_names()
        .try_collect()
        .await
        .unwrap_or_default();
    if let Ok(mut subjects) = stream.info_with_subjects(">").await {
        while let Ok(Some((subject, _))) = subjects.try_next().await {
            // tabia.work.SESSION.JOB, tabia.result.WORKER.SESSION
            let place = match subject.starts_with("tabia.work.") {
                true => 2,
                false => 3,
            };
            sessions.extend(names::part(&subject, place).map(str::to_owned));
        }
    }
    sessions.sort();
    sessions.dedup();
    sessions
}

/// Removes the consumer and the messages of a session.
async fn clear(stream: &stream::Stream, id: &str) {
    // What cannot be removed now is removed by the next session.
    let _ = stream.delete_consumer(id).await;
    for subject in [names::all_work(id), names::all_results(id)] {
        let _ = stream.purge().filter(subject).await;
    }
}
