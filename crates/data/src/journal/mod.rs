//! Journals: how long jobs survive kills.
//!
//! A journal is a file of JSON lines. The first, its header, identifies the job; every
//! other line is a finished part of the job. Lines are only appended, each with one
//! write; a line that a kill left incomplete is dropped, and its part is done again. A
//! part that turned out to be wrong is struck out and done again, too. Only one process
//! at a time can write. A special line says which build of the program did the parts
//! after it.
//!
//! `file` handles lines as bytes. This module must not know what the jobs are: header
//! and lines are types of the callers, and a [`Kind`] has the words for errors.

mod build;
mod file;

pub use build::{Author, Build};

use std::fs::{self, TryLockError};
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::difference::{Difference, difference};
use build::BuildLine;
use file::{JournalFile, Lines, STRUCK};

/// How long a line may wait to be synced.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// The field of a header that only shows whether two headers are the same.
const FINGERPRINT: &str = "fingerprint";

/// What a journal is about, in the words for errors, and when it syncs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The job, such as `match`.
    pub work: &'static str,
    /// What a line is, such as `game`.
    pub line: &'static str,
    /// What a user can do if the journal cannot be used, such as `give another folder`.
    pub remedy: &'static str,
    /// When lines are synced to disk.
    pub syncing: Syncing,
}

/// When lines are synced to disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syncing {
    /// Before [`Journal::append`] returns.
    AtOnce,
    /// Within a second, if [`Journal::sync_if_due`] is called regularly.
    EverySecond,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// The journal.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// Another process is writing it.
    #[error("{}: another process is working on this {}", path.display(), kind.work)]
    InUse {
        /// The journal.
        path: PathBuf,
        /// What it is about.
        kind: &'static Kind,
    },
    /// It belongs to another job.
    #[error(
        "{}: this journal belongs to another {}: {}; {}",
        path.display(), kind.work, told(.difference), kind.remedy
    )]
    Other {
        /// The journal.
        path: PathBuf,
        /// What it is about.
        kind: &'static Kind,
        /// Where the headers differ, the journal's first.
        difference: Box<Difference>,
    },
    /// It was begun by a build whose results differ.
    #[error(
        "{}: this {} was started by another build ({}; this one has {ours}), and results of both \
         would be mixed: continue with that build, {}, or accept the mix with --accept-build",
        path.display(), kind.work, theirs.as_deref().unwrap_or("an unknown one"), kind.remedy
    )]
    OtherBuild {
        /// The journal.
        path: PathBuf,
        /// What it is about.
        kind: &'static Kind,
        /// The builds that have worked on it, if they are known.
        theirs: Option<String>,
        /// This build.
        ours: Box<Build>,
    },
    /// A line is invalid.
    #[error("{}:{line}: {problem}; restore the file, or {}", path.display(), kind.remedy)]
    Line {
        /// The journal.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
        /// What it is about.
        kind: &'static Kind,
    },
}

/// A difference in words; two fingerprints would tell a user nothing.
fn told(difference: &Difference) -> String {
    match difference.place.as_str() {
        FINGERPRINT => "its settings differ".to_owned(),
        _ => difference.to_string(),
    }
}

/// An open journal with headers `H` and lines `L`. No other process can open it.
#[derive(Debug)]
pub struct Journal<H, L> {
    path: PathBuf,
    kind: &'static Kind,
    file: JournalFile,
    builds: Vec<Build>,
    synced: Instant,
    is_dirty: bool,
    types: PhantomData<fn() -> (H, L)>,
}

