//! Writes the status of the cluster into the folder that it works for, for the page and others.

use super::dispatcher::WorkDispatcher;
use cluster::{Coordinator, SessionStatus, WorkerStatus};
use jiff::Timestamp;
use lab::cluster_status::{ClusterStatus, Worker};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

/// How often it is noted.
const INTERVAL: Duration = Duration::from_secs(3);

/// Ends the thread that notes, also if the work panics.
struct Ending<'a>(&'a AtomicBool, Thread);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
        self.1.unpark();
    }
}

impl WorkDispatcher {
    /// Does some work. If a cluster does it, who is there and what each has done is noted
    /// in the folder all along.
    pub(crate) fn noting<T>(&self, folder: &Path, work: impl FnOnce() -> T) -> T {
        let WorkDispatcher::Elsewhere(coordinator, _) = self else {
            return work();
        };
        let is_ended = AtomicBool::new(false);
        thread::scope(|scope| {
            let noting = scope.spawn(|| note_until(&is_ended, coordinator, folder));
            let _ending = Ending(&is_ended, noting.thread().clone());
            work()
        })
    }
}

fn note_until(is_ended: &AtomicBool, coordinator: &Coordinator, folder: &Path) {
    let begun = Timestamp::now();
    loop {
        let ended = is_ended.load(Ordering::Acquire);
        let noted = cluster_status(coordinator.status(), begun, ended).note(folder);
        // A note that cannot be written is missed, but must not end the work; nobody would
        // read a warning every few seconds.
        drop(noted);
        if ended {
            return;
        }
        thread::park_timeout(INTERVAL);
    }
}

fn cluster_status(status: SessionStatus, begun: Timestamp, ended: bool) -> ClusterStatus {
    let mut kinds = status.kinds;
    kinds.sort();
    kinds.dedup();
    ClusterStatus {
        begun,
        noted: Timestamp::now(),
        ended,
        kinds,
        queued: status.queued,
        open: status.open as u64,
        pieces: status.summary.pieces,
        confirmed: status.summary.confirmed,
        duplicates: status.summary.duplicates,
        lost: status.summary.lost,
        known: 0,
        present: 0,
        threads: 0,
        workers: status.workers.into_iter().map(worker).collect(),
    }
}

fn worker(status: WorkerStatus) -> Worker {
    let WorkerStatus {
        name,
        threads,
        speed,
        units,
        pieces,
        seconds,
        confirmed,
        failures,
        troubles,
        objection,
    } = status;
    Worker {
        name,
        threads,
        speed,
        units,
        pieces,
        seconds,
        confirmed,
        failures,
        troubles,
        objection,
    }
}
