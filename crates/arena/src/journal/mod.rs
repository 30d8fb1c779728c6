//! The journal of a match: the plan, then one line for each finished game. It
//! is the truth; everything else is made from it.
//!
//! Lines are only ever appended, each with one write, and reach the disk within
//! a second. Whoever was killed in the middle of a line finds a torn one at the
//! end, which is dropped: that game is played again. This module must not know
//! how games are played.

mod line;
mod read;

pub use line::GameLine;
pub use read::JournalError;

use crate::plan::Plan;
use data::journal::JournalFile;
use read::Contents;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Seek};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a line may wait for the disk.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// The version of the format.
const FORMAT: u32 = 1;

/// An open journal. No other process can open it.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: JournalFile,
    /// Where the line of each finished game begins.
    games: BTreeMap<usize, u64>,
    synced: Instant,
    is_dirty: bool,
}

impl Journal {
    /// Opens the journal of a plan, or begins it. Finished games that it holds
    /// go to `each`, in the order of the file.
    pub fn open(
        path: &Path,
        plan: &Plan,
        each: &mut dyn FnMut(&GameLine),
    ) -> Result<Journal, JournalError> {
        let wrong = |cause| JournalError::File {
            path: path.to_owned(),
            cause,
        };
        let file = JournalFile::open(path).map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::InUse(path.to_owned()),
            TryLockError::Error(cause) => wrong(cause),
        })?;
        let contents = read::read(path, file.reader(), plan, each)?;
        let mut journal = Journal {
            path: path.to_owned(),
            file,
            games: BTreeMap::new(),
            synced: Instant::now(),
            is_dirty: false,
        };
        match contents {
            Contents::Nothing => journal.begin(plan)?,
            Contents::Games { length, games } => {
                journal.games = games;
                journal.file.cut(length).map_err(wrong)?;
            }
        }
        Ok(journal)
    }

    fn begin(&mut self, plan: &Plan) -> Result<(), JournalError> {
        let cut = self.file.cut(0);
        cut.map_err(|cause| self.error(cause))?;
        let header = json!({
            "kind": "plan",
            "format": FORMAT,
            "fingerprint": plan.fingerprint(),
            "plan": plan.to_value(),
        });
        self.write_line(header.to_string().into_bytes())?;
        self.sync()
    }

    /// Adds the line of a finished game, by its number.
    pub fn append(&mut self, game: usize, line: Vec<u8>) -> Result<(), JournalError> {
        let place = self.write_line(line)?;
        self.games.insert(game, place);
        self.sync_if_due()
    }

    fn write_line(&mut self, line: Vec<u8>) -> Result<u64, JournalError> {
        let written = self.file.append(line);
        self.is_dirty = true;
        written.map_err(|cause| self.error(cause))
    }

    /// Brings lines to the disk if they have waited long enough; to be called
    /// now and then.
    pub fn sync_if_due(&mut self) -> Result<(), JournalError> {
        if self.is_dirty && self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(())
    }

    /// Brings all lines to the disk.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync().map_err(|cause| self.error(cause))?;
        self.synced = Instant::now();
        self.is_dirty = false;
        Ok(())
    }

    /// The numbers of the finished games.
    pub fn finished(&self) -> impl Iterator<Item = usize> {
        self.games.keys().copied()
    }

    /// Finished games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The finished games whose number is below a limit, in the order of the
    /// schedule. Only one is in memory at a time.
    pub fn lines(
        &self,
        limit: usize,
    ) -> Result<impl Iterator<Item = Result<GameLine, JournalError>>, JournalError> {
        let file = File::open(&self.path).map_err(|cause| self.error(cause))?;
        let mut reader = BufReader::new(file);
        let mut text = String::new();
        let offsets = self.games.range(..limit).map(|(_, &offset)| offset);
        Ok(offsets.map(move |offset| {
            read_at(&mut reader, offset, &mut text).map_err(|cause| self.error(cause))
        }))
    }

    fn error(&self, cause: io::Error) -> JournalError {
        JournalError::File {
            path: self.path.clone(),
            cause,
        }
    }
}

/// Reads the line that begins here. Lines are mostly read one after the other.
fn read_at(reader: &mut BufReader<File>, offset: u64, text: &mut String) -> io::Result<GameLine> {
    let here = reader.stream_position()?;
    reader.seek_relative(offset as i64 - here as i64)?;
    text.clear();
    reader.read_line(text)?;
    Ok(serde_json::from_str(text)?)
}
