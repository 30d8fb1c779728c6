//! Who works for a folder from elsewhere: what a coordinator notes every few seconds, for
//! those who only look.
//!
//! Nothing of the work depends on the note: it may be missing, old or deleted. It must not
//! know how a cluster works.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// The file of the note.
pub const FILE: &str = "cluster.json";
/// Workers that are noted one by one, those who have done most first.
const MOST_WORKERS: usize = 2000;
/// Letters of a name or an objection.
const MOST_LETTERS: usize = 200;
/// No note is larger.
const MOST_BYTES: u64 = 4 << 20;

/// How the work of a coordinator stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClusterStatus {
    /// Since when it gives out work.
    pub begun: Timestamp,
    /// When this was noted.
    pub noted: Timestamp,
    /// Whether the coordinator has ended its work; one that was killed cannot say so.
    pub ended: bool,
    /// What is worked on.
    pub kinds: Vec<String>,
    /// Units that wait for a worker.
    pub queued: u64,
    /// Units that are not done.
    pub open: u64,
    /// Pieces that were done.
    pub pieces: u64,
    /// Units that were done twice and were equal.
    pub confirmed: u64,
    /// Results that came a second time and were ignored.
    pub duplicates: u64,
    /// Units that were lost on the way and given out again.
    pub lost: u64,
    /// All workers that were ever there; not all of them may be listed.
    pub known: usize,
    /// Those who are there now.
    pub present: usize,
    /// Their threads.
    pub threads: usize,
    /// Who they are.
    pub workers: Vec<Worker>,
}

/// What a worker does and has done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Worker {
    /// Its name.
    pub name: String,
    /// Its threads; none if it is gone.
    pub threads: usize,
    /// Nodes a second of one of them, as it measured them itself.
    pub speed: u64,
    /// Units that it holds.
    pub units: usize,
    /// Pieces that it has done.
    pub pieces: u64,
    /// Seconds of its threads for that.
    pub seconds: f64,
    /// Units that it and somebody else did equally.
    pub confirmed: u64,
    /// Pieces that it could not do.
    pub failures: u64,
    /// Troubles of its machine.
    pub troubles: u64,
    /// Why nothing is taken from it.
    pub objection: Option<String>,
}

impl ClusterStatus {
    /// Notes it in a folder, in bounded length.
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

    /// What was noted in a folder; nothing if there is no note that can be read.
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
        // Those who have done most come first, and equal ones by name.
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
