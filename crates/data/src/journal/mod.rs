//! Journals: what long work remembers across kills.
//!
//! A journal is a file of JSON lines. The first, its header, says of which work it
//! is; each other one is a finished part of that work. Lines are only ever appended,
//! each with one write; one that a kill has torn is dropped, and its part is done
//! again. A part that turned out to be wrong is struck out, and done again, too. Only one process at a time can write. A line of its own says which build of
//! the program did the parts that follow.
//!
//! `file` has the lines as bytes. This module must not know what work is remembered:
//! header and lines are types of those who work, and a [`Kind`] has the words with
//! which errors speak of it.

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

/// How long a line may wait for the disk.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// The field of a header that only tells whether two are the same.
const FINGERPRINT: &str = "fingerprint";

/// What a journal is about, in the words of its errors, and how careful it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The work: `match`.
    pub work: &'static str,
    /// What a line is: `game`.
    pub line: &'static str,
    /// What a user can do if the journal cannot be used: `give another folder`.
    pub remedy: &'static str,
    /// When lines reach the disk.
    pub syncing: Syncing,
}

/// When lines reach the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syncing {
    /// Before [`Journal::append`] returns.
    AtOnce,
    /// Within a second, if [`Journal::sync_if_due`] is called now and then.
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
    /// Another process writes it.
    #[error("{}: another process is working on this {}", path.display(), kind.work)]
    InUse {
        /// The journal.
        path: PathBuf,
        /// What the work is about.
        kind: &'static Kind,
    },
    /// It is of other work.
    #[error(
        "{}: this journal belongs to another {}: {}; {}",
        path.display(), kind.work, told(.difference), kind.remedy
    )]
    Other {
        /// The journal.
        path: PathBuf,
        /// What the work is about.
        kind: &'static Kind,
        /// Where the headers differ, the journal's first.
        difference: Box<Difference>,
    },
    /// It was begun by a build with other results.
    #[error(
        "{}: this {} was started by another build ({}; this one has {ours}), and results of both \
         would be mixed: continue with that build, {}, or accept the mix with --accept-build",
        path.display(), kind.work, theirs.as_deref().unwrap_or("an unknown one"), kind.remedy
    )]
    OtherBuild {
        /// The journal.
        path: PathBuf,
        /// What the work is about.
        kind: &'static Kind,
        /// The builds that have worked on it, if they are known.
        theirs: Option<String>,
        /// This one.
        ours: Box<Build>,
    },
    /// A line is not what it should be.
    #[error("{}:{line}: {problem}; restore the file, or {}", path.display(), kind.remedy)]
    Line {
        /// The journal.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
        /// What the work is about.
        kind: &'static Kind,
    },
}

/// Two fingerprints say nothing to anybody.
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
    /// Opens the journal of the work with this header, or begins it. What it holds
    /// goes to `each`, line by line with the places where they begin; it says what
    /// is wrong with one. Without an author the results do not depend on the build.
    ///
    /// # Errors
    /// If it is in use, of other work, of another build or damaged, or cannot be read
    /// or written.
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

    /// Notes that this build works on it, if that is new.
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

    /// Reads the lines of a journal without holding it, for those who only look;
    /// they go to `each` as in [`Journal::open`].
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

    /// Adds a line; the place where it begins.
    ///
    /// # Errors
    /// If it cannot be written; then nothing of it remains.
    pub fn append(&mut self, line: &L) -> Result<u64, JournalError> {
        let line = serde_json::to_vec(line).map_err(|error| self.error(error.into()))?;
        self.append_bytes(line)
    }

    /// Adds a line that somebody has already written, without its end; the place
    /// where it begins.
    ///
    /// # Errors
    /// If it cannot be written; then nothing of it remains.
    pub fn append_bytes(&mut self, line: Vec<u8>) -> Result<u64, JournalError> {
        let place = self.write(line)?;
        match self.kind.syncing {
            Syncing::AtOnce => self.sync()?,
            Syncing::EverySecond => self.sync_if_due()?,
        }
        Ok(place)
    }

    /// Strikes out the line that begins at this place: nobody reads it any more.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn strike(&mut self, place: u64) -> Result<(), JournalError> {
        self.is_dirty = true;
        self.file.strike(place).map_err(|cause| self.error(cause))
    }

    /// Brings lines to the disk if they have waited long enough; to be called now
    /// and then.
    ///
    /// # Errors
    /// If the disk does not take them.
    pub fn sync_if_due(&mut self) -> Result<(), JournalError> {
        match self.is_dirty && self.synced.elapsed() >= SYNC_INTERVAL {
            true => self.sync(),
            false => Ok(()),
        }
    }

    /// Brings all lines to the disk.
    ///
    /// # Errors
    /// If the disk does not take them.
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

    /// Says that the line which begins at this place is not what it should be.
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

/// Whether nobody writes a journal; one that is not there is written by nobody.
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

/// Takes away a journal that is not needed any more.
///
/// # Errors
/// If the file cannot be removed.
pub fn remove(path: &Path) -> Result<(), JournalError> {
    fs::remove_file(path).map_err(|cause| JournalError::File {
        path: path.to_owned(),
        cause,
    })
}

/// What a journal holds beside its lines.
#[derive(Default)]
struct Held {
    has_header: bool,
    lines: u64,
    builds: Vec<Build>,
}

/// A journal in the words of errors.
#[derive(Clone, Copy)]
struct Place<'a> {
    path: &'a Path,
    kind: &'static Kind,
}

impl Place<'_> {
    /// Reads all whole lines.
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

    /// Refuses to continue what another build has begun, unless that is accepted.
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

    /// Names the first place where two headers differ.
    fn compare<H: Serialize>(self, theirs: &H, ours: &H) -> Result<(), JournalError> {
        let value =
            |header: &H| serde_json::to_value(header).map_err(|error| self.error(error.into()));
        let (mut theirs, mut ours) = (value(theirs)?, value(ours)?);
        let fingerprints = [&mut theirs, &mut ours].map(taken_fingerprint);
        let [their, our] = fingerprints.map(|print| serde_json::json!({ FINGERPRINT: print }));
        // A fingerprint tells that something differs, but not what: it comes last.
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

/// Takes the fingerprint out of a header, if it has one.
fn taken_fingerprint(header: &mut Value) -> Option<Value> {
    header.as_object_mut()?.remove(FINGERPRINT)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
