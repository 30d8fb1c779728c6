//! Append-only files of lines, written by one process at a time.
//!
//! A kill may leave the last line incomplete, and a full disk any line; an incomplete
//! line is dropped before anything is written after it. A line that turned out to be
//! wrong is struck out by changing its first byte, which is atomic. This module must not
//! know the contents of lines.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::file;

/// The most bytes of a line. The analysis of a very long game with many lines takes a tenth
/// of that; a file with longer lines is not a journal, and may be endless.
pub(super) const LONGEST_LINE: usize = 1 << 26;

/// The first byte of a line that was struck out.
pub(super) const STRUCK: u8 = b'#';

/// How many bytes of a line are read at a time if its length is not known.
const READ_AT_ONCE: u64 = 1 << 13;

/// A file of lines that is locked for writing by this process.
#[derive(Debug)]
pub(super) struct JournalFile {
    file: File,
    length: u64,
}

impl JournalFile {
    /// Opens a journal, or creates it. Its contents must be read, and [cut](Self::cut)
    /// after the last whole line, before anything is added.
    pub(super) fn open(path: &Path) -> Result<JournalFile, TryLockError> {
        check_regular(path).map_err(TryLockError::Error)?;
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(TryLockError::Error)?;
        file.try_lock()?;
        // The name of a new file is durable only once the folder is synced.
        file::sync_folder_of(path).map_err(TryLockError::Error)?;
        Ok(JournalFile { file, length: 0 })
    }

    /// Its complete lines, from the first.
    pub(super) fn lines(&self) -> Lines<&File> {
        Lines::new(&self.file)
    }

    /// Truncates the file to this length, where the next line will begin.
    pub(super) fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length))?;
        self.length = length;
        Ok(())
    }

    /// Adds a line, given without its newline, and returns where it begins. If it cannot
    /// be written, no part of it remains.
    pub(super) fn append(&mut self, mut line: Vec<u8>) -> io::Result<u64> {
        if line.len() > LONGEST_LINE {
            return Err(too_long());
        }
        line.push(b'\n');
        let place = self.length;
        if let Err(cause) = self.file.write_all(&line) {
            // If even this fails, the next reader drops the incomplete line.
            let _ = self.cut(place);
            return Err(cause);
        }
        self.length += line.len() as u64;
        Ok(place)
    }

    /// Strikes out the line that begins here.
    pub(super) fn strike(&mut self, place: u64) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(place))?;
        let written = self.file.write_all(&[STRUCK]);
        self.file.seek(SeekFrom::Start(self.length))?;
        written
    }

    /// Syncs all lines to disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// The line that begins here, without its newline.
    pub(super) fn line_at(&self, place: u64) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        loop {
            let begin = line.len();
            let left = self.length.saturating_sub(place + begin as u64);
            if left == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            line.resize(begin + left.min(READ_AT_ONCE) as usize, 0);
            file::read_exact_at(&self.file, &mut line[begin..], place + begin as u64)?;
            if let Some(end) = memchr::memchr(b'\n', &line[begin..]) {
                line.truncate(begin + end);
                return Ok(line);
            }
        }
    }

    /// The number of the line that begins here, from 1.
    pub(super) fn number_of_line(&self, place: u64) -> io::Result<usize> {
        let mut before = vec![0; READ_AT_ONCE as usize];
        let (mut lines, mut begin) = (1, 0);
        while begin < place {
            let count = (place - begin).min(READ_AT_ONCE);
            let piece = &mut before[..count as usize];
            file::read_exact_at(&self.file, piece, begin)?;
            lines += memchr::memchr_iter(b'\n', piece).count();
            begin += count;
        }
        Ok(lines)
    }
}

/// Opens a journal only to read its lines.
pub(super) fn look(path: &Path) -> io::Result<Lines<File>> {
    check_regular(path)?;
    File::open(path).map(Lines::new)
}

/// Whether a process is writing it.
pub(super) fn is_locked(path: &Path) -> bool {
    let file = check_regular(path).and_then(|()| File::open(path));
    file.is_ok_and(|file| file.try_lock().is_err())
}

/// Reads complete lines one after another.
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    /// Where the next one begins.
    pub(super) end: u64,
}

impl<R: Read> Lines<R> {
    fn new(file: R) -> Lines<R> {
        Lines {
            reader: BufReader::new(file),
            line: Vec::new(),
            end: 0,
        }
    }

    /// The next complete line, and where it begins. A last line without a newline is
    /// incomplete and counts as not written.
    pub(super) fn next(&mut self) -> io::Result<Option<(&[u8], u64)>> {
        self.line.clear();
        let mut reader = self.reader.by_ref().take(LONGEST_LINE as u64 + 1);
        reader.read_until(b'\n', &mut self.line)?;
        if self.line.last() != Some(&b'\n') {
            return match self.line.len() > LONGEST_LINE {
                true => Err(too_long()),
                false => Ok(None),
            };
        }
        let begin = self.end;
        self.end += self.line.len() as u64;
        Ok(Some((&self.line, begin)))
    }
}

/// Refuses folders, pipes and devices: some can be opened and are endless.
fn check_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "this is not a regular file",
        )),
        // Opening it will report any other problem.
        _ => Ok(()),
    }
}

fn too_long() -> io::Error {
    let words = format!("a line is longer than {} MiB", LONGEST_LINE >> 20);
    io::Error::new(io::ErrorKind::InvalidData, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_and_a_torn_one_is_not() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("games.jsonl");
        std::fs::write(&path, "one\ntwo\nthr").expect("written");
        let mut journal = JournalFile::open(&path).expect("opened");
        let mut lines = journal.lines();
        assert_eq!(lines.next().expect("read"), Some((&b"one\n"[..], 0)));
        assert_eq!(lines.next().expect("read"), Some((&b"two\n"[..], 4)));
        assert_eq!(lines.next().expect("read"), None);
        let end = lines.end;
        journal.cut(end).expect("cut");
        assert_eq!(journal.append(b"three".to_vec()).expect("added"), 8);
        assert_eq!(journal.append(b"four".to_vec()).expect("added"), 14);
        journal.sync().expect("synced");
        assert_eq!(
            std::fs::read(&path).expect("readable"),
            b"one\ntwo\nthree\nfour\n"
        );
        assert_eq!(journal.line_at(8).expect("a line"), b"three");
        assert!(journal.line_at(19).is_err());
    }

    #[test]
    fn a_long_line_is_read_by_its_place() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let mut journal = JournalFile::open(&folder.path().join("a")).expect("opened");
        let lengths = [0, 1, 8191, 8192, 8193, 40_000];
        let places = lengths.map(|length| journal.append(vec![b'x'; length]).expect("added"));
        for (length, place) in lengths.into_iter().zip(places) {
            let line = journal.line_at(place).expect("a line");
            assert!(line == vec![b'x'; length], "{length}");
        }
        let numbers = places.map(|place| journal.number_of_line(place).expect("readable"));
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn a_journal_has_one_writer() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("games.jsonl");
        let first = JournalFile::open(&path).expect("opened");
        let second = JournalFile::open(&path).expect_err("in use");
        assert!(matches!(second, TryLockError::WouldBlock));
        drop(first);
        JournalFile::open(&path).expect("free again");
    }

    #[test]
    fn a_line_that_does_not_fit_leaves_nothing() {
        // Every write to this device fails as on a full disk.
        let file = OpenOptions::new().write(true).open("/dev/full");
        let file = file.expect("Linux has it");
        let mut journal = JournalFile { file, length: 0 };
        journal.append(b"one".to_vec()).expect_err("no room");
        assert_eq!(journal.length, 0);
    }
}
