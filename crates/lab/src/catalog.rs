//! What lies below a folder: runs, selections, studies and trainings, for those who only
//! look. `contents` has the files of one of them.
//!
//! Nothing here works on anything, and no link is followed: what is found lies below the
//! folder that was asked for.

use crate::error::LabError;
use crate::run_file::{EXTENSION_FILE, RUN_FILE, STATE_FILE};
use crate::{events, selection, state, study, worker};
use data::file::FolderLock;
use serde::{Deserialize, Serialize};
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use train::metrics::Epoch;
pub use train::status::Status;

/// The file with the words that people gave some work.
const TAGS_FILE: &str = "tags.json";
/// What a process says that a page has started, in the folder of its work.
pub const LOG_FILE: &str = "page.log";
/// How a page has started some work, in its folder.
pub const START_FILE: &str = "page.json";
/// Files that are read by these names in the folder of any work.
const READ_BY_NAME: [&str; 13] = [
    RUN_FILE,
    EXTENSION_FILE,
    selection::SELECT_FILE,
    study::STUDY_FILE,
    STATE_FILE,
    events::EVENTS_FILE,
    train::metrics::LINES_FILE,
    train::status::STATUS_FILE,
    crate::cluster_status::FILE,
    worker::FILE,
    TAGS_FILE,
    LOG_FILE,
    START_FILE,
];

/// What a folder holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkKind {
    /// Generations that teach themselves: `tabia run`.
    Run,
    /// The best of many nets: `tabia select`.
    Selection,
    /// Evaluations that are trained once: `tabia study`.
    Study,
    /// One training: `tabia train`.
    Training,
}

impl WorkKind {
    /// The kind of work that a folder holds, if it holds any. Where one of the files that are
    /// read by name is a link, it holds none.
    fn of(folder: &Path) -> Option<WorkKind> {
        let holds = |name: &str| folder.join(name).is_file();
        let named = [
            (RUN_FILE, WorkKind::Run),
            (selection::SELECT_FILE, WorkKind::Selection),
            (study::STUDY_FILE, WorkKind::Study),
            (train::metrics::LINES_FILE, WorkKind::Training),
            // One that has ended no epoch.
            (train::status::STATUS_FILE, WorkKind::Training),
        ];
        let (_, kind) = named.into_iter().find(|(name, _)| holds(name))?;
        let is_link = |name: &str| folder.join(name).is_symlink();
        (!READ_BY_NAME.iter().any(|name| is_link(name))).then_some(kind)
    }
}

/// Work that lies below a folder.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Work {
    /// Its path below the folder that was looked through, with slashes.
    pub id: String,
    /// Its folder.
    pub folder: PathBuf,
    /// What it is.
    pub kind: WorkKind,
}

/// What changes whenever something of the work does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stamp([Option<(u64, SystemTime)>; 5]);

impl Work {
    /// Whether a process works on it now. Locks are only looked at if somebody left a
    /// note: a look takes the lock for a moment, in which nobody else could begin.
    pub fn is_worked_on(&self) -> bool {
        match self.kind {
            WorkKind::Training => is_locked(&self.folder.join(FolderLock::NAME)),
            _ => {
                let state = self.folder.join(STATE_FILE);
                worker::noted(&self.folder).is_some()
                    && data::journal::check_unused(&state, &state::KIND).is_err()
            }
        }
    }

    /// The last part of its path.
    pub fn name(&self) -> &str {
        self.id.rsplit('/').next().unwrap_or(&self.id)
    }

    /// The number of that process, if it works here and has said so.
    pub fn worker(&self) -> Option<u32> {
        worker::noted(&self.folder).filter(|_| self.is_worked_on())
    }

    /// The file that its lock belongs to.
    pub fn locked_file(&self) -> PathBuf {
        self.folder.join(match self.kind {
            WorkKind::Training => FolderLock::NAME,
            _ => STATE_FILE,
        })
    }

    /// What changes whenever something of it does.
    pub fn stamp(&self) -> Stamp {
        let names = [
            STATE_FILE,
            events::EVENTS_FILE,
            train::metrics::LINES_FILE,
            train::status::STATUS_FILE,
            TAGS_FILE,
        ];
        Stamp(names.map(|name| {
            let metadata = std::fs::metadata(self.folder.join(name)).ok()?;
            Some((metadata.len(), metadata.modified().ok()?))
        }))
    }

    /// When something of it changed last.
    pub fn changed(&self) -> Option<SystemTime> {
        let Stamp(files) = self.stamp();
        files.into_iter().flatten().map(|(_, at)| at).max()
    }

