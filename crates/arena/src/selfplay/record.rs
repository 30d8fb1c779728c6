//! Finished games, one line each, in the order in which they ended.
//!
//! A line holds the chains of its game, so that one write keeps all of it. Lines
//! reach the disk within a second; one that was torn by a kill is dropped, and
//! its game is played again. It must not know how games are played.

use crate::game::{Outcome, Reason};
use data::journal::JournalFile;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a line may wait for the disk.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number.
    pub game: u64,
    /// Who won.
    pub result: Outcome,
    /// Why it ended.
    pub reason: Reason,
    /// Plies of the player.
    pub plies: u32,
    /// Those of them that have a score.
    pub positions: u64,
    /// How long it took.
    pub seconds: f64,
    /// How long the player thought.
    pub thinking_seconds: f64,
    /// When it ended, counted in seconds of the work since it was begun.
    pub at: f64,
    /// Its positions as binpack chains, in hexadecimal digits.
    pub(super) chains: String,
}

/// Why a record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It cannot be read or written.
    #[error("cannot use {}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// Somebody else has it.
    #[error("{}: another process is playing these games", .0.display())]
    InUse(PathBuf),
    /// It belongs to other games.
    #[error("{} was begun with other settings; give another file, or delete it to begin anew", .0.display())]
    OtherGames(PathBuf),
    /// A line in its middle is none.
    #[error("{}:{line}: this line is no game; restore the file, or delete it to begin anew", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

#[derive(Serialize, Deserialize)]
struct FirstLine {
    fingerprint: String,
}

/// An open record. No other process can open it.
#[derive(Debug)]
pub(super) struct Record {
    path: PathBuf,
    file: JournalFile,
    synced: Instant,
}

impl Record {
    /// Opens the record of games with this fingerprint, or begins it. Games that
    /// it holds go to `each`, with the place of their line.
    pub(super) fn open(
        path: &Path,
        fingerprint: &str,
        each: &mut dyn FnMut(&GameRecord, u64),
    ) -> Result<Record, RecordError> {
        let wrong = |cause| RecordError::File {
            path: path.to_owned(),
            cause,
        };
        let file = JournalFile::open(path).map_err(|error| match error {
            TryLockError::WouldBlock => RecordError::InUse(path.to_owned()),
            TryLockError::Error(cause) => wrong(cause),
        })?;
        let length = read(path, file.reader(), fingerprint, each)?;
        let mut record = Record {
            path: path.to_owned(),
            file,
            synced: Instant::now(),
        };
        record.file.cut(length).map_err(wrong)?;
        if length == 0 {
            let fingerprint = fingerprint.to_owned();
            record.append(&FirstLine { fingerprint })?;
            record.sync()?;
        }
        Ok(record)
    }

    /// Adds the line of a game; its place.
    pub(super) fn add(&mut self, line: Vec<u8>) -> Result<u64, RecordError> {
        let written = self.file.append(line);
        let place = written.map_err(|cause| self.error(cause))?;
        self.sync_if_due()?;
        Ok(place)
    }

    fn append(&mut self, line: &impl Serialize) -> Result<u64, RecordError> {
        let line = serde_json::to_vec(line).map_err(|error| self.error(error.into()))?;
        let written = self.file.append(line);
        written.map_err(|cause| self.error(cause))
    }

    /// Brings lines to the disk if they have waited long enough.
    pub(super) fn sync_if_due(&mut self) -> Result<(), RecordError> {
        match self.synced.elapsed() >= SYNC_INTERVAL {
            true => self.sync(),
            false => Ok(()),
        }
    }

    /// Brings all lines to the disk.
    pub(super) fn sync(&mut self) -> Result<(), RecordError> {
        self.file.sync().map_err(|cause| self.error(cause))?;
        self.synced = Instant::now();
        Ok(())
    }

