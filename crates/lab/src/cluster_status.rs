//! The status of the cluster that works for a folder: a coordinator writes it every few seconds,
//! for readers such as the web page.
//!
//! No work depends on the status file: it may be missing, out of date or deleted. This module must
//! not know how a cluster works.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// The file name of the status.
pub const FILE: &str = "cluster.json";
/// How many workers are listed, those with the most pieces first.
const MOST_WORKERS: usize = 2000;
/// The maximum length of a name or a reason, in characters.
const MOST_LETTERS: usize = 200;
/// Larger files are not read.
const MOST_BYTES: u64 = 4 << 20;

/// The state of a coordinator's work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClusterStatus {
    /// When it began to dispatch work.
    pub begun: Timestamp,
    /// When this status was written.
    pub noted: Timestamp,
    /// Whether the coordinator has ended its work; a killed one cannot report it.
    pub ended: bool,
    /// The kinds of its work.
    pub kinds: Vec<String>,
    /// The number of units that wait for a worker.
    pub queued: u64,
    /// The number of units that are not done.
    pub open: u64,
    /// The number of pieces done.
    pub pieces: u64,
    /// The number of units that were done twice with equal results.
    pub confirmed: u64,
    /// The number of results that arrived a second time and were ignored.
    pub duplicates: u64,
    /// The number of units that were lost and dispatched again.
    pub lost: u64,
    /// The number of workers that have ever joined; not all of them may be listed.
    pub known: usize,
    /// The number of workers that are connected.
    pub present: usize,
    /// The number of their threads.
    pub threads: usize,
    /// The workers.
    pub workers: Vec<Worker>,
}

/// The state of a worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Worker {
    /// Its name.
    pub name: String,
    /// The number of its threads; 0 if it is gone.
    pub threads: usize,
    /// The nodes per second of one thread, as the worker measured them itself.
    pub speed: u64,
    /// The number of units that it holds.
    pub units: usize,
    /// The number of pieces it has done.
    pub pieces: u64,
    /// The seconds its threads spent on them.
    pub seconds: f64,
    /// The number of its units whose results another worker confirmed.
    pub confirmed: u64,
    /// The number of pieces it failed to do.
    pub failures: u64,
    /// The number of problems of its machine.
    pub troubles: u64,
    /// Why it is banned, if it is.
    pub objection: Option<String>,
}

impl ClusterStatus {
    /// Writes it to a folder, shortened to a bounded size.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn note(mut self, folder: &Path) -> io::Result<()> {
        self.known = self.workers.len();
        let here = self.workers.iter().filter(|worker| worker.threads > 0);
        self.present = here.clone().count();
        self.threads = here.map(|worker| worker.threads).sum();
        self.workers
            .sort_by(|one, other| (other.pieces, &one.name).cmp(&(one.pieces, &other.name)));
        self.workers.truncate(MOST_WORKERS);
        for worker in &mut self.workers {
            shorten(&mut worker.name);
            worker.objection.iter_mut().for_each(shorten);
        }
        data::file::write(&folder.join(FILE), &serde_json::to_vec(&self)?)
    }

    /// The status in a folder; `None` if there is none that can be read.
    pub fn read(folder: &Path) -> Option<ClusterStatus> {
        let text = data::file::read(&folder.join(FILE), MOST_BYTES).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

fn shorten(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(MOST_LETTERS) {
        text.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worker(number: u64) -> Worker {
        Worker {
            name: format!("worker-{number:04}"),
            threads: (number % 3) as usize,
            speed: 1_000_000,
            units: 1,
            pieces: number / 2,
            seconds: 7.5,
            confirmed: 1,
            failures: 0,
            troubles: 0,
            objection: None,
        }
    }

    fn status(workers: Vec<Worker>) -> ClusterStatus {
        ClusterStatus {
            begun: Timestamp::UNIX_EPOCH,
            noted: Timestamp::UNIX_EPOCH,
            ended: false,
            kinds: vec!["games".to_owned()],
            queued: 3,
            open: 4,
            pieces: 100,
            confirmed: 1,
            duplicates: 0,
            lost: 0,
            known: 0,
            present: 0,
            threads: 0,
            workers,
        }
    }

    #[test]
    fn a_note_is_bounded_and_comes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(ClusterStatus::read(folder.path()), None);
        let mut workers: Vec<Worker> = (0..3000).map(worker).collect();
        workers[2998].objection = Some("é".repeat(100_000));
        status(workers).note(folder.path()).expect("room");
        let read = ClusterStatus::read(folder.path()).expect("a note");
        assert_eq!((read.known, read.present, read.threads), (3000, 2000, 3000));
        assert_eq!(read.workers.len(), MOST_WORKERS);
        // Workers with the most pieces come first, ties by name.
        assert_eq!(read.workers[0].name, "worker-2998");
        let objection = read.workers[0].objection.as_deref().unwrap_or_default();
        assert_eq!(objection.chars().count(), MOST_LETTERS);
        let bytes = std::fs::metadata(folder.path().join(FILE))
            .expect("a file")
            .len();
        assert!(bytes < MOST_BYTES / 4, "{bytes}");
    }

    #[test]
    fn what_is_no_note_is_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        for text in ["", "{}", "[1,2", "\u{0}"] {
            std::fs::write(folder.path().join(FILE), text).expect("room");
            assert_eq!(ClusterStatus::read(folder.path()), None);
        }
    }
}