    /// The file of settings with which it was begun; a training keeps none.
    pub fn settings_text(&self) -> Option<String> {
        let name = match self.kind {
            WorkKind::Run => RUN_FILE,
            WorkKind::Selection => selection::SELECT_FILE,
            WorkKind::Study => study::STUDY_FILE,
            WorkKind::Training => return None,
        };
        data::file::read_settings(&self.folder.join(name)).ok()
    }

    /// The words that people gave it.
    pub fn tags(&self) -> Vec<String> {
        let text = data::file::read(&self.folder.join(TAGS_FILE), 1 << 16).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Gives it these words instead.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn set_tags(&self, tags: &[String]) -> Result<(), LabError> {
        let path = self.folder.join(TAGS_FILE);
        let text = serde_json::to_vec(tags).unwrap_or_default();
        data::file::write(&path, &text).map_err(|cause| LabError::file(path, cause))
    }
}

fn is_locked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| match file.try_lock_shared() {
        Ok(()) => false,
        Err(error) => matches!(error, std::fs::TryLockError::WouldBlock),
    })
}

/// Everything below a folder and below the folders in it, by name.
///
/// # Errors
/// If the folder cannot be read.
pub fn find(root: &Path) -> Result<Vec<Work>, LabError> {
    let mut works = Vec::new();
    for (name, folder) in folders(root)? {
        if let Some(kind) = WorkKind::of(&folder) {
            let id = name;
            works.push(Work { id, folder, kind });
            continue;
        }
        // What cannot be read is nobody's work.
        for (below, folder) in folders(&folder).unwrap_or_default() {
            if let Some(kind) = WorkKind::of(&folder) {
                let id = format!("{name}/{below}");
                works.push(Work { id, folder, kind });
            }
        }
    }
    works.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(works)
}

/// The folders in a folder, with their names; links and hidden ones are passed over.
fn folders(root: &Path) -> Result<Vec<(String, PathBuf)>, LabError> {
    let wrong = |cause| LabError::file(root, cause);
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(root).map_err(wrong)? {
        let entry = entry.map_err(wrong)?;
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            continue;
        };
        if is_folder && !name.starts_with('.') {
            folders.push((name, entry.path()));
        }
    }
    Ok(folders)
}

/// Whether somebody works in a folder, by the note that is left there.
pub fn is_begun(folder: &Path) -> bool {
    worker::noted(folder).is_some()
}

/// Deletes work that nobody does.
///
/// # Errors
/// If a process works on it, or it cannot be deleted.
pub fn remove(work: &Work) -> Result<(), LabError> {
    match work.kind {
        WorkKind::Training if work.is_worked_on() => {
            let busy = std::io::Error::other("another process is training in this folder");
            return Err(LabError::file(&work.folder, busy));
        }
        WorkKind::Training => {}
        _ => data::journal::check_unused(&work.folder.join(STATE_FILE), &state::KIND)?,
    }
    std::fs::remove_dir_all(&work.folder).map_err(|cause| LabError::file(&work.folder, cause))
}

/// Bytes of all files of the work.
pub fn size(work: &Work) -> u64 {
    crate::folder::size(&work.folder)
}

/// How far a training is, if it was noted.
pub fn status(work: &Work) -> Option<Status> {
    Status::read(&work.folder)
}

/// The trainings below the folder of some work, by their paths, with their epochs.
pub fn trainings(work: &Work) -> Vec<(String, Vec<Epoch>)> {
    let files = crate::folder::files_below(&work.folder).into_iter();
    let metrics = files.filter(|path| {
        let name = path.file_name();
        name.is_some_and(|name| name == train::metrics::LINES_FILE) && !path.is_symlink()
    });
    let mut trainings: Vec<_> = metrics
        .filter_map(|path| {
            let folder = path.parent()?;
            // The rows of a run are no epochs.
            let is_training = work.kind == WorkKind::Training || folder != work.folder;
            let name = path_below(&work.folder, folder).filter(|_| is_training)?;
            let epochs = train::metrics::Metrics::open(folder, u64::MAX).ok()?;
            Some((name, epochs.epochs().to_vec()))
        })
        .filter(|(_, epochs)| !epochs.is_empty())
        .collect();
    trainings.sort_by_cached_key(|(name, _)| natural(name));
    trainings
}

/// A file that holds something which is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    /// Its path below the folder of the work, with slashes.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// When it was written.
    pub changed: Option<SystemTime>,
}

/// The files of some work that hold models, positions and games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// Models.
    pub models: Vec<Held>,
    /// Positions, scored or with visits.
    pub shards: Vec<Held>,
    /// Journals of matches.
    pub matches: Vec<Held>,
}

