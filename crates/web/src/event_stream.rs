//! The event stream (server-sent events) of everything live: changes in the folder, and
//! results of running searches.
//!
//! A reader that is too slow misses events and is told to ask for everything again. It must
//! not know where events come from.

use crate::answer::Problem;
use crate::search_results::SearchUpdate;
use crate::summaries::{Progress, WorkSummary};
use axum::Router;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use serde::Serialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::broadcast;
use tokio_stream::wrappers::BroadcastStream;
use tokio_stream::{Stream, StreamExt};

/// Events that a slow reader may be behind.
const BACKLOG: usize = 256;
/// Readers at once.
const MOST_READERS: usize = 512;

/// An event.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "news", rename_all = "lowercase")]
pub(crate) enum ServerEvent {
    /// Some work is new, or changed.
    Work {
        /// What it is now.
        item: Box<WorkSummary>,
    },
    /// Some work is gone.
    Gone {
        /// Which one.
        id: String,
    },
    /// A running step went on.
    Progress {
        /// Of which work.
        id: String,
        /// How far it is.
        progress: Progress,
    },
    /// The coordinator of a cluster has noted how it stands.
    Cluster {
        /// For which work.
        id: String,
    },
    /// A player thinks.
    Thought {
        /// What.
        thought: Box<SearchUpdate>,
    },
    /// Something was missed: ask for everything again.
    Refresh,
}

/// The stream to which events are sent, as text that is serialised once for all readers.
pub(crate) struct EventStream {
    sender: broadcast::Sender<Arc<str>>,
    readers: AtomicUsize,
}

impl Default for EventStream {
    fn default() -> EventStream {
        EventStream {
            sender: broadcast::channel(BACKLOG).0,
            readers: AtomicUsize::new(0),
        }
    }
}

impl EventStream {
    /// Sends an event to all readers.
    pub(crate) fn send(&self, event: &ServerEvent) {
        if self.sender.receiver_count() > 0 {
            let text = serde_json::to_string(event).unwrap_or_default();
            // Nobody may read any more.
            let _ = self.sender.send(text.into());
        }
    }
}

/// A reader, who is counted as long as the connection lives.
struct Reader(Arc<EventStream>);

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.readers.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn stream(
    State(events): State<Arc<EventStream>>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let before = events.readers.fetch_add(1, Ordering::Relaxed);
    let reader = Reader(Arc::clone(&events));
    if before >= MOST_READERS {
        return Err(Problem::busy("too many pages are open"));
    }
    let refresh: Arc<str> = serde_json::to_string(&ServerEvent::Refresh)
        .unwrap_or_default()
        .into();
    let receiver = BroadcastStream::new(events.sender.subscribe());
    let first = tokio_stream::once(Arc::clone(&refresh));
    let rest = receiver.map(move |heard| heard.unwrap_or_else(|_| Arc::clone(&refresh)));
    let events = first.chain(rest).map(move |text| {
        let _ = &reader;
        Ok(Event::default().data(&*text))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

/// The stream.
pub(crate) fn routes(events: Arc<EventStream>) -> Router {
    Router::new()
        .route("/stream", get(stream))
        .with_state(events)
}
