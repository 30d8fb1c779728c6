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
use read::Contents;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
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
    file: File,
    length: u64,
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
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(wrong)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(path.to_owned())),
            Err(TryLockError::Error(cause)) => return Err(wrong(cause)),
        }
        let contents = read::read(path, &file, plan, each)?;
        let mut journal = Journal {
            path: path.to_owned(),
            file,
            length: 0,
            games: BTreeMap::new(),
            synced: Instant::now(),
            is_dirty: false,
        };
        match contents {
            Contents::Nothing => journal.begin(plan)?,
            Contents::Games { length, games } => {
                journal.games = games;
                journal.cut(length).map_err(wrong)?;
            }
        }
        Ok(journal)
    }

    fn begin(&mut self, plan: &Plan) -> Result<(), JournalError> {
        self.cut(0).map_err(|cause| self.error(cause))?;
        let header = json!({
            "kind": "plan",
            "format": FORMAT,
            "fingerprint": plan.fingerprint(),
            "plan": plan.to_value(),
        });
        self.write_line(&header.to_string())?;
        self.sync()?;
        let folder = self
            .path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = File::open(folder.unwrap_or(Path::new(".")));
        folder
            .and_then(|folder| folder.sync_all())
            .map_err(|cause| self.error(cause))
    }

    /// Drops what stands behind this place.
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length))?;
        self.length = length;
        Ok(())
    }

    /// Adds a finished game.
    pub fn append(&mut self, game: &GameLine) -> Result<(), JournalError> {
        let line = serde_json::to_string(game).map_err(|error| self.error(error.into()))?;
        self.games.insert(game.index, self.length);
        self.write_line(&line)?;
        self.sync_if_due()
    }

    fn write_line(&mut self, line: &str) -> Result<(), JournalError> {
        let bytes = [line.as_bytes(), b"\n"].concat();
        let written = self.file.write_all(&bytes);
        written.map_err(|cause| self.error(cause))?;
        self.length += bytes.len() as u64;
        self.is_dirty = true;
        Ok(())
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
        self.file.sync_data().map_err(|cause| self.error(cause))?;
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