impl<H, L> Journal<H, L>
where
    H: Serialize + DeserializeOwned,
    L: Serialize + DeserializeOwned,
{
    /// Opens the journal of the job with this header, or creates it. `each` gets every
    /// line with the place where it begins, and returns what is wrong with an invalid
    /// one. No author is given if results do not depend on the build.
    ///
    /// # Errors
    /// If it is in use, belongs to another job or another build, is damaged, or cannot be
    /// read or written.
    pub fn open(
        path: &Path,
        kind: &'static Kind,
        header: &H,
        author: Option<&Author>,
        each: &mut dyn FnMut(L, u64) -> Result<(), String>,
    ) -> Result<Journal<H, L>, JournalError> {
        let place = Place { path, kind };
        let file = JournalFile::open(path).map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::InUse {
                path: path.to_owned(),
                kind,
            },
            TryLockError::Error(cause) => place.error(cause),
        })?;
        let mut lines = file.lines();
        let held = place.read(&mut lines, &|theirs| place.compare(&theirs, header), each)?;
        if let Some(author) = author {
            place.check_build(&held, author)?;
        }
        let end = lines.end;
        let mut journal = Journal {
            path: path.to_owned(),
            kind,
            file,
            builds: held.builds,
            synced: Instant::now(),
            is_dirty: false,
            types: PhantomData,
        };
        journal.file.cut(end).map_err(|cause| place.error(cause))?;
        if !held.has_header {
            let line = serde_json::to_vec(header).map_err(|error| place.error(error.into()))?;
            journal.write(line)?;
        }
        if let Some(author) = author {
            journal.sign(&author.build)?;
        }
        journal.sync()?;
        Ok(journal)
    }

    /// Records that this build works on it, if that is new.
    fn sign(&mut self, build: &Build) -> Result<(), JournalError> {
        if self.builds.contains(build) {
            return Ok(());
        }
        self.builds.push(build.clone());
        let build = build.clone();
        let line =
            serde_json::to_vec(&BuildLine { build }).map_err(|error| self.error(error.into()))?;
        self.write(line).map(drop)
    }

    /// The builds that have worked on it, the first one first.
    pub fn builds(&self) -> &[Build] {
        &self.builds
    }

    /// Reads the lines of a journal without locking it; they go to `each` as in
    /// [`Journal::open`].
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn look(
        path: &Path,
        kind: &'static Kind,
        each: &mut dyn FnMut(L, u64) -> Result<(), String>,
    ) -> Result<(), JournalError> {
        let place = Place { path, kind };
        let mut lines = file::look(path).map_err(|cause| place.error(cause))?;
        place.read(&mut lines, &|_: H| Ok(()), each)?;
        Ok(())
    }

    /// Adds a line and returns the place where it begins.
    ///
    /// # Errors
    /// If it cannot be written; then no part of it remains.
    pub fn append(&mut self, line: &L) -> Result<u64, JournalError> {
        let line = serde_json::to_vec(line).map_err(|error| self.error(error.into()))?;
        self.append_bytes(line)
    }

    /// Adds a line that is already serialised, without its newline, and returns the
    /// place where it begins.
    ///
    /// # Errors
    /// If it cannot be written; then no part of it remains.
    pub fn append_bytes(&mut self, line: Vec<u8>) -> Result<u64, JournalError> {
        let place = self.write(line)?;
        match self.kind.syncing {
            Syncing::AtOnce => self.sync()?,
            Syncing::EverySecond => self.sync_if_due()?,
        }
        Ok(place)
    }

    /// Strikes out the line that begins at this place; it is not read any more.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn strike(&mut self, place: u64) -> Result<(), JournalError> {
        self.is_dirty = true;
        self.file.strike(place).map_err(|cause| self.error(cause))
    }

    /// Syncs lines to disk if they have waited long enough; must be called regularly.
    ///
    /// # Errors
    /// If they cannot be synced.
    pub fn sync_if_due(&mut self) -> Result<(), JournalError> {
        match self.is_dirty && self.synced.elapsed() >= SYNC_INTERVAL {
            true => self.sync(),
            false => Ok(()),
        }
    }

    /// Syncs all lines to disk.
    ///
    /// # Errors
    /// If they cannot be synced.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync().map_err(|cause| self.error(cause))?;
        self.synced = Instant::now();
        self.is_dirty = false;
        Ok(())
    }

    /// The line that begins at this place.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self, place: u64) -> Result<L, JournalError> {
        let line = self
            .file
            .line_at(place)
            .map_err(|cause| self.error(cause))?;
        serde_json::from_slice(&line).map_err(|error| self.error(error.into()))
    }

    /// The error that the line which begins at this place is invalid.
    pub fn wrong_line(&self, place: u64, problem: String) -> JournalError {
        match self.file.number_of_line(place) {
            Ok(number) => self.place().problem(number, problem),
            Err(cause) => self.error(cause),
        }
    }

    fn write(&mut self, line: Vec<u8>) -> Result<u64, JournalError> {
        let written = self.file.append(line);
        self.is_dirty = true;
        written.map_err(|cause| self.error(cause))
    }

    fn error(&self, cause: io::Error) -> JournalError {
        self.place().error(cause)
    }

    fn place(&self) -> Place<'_> {
        let (path, kind) = (&self.path, self.kind);
        Place { path, kind }
    }
}

/// Checks that no process is writing a journal; it need not exist.
///
/// # Errors
/// If another process works on it.
pub fn check_unused(path: &Path, kind: &'static Kind) -> Result<(), JournalError> {
    match file::is_locked(path) {
        false => Ok(()),
        true => Err(JournalError::InUse {
            path: path.to_owned(),
            kind,
        }),
    }
}

