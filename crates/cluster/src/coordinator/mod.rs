//! The side that distributes work: the dispatcher, and what it knows of its workers.
//!
//! - `session` is one coordinator's session with a server, `tasks` its background tasks;
//! - `dispatch` drives a job, `scheduler` is the state machine that decides what happens in it;
//! - `units` are the pieces that were given out, `sizing` says how many go together;
//! - `registry` has the workers, `verification` compares their results;
//! - `events` are what happens, `status` is the state of a cluster, both for display.

mod dispatch;
mod events;
mod registry;
mod scheduler;
mod session;
mod sizing;
mod status;
mod tasks;
mod units;
mod verification;

pub use events::{CoordinatorEvent, Summary};
pub(crate) use session::by_chance;
pub use status::{SessionStatus, Status, WorkerStatus, status};

use crate::connection::Access;
use crate::error::ClusterError;
use crate::identity::Identity;
use crate::settings::Settings;
use session::Session;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;
use work::{Assignment, DispatchError, Dispatcher, Receive};

/// How long saying goodbye may take.
const GOODBYE: Duration = Duration::from_secs(5);

/// The dispatcher for the workers of a group.
pub struct Coordinator {
    session: Arc<Session>,
    runtime: Option<Runtime>,
}

impl Coordinator {
    /// Connects to the server of a group. What happens from then on goes to `listen`,
    /// from any thread.
    ///
    /// # Errors
    /// If the server cannot be reached, or does not let us.
    pub fn connect(
        access: &Access,
        identity: Identity,
        settings: Settings,
        listen: impl Fn(CoordinatorEvent) + Send + Sync + 'static,
    ) -> Result<Coordinator, ClusterError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("cluster")
            .enable_all()
            .build()
            .map_err(ClusterError::Threads)?;
        let listener = Arc::new(listen);
        let session = runtime.block_on(Session::open(access, identity, settings, listener))?;
        tasks::start(&session);
        Ok(Coordinator {
            session,
            runtime: Some(runtime),
        })
    }

    /// What a user should know of the server's version.
    pub fn server_warning(&self) -> Option<String> {
        self.session.connection.version.warning()
    }

    /// How things stand.
    pub fn status(&self) -> SessionStatus {
        self.session.status()
    }

    /// What came of it so far.
    pub fn summary(&self) -> Summary {
        self.session.summary()
    }
}

impl Dispatcher for Coordinator {
    /// The threads of all workers; one if nobody is there.
    fn at_once(&self) -> usize {
        let threads = self.session.with_registry(|registry| registry.threads());
        threads.max(1)
    }

    fn dispatch(
        &self,
        assignment: Assignment<'_>,
        receive: &mut Receive<'_>,
    ) -> Result<(), DispatchError> {
        dispatch::dispatch(&self.session, assignment, receive)
    }

    /// Who was banned.
    fn take_remarks(&self) -> Vec<String> {
        let shut_out = self.session.take_shut_out();
        let words = shut_out.into_iter().map(|(worker, reason, again)| {
            format!(
                "The worker {worker} was banned ({reason}); {again} of its results had been used; \
                 they were discarded and recomputed."
            )
        });
        words.collect()
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            let goodbye = async { tokio::time::timeout(GOODBYE, self.session.leave()).await };
            let _ = runtime.block_on(goodbye);
            runtime.shutdown_background();
        }
    }
}