    /// The game whose line stands here.
    pub(super) fn game(&self, place: u64) -> Result<GameRecord, RecordError> {
        let read = || -> io::Result<GameRecord> {
            let mut reader = BufReader::new(File::open(&self.path)?);
            reader.seek(SeekFrom::Start(place))?;
            let mut line = Vec::new();
            reader.read_until(b'\n', &mut line)?;
            Ok(serde_json::from_slice(&line)?)
        };
        read().map_err(|cause| self.error(cause))
    }

    fn error(&self, cause: io::Error) -> RecordError {
        RecordError::File {
            path: self.path.clone(),
            cause,
        }
    }
}

/// Reads whole lines; how many bytes they have.
fn read(
    path: &Path,
    file: &File,
    fingerprint: &str,
    each: &mut dyn FnMut(&GameRecord, u64),
) -> Result<u64, RecordError> {
    let wrong = |cause| RecordError::File {
        path: path.to_owned(),
        cause,
    };
    let mut reader = BufReader::new(file);
    let mut place = 0;
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let length = reader
            .by_ref()
            .read_until(b'\n', &mut bytes)
            .map_err(wrong)?;
        // Nothing, or a line that a kill has torn.
        if bytes.last() != Some(&b'\n') {
            break;
        }
        if line == 1 {
            let first: Option<FirstLine> = serde_json::from_slice(&bytes).ok();
            if first.is_none_or(|first| first.fingerprint != fingerprint) {
                return Err(RecordError::OtherGames(path.to_owned()));
            }
        } else {
            let game = serde_json::from_slice(&bytes).map_err(|_| RecordError::Damaged {
                path: path.to_owned(),
                line,
            })?;
            each(&game, place);
        }
        place += length as u64;
    }
    Ok(place)
}

/// Bytes as hexadecimal digits.
pub(super) fn to_digits(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}

/// Bytes from hexadecimal digits; nothing if they are none.
pub(super) fn from_digits(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => Some((digit(*high)? * 16 + digit(*low)?) as u8),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u64) -> GameRecord {
        GameRecord {
            game: number,
            result: Outcome::Draw,
            reason: Reason::Threefold,
            plies: 7,
            positions: 6,
            seconds: 0.5,
            thinking_seconds: 0.25,
            at: 1.5,
            chains: to_digits(b"\x00\xff7z"),
        }
    }

    fn line(number: u64) -> Vec<u8> {
        serde_json::to_vec(&game(number)).expect("JSON")
    }

    fn numbers(path: &Path, fingerprint: &str) -> Result<Vec<u64>, String> {
        let mut numbers = Vec::new();
        Record::open(path, fingerprint, &mut |game, _| numbers.push(game.game))
            .map(|_| numbers)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn games_come_back_and_a_torn_line_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        let mut record = Record::open(&path, "a", &mut |_, _| {}).expect("a record");
        let places = [5, 2].map(|number| record.add(line(number)).expect("room"));
        assert_eq!(record.game(places[1]).expect("a game"), game(2));
        assert!(numbers(&path, "a").expect_err("in use").contains("another"));
        drop(record);
        let whole = std::fs::read(&path).expect("a file");
        for cut in [1, 30] {
            std::fs::write(&path, &whole[..whole.len() - cut]).expect("room");
            assert_eq!(numbers(&path, "a").expect("a record"), [5]);
        }
        let error = numbers(&path, "b").expect_err("other games");
        assert!(error.ends_with("or delete it to begin anew"), "{error}");
    }

    #[test]
    fn a_damaged_line_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        let mut record = Record::open(&path, "a", &mut |_, _| {}).expect("a record");
        record.add(line(1)).expect("room");
        drop(record);
        let text = std::fs::read_to_string(&path).expect("a file");
        std::fs::write(&path, text.replace("\"plies\"", "\"piles\"")).expect("room");
        let error = numbers(&path, "a").expect_err("damage");
        assert!(error.contains("games:2: this line is no game"), "{error}");
    }

    #[test]
    fn digits_are_bytes() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(from_digits(&to_digits(&bytes)), Some(bytes));
        assert_eq!(from_digits("0"), None);
        assert_eq!(from_digits("0g"), None);
    }
}
