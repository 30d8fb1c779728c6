//! Jobs made from their descriptions. The last few are kept, since units of one job
//! come one after the other.

use crate::blobs::{BlobError, Cache, hash};
use crate::connection::Connection;
use crate::message::JobOrder;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::Mutex;
use work::{Blobs, BoxedJob, Kind};

/// Jobs that are kept: models take memory.
const MOST_JOBS: usize = 2;

pub(super) struct Jobs {
    kinds: Vec<Kind>,
    cache: Cache,
    connection: Connection,
    /// The youngest last, by the hash of their order.
    made: Mutex<VecDeque<(String, Arc<BoxedJob>)>>,
}

/// Why a worker has no job: it is the machine or the server that is to blame.
#[derive(Debug, thiserror::Error)]
pub(super) enum JobError {
    #[error(transparent)]
    Blob(#[from] BlobError),
    #[error("it does not know jobs of the kind '{0}'")]
    Kind(String),
    #[error("it cannot create the job: {0}")]
    Make(String),
}

impl Jobs {
    pub(super) fn new(kinds: Vec<Kind>, cache: Cache, connection: Connection) -> Jobs {
        Jobs {
            kinds,
            cache,
            connection,
            made: Mutex::default(),
        }
    }

    /// The job of an order. Of several who ask at once, one makes it.
    pub(super) async fn get(&self, order: &JobOrder) -> Result<Arc<BoxedJob>, JobError> {
        let text = serde_json::to_vec(order).map_err(|error| JobError::Make(error.to_string()))?;
        let key = hash(&text);
        let mut made = self.made.lock().await;
        if let Some((_, job)) = made.iter().find(|(other, _)| *other == key) {
            return Ok(job.clone());
        }
        let job = Arc::new(self.make(order).await?);
        if made.len() >= MOST_JOBS {
            made.pop_front();
        }
        made.push_back((key, job.clone()));
        Ok(job)
    }

    async fn make(&self, order: &JobOrder) -> Result<BoxedJob, JobError> {
        let kind = self.kinds.iter().find(|kind| kind.name == order.kind);
        let kind = *kind.ok_or_else(|| JobError::Kind(order.kind.clone()))?;
        let mut blobs = Blobs::new();
        for (name, hash) in &order.blobs {
            let blob = self.cache.get(&self.connection, hash).await?;
            blobs.insert(name.clone(), blob);
        }
        let settings = order.settings.clone();
        // A large model takes its time, and heartbeats must not wait for it.
        let made = tokio::task::spawn_blocking(move || (kind.make)(&settings, &blobs)).await;
        match made {
            Ok(made) => made.map_err(JobError::Make),
            Err(error) => Err(JobError::Make(error.to_string())),
        }
    }
}
