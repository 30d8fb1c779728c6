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
    // What was known of the queue last may be older than the end of the work.
    let still = |number: u64| if ended { 0 } else { number };
    let workers = status.workers.into_iter().map(|status| {
        let worker = worker(status);
        let units = still(worker.units as u64) as usize;
        Worker { units, ..worker }
    });
    ClusterStatus {
        begun,
        noted: Timestamp::now(),
        ended,
        kinds,
        queued: still(status.queued),
        open: still(status.open as u64),
        pieces: status.summary.pieces,
        confirmed: status.summary.confirmed,
        duplicates: status.summary.duplicates,
        lost: status.summary.lost,
        known: 0,
        present: 0,
        threads: 0,
        workers: workers.collect(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use cluster::Summary;

    fn status() -> SessionStatus {
        SessionStatus {
            session: "s".to_owned(),
            version: "1".to_owned(),
            kinds: vec!["match".to_owned(), "match".to_owned()],
            queued: 8,
            open: 9,
            workers: vec![WorkerStatus {
                name: "anna".to_owned(),
                threads: 1,
                speed: 7,
                units: 1,
                pieces: 100,
                seconds: 2.5,
                confirmed: 3,
                failures: 0,
                troubles: 0,
                objection: None,
            }],
            summary: Summary::default(),
        }
    }

    #[test]
    fn nothing_is_queued_when_the_work_has_ended() {
        let noted = |ended| cluster_status(status(), Timestamp::UNIX_EPOCH, ended);
        let work = |status: &ClusterStatus| (status.queued, status.open, status.workers[0].units);
        assert_eq!(work(&noted(false)), (8, 9, 1));
        let ended = noted(true);
        assert_eq!(work(&ended), (0, 0, 0));
        assert_eq!((ended.workers[0].pieces, ended.kinds.len()), (100, 1));
    }
}