/// What names of models end with.
const MODELS: [&str; 5] = [".tabianet", ".nnue", ".ntuple", ".weights", ".pb.gz"];
/// What names of shards end with.
const SHARDS: [&str; 4] = [".binpack", ".policy", ".plain", ".plain.zst"];

/// Looks through the files of some work.
pub fn contents(work: &Work) -> Contents {
    let mut contents = Contents::default();
    for path in crate::folder::files_below(&work.folder) {
        let Some(file) = path_below(&work.folder, &path) else {
            continue;
        };
        let ends = |endings: &[&str]| endings.iter().any(|ending| file.ends_with(ending));
        let list = if ends(&MODELS) {
            &mut contents.models
        } else if ends(&SHARDS) {
            &mut contents.shards
        } else if path
            .file_name()
            .is_some_and(|name| name == arena::run::JOURNAL_FILE)
        {
            &mut contents.matches
        } else {
            continue;
        };
        let is_own = |metadata: &Metadata| metadata.is_file();
        if let Some(metadata) = path.symlink_metadata().ok().filter(is_own) {
            list.push(Held {
                file,
                bytes: metadata.len(),
                changed: metadata.modified().ok(),
            });
        }
    }
    for list in [
        &mut contents.models,
        &mut contents.shards,
        &mut contents.matches,
    ] {
        list.sort_by_cached_key(|one| natural(&one.file));
    }
    contents
}

fn path_below(root: &Path, path: &Path) -> Option<String> {
    let below = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

/// A name with which 10 comes after 9: runs of digits as numbers.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let words = rest.find(|letter: char| letter.is_ascii_digit());
        let (word, tail) = rest.split_at(words.unwrap_or(rest.len()));
        let digits = tail.find(|letter: char| !letter.is_ascii_digit());
        let (number, tail) = tail.split_at(digits.unwrap_or(tail.len()));
        parts.push((word.to_owned(), number.parse().unwrap_or(0)));
        rest = tail;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(path: &Path) {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("room");
        std::fs::write(path, "x").expect("room");
    }

    #[test]
    fn work_is_found_on_two_levels_and_links_are_not_followed() {
        let root = tempfile::tempdir().expect("a folder");
        let elsewhere = tempfile::tempdir().expect("a folder");
        make(&elsewhere.path().join("run.toml"));
        make(&root.path().join("direct/run.toml"));
        make(&root.path().join("runs/a/run.toml"));
        make(&root.path().join("runs/a/deeper/run.toml"));
        make(&root.path().join("studies/s/study.toml"));
        make(&root.path().join("selections/c/select.toml"));
        make(&root.path().join("trainings/t/metrics.jsonl"));
        make(&root.path().join("trainings/u/training.json"));
        make(&root.path().join(".hidden/run.toml"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(elsewhere.path(), root.path().join("link")).expect("a link");
            for (name, file) in [("one", RUN_FILE), ("two", LOG_FILE), ("three", STATE_FILE)] {
                let folder = root.path().join("runs").join(name);
                make(&folder.join("run.toml"));
                let _ = std::fs::remove_file(folder.join(file));
                symlink(elsewhere.path().join("run.toml"), folder.join(file)).expect("a link");
            }
        }
        let found = find(root.path()).expect("a folder");
        let found: Vec<_> = found.iter().map(|work| (&*work.id, work.kind)).collect();
        assert_eq!(
            found,
            [
                ("direct", WorkKind::Run),
                ("runs/a", WorkKind::Run),
                ("selections/c", WorkKind::Selection),
                ("studies/s", WorkKind::Study),
                ("trainings/t", WorkKind::Training),
                ("trainings/u", WorkKind::Training),
            ]
        );
        assert!(find(&root.path().join("nowhere")).is_err());
    }

    #[test]
    fn files_are_sorted_by_their_numbers() {
        let root = tempfile::tempdir().expect("a folder");
        for name in [
            "run.toml",
            "a/nets/version-10.tabianet",
            "a/nets/version-9.tabianet",
            "a/shards/generation-1.binpack",
            "finals/x/journal.jsonl",
        ] {
            make(&root.path().join(name));
        }
        let work = Work {
            id: "x".to_owned(),
            folder: root.path().to_owned(),
            kind: WorkKind::Run,
        };
        let contents = contents(&work);
        let names = |list: &[Held]| {
            list.iter()
                .map(|held| held.file.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            names(&contents.models),
            ["a/nets/version-9.tabianet", "a/nets/version-10.tabianet"]
        );
        assert_eq!(names(&contents.shards), ["a/shards/generation-1.binpack"]);
        assert_eq!(names(&contents.matches), ["finals/x/journal.jsonl"]);
        assert!(!work.is_worked_on() && work.worker().is_none());
        remove(&work).expect("gone");
        assert!(!root.path().exists());
    }
}
