//! One stream of events for everything live: what changes in the folder, and what players
//! think.
//!
//! A reader that is too slow misses events and is told to ask for everything again. It must
//! not know where events come from.

use crate::answer::Problem;
use crate::items::{Item, Progress};
use crate::thoughts::Thought;
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

/// What is told.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "news", rename_all = "lowercase")]
pub(crate) enum News {
    /// Some work is new, or changed.
    Work {
        /// What it is now.
        item: Box<Item>,
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
        thought: Box<Thought>,
    },
    /// Something was missed: ask for everything again.
    Refresh,
}

/// Where events are told, as text that is made once for all readers.
pub(crate) struct Channel {
    sender: broadcast::Sender<Arc<str>>,
    readers: AtomicUsize,
}

impl Default for Channel {
    fn default() -> Channel {
        Channel {
            sender: broadcast::channel(BACKLOG).0,
            readers: AtomicUsize::new(0),
        }
    }
}

impl Channel {
    /// Tells all who read.
    pub(crate) fn tell(&self, news: &News) {
        if self.sender.receiver_count() > 0 {
            let text = serde_json::to_string(news).unwrap_or_default();
            // Nobody may read any more.
            let _ = self.sender.send(text.into());
        }
    }
}

/// A reader, who is counted as long as the connection lives.
struct Reader(Arc<Channel>);

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.readers.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn stream(
    State(channel): State<Arc<Channel>>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let before = channel.readers.fetch_add(1, Ordering::Relaxed);
    let reader = Reader(Arc::clone(&channel));
    if before >= MOST_READERS {
        return Err(Problem::busy("too many pages are open"));
    }
    let refresh: Arc<str> = serde_json::to_string(&News::Refresh)
        .unwrap_or_default()
        .into();
    let receiver = BroadcastStream::new(channel.sender.subscribe());
    let first = tokio_stream::once(Arc::clone(&refresh));
    let rest = receiver.map(move |heard| heard.unwrap_or_else(|_| Arc::clone(&refresh)));
    let events = first.chain(rest).map(move |text| {
        let _ = &reader;
        Ok(Event::default().data(&*text))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

/// The stream.
pub(crate) fn questions(channel: Arc<Channel>) -> Router {
    Router::new()
        .route("/stream", get(stream))
        .with_state(channel)
}