/// The builds that have worked on a journal, the first one first.
///
/// # Errors
/// If it cannot be read, or is damaged.
pub fn builds(path: &Path, kind: &'static Kind) -> Result<Vec<Build>, JournalError> {
    let place = Place { path, kind };
    let mut lines = file::look(path).map_err(|cause| place.error(cause))?;
    let skip: &mut dyn FnMut(IgnoredAny, u64) -> Result<(), String> = &mut |_, _| Ok(());
    Ok(place
        .read(&mut lines, &|_: IgnoredAny| Ok(()), skip)?
        .builds)
}

/// Removes a journal that is not needed any more.
///
/// # Errors
/// If the file cannot be removed.
pub fn remove(path: &Path) -> Result<(), JournalError> {
    fs::remove_file(path).map_err(|cause| JournalError::File {
        path: path.to_owned(),
        cause,
    })
}

/// What a journal contains besides its lines.
#[derive(Default)]
struct Held {
    has_header: bool,
    lines: u64,
    builds: Vec<Build>,
}

/// A journal's path and words, for errors.
#[derive(Clone, Copy)]
struct Place<'a> {
    path: &'a Path,
    kind: &'static Kind,
}

impl Place<'_> {
    /// Reads all complete lines.
    fn read<H: DeserializeOwned, L: DeserializeOwned, R: io::Read>(
        self,
        lines: &mut Lines<R>,
        accept: &dyn Fn(H) -> Result<(), JournalError>,
        each: &mut dyn FnMut(L, u64) -> Result<(), String>,
    ) -> Result<Held, JournalError> {
        let mut held = Held::default();
        let Some((line, _)) = lines.next().map_err(|cause| self.error(cause))? else {
            return Ok(held);
        };
        held.has_header = true;
        let header = serde_json::from_slice(line).map_err(|error| {
            self.problem(
                1,
                format!("not a valid {} journal: {error}", self.kind.work),
            )
        })?;
        accept(header)?;
        for number in 2.. {
            let Some((line, place)) = lines.next().map_err(|cause| self.error(cause))? else {
                break;
            };
            if line.first() == Some(&STRUCK) {
                continue;
            }
            if line.starts_with(BuildLine::PREFIX) {
                let BuildLine { build } = serde_json::from_slice(line).map_err(|error| {
                    self.problem(
                        number,
                        format!(
                            "this is not a build: \
                        {error}"
                        ),
                    )
                })?;
                held.builds.push(build);
                continue;
            }
            held.lines += 1;
            serde_json::from_slice(line)
                .map_err(|error| format!("not a valid {}: {error}", self.kind.line))
                .and_then(|line| each(line, place))
                .map_err(|problem| self.problem(number, problem))?;
        }
        Ok(held)
    }

    /// Refuses to continue a job that another build has begun, unless that is accepted.
    fn check_build(self, held: &Held, author: &Author) -> Result<(), JournalError> {
        let is_untouched = held.lines == 0 && held.builds.is_empty();
        if is_untouched || author.accepts_others || held.builds.contains(&author.build) {
            return Ok(());
        }
        let theirs: Vec<String> = held.builds.iter().map(Build::to_string).collect();
        Err(JournalError::OtherBuild {
            path: self.path.to_owned(),
            kind: self.kind,
            theirs: (!theirs.is_empty()).then(|| theirs.join("; ")),
            ours: Box::new(author.build.clone()),
        })
    }

    /// Reports the first place where two headers differ.
    fn compare<H: Serialize>(self, theirs: &H, ours: &H) -> Result<(), JournalError> {
        let value =
            |header: &H| serde_json::to_value(header).map_err(|error| self.error(error.into()));
        let (mut theirs, mut ours) = (value(theirs)?, value(ours)?);
        let fingerprints = [&mut theirs, &mut ours].map(taken_fingerprint);
        let [their, our] = fingerprints.map(|print| serde_json::json!({ FINGERPRINT: print }));
        // A fingerprint shows that something differs, but not what, so it comes last.
        match difference(&theirs, &ours).or_else(|| difference(&their, &our)) {
            None => Ok(()),
            Some(difference) => Err(JournalError::Other {
                path: self.path.to_owned(),
                kind: self.kind,
                difference: Box::new(difference),
            }),
        }
    }

    fn error(self, cause: io::Error) -> JournalError {
        JournalError::File {
            path: self.path.to_owned(),
            cause,
        }
    }

    fn problem(self, line: usize, problem: String) -> JournalError {
        JournalError::Line {
            path: self.path.to_owned(),
            line,
            problem,
            kind: self.kind,
        }
    }
}

/// Removes the fingerprint from a header, if it has one.
fn taken_fingerprint(header: &mut Value) -> Option<Value> {
    header.as_object_mut()?.remove(FINGERPRINT)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
