//! Files of lines that only grow, written by one process at a time: what long
//! work remembers across kills.
//!
//! A kill may tear the last line, a full disk any; what is torn is dropped, and
//! nothing that is written later ever stands behind it. This module knows
//! nothing of what the lines say.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::file;

/// A file of lines that this process alone may write.
#[derive(Debug)]
pub struct JournalFile {
    file: File,
    length: u64,
}

impl JournalFile {
    /// Opens a journal, or begins it. What it holds is to be read, and
    /// [cut](Self::cut) behind its last whole line, before anything is added.
    ///
    /// # Errors
    /// If it cannot be opened, or another process has.
    pub fn open(path: &Path) -> Result<JournalFile, TryLockError> {
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(TryLockError::Error)?;
        file.try_lock()?;
        // The name of a new file is kept only once the folder is.
        file::sync_folder_of(path).map_err(TryLockError::Error)?;
        Ok(JournalFile { file, length: 0 })
    }

    /// The file, to be read from its beginning.
    pub fn reader(&self) -> &File {
        &self.file
    }

    /// All whole lines.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut bytes)?;
        drop_torn_line(&mut bytes);
        Ok(bytes)
    }

    /// Drops what stands behind this place, where the next line will be.
    ///
    /// # Errors
    /// If the file cannot be changed.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length))?;
        self.length = length;
        Ok(())
    }

    /// Adds a line, given without its end; the place where it begins.
    ///
    /// # Errors
    /// If it cannot be written; then nothing of it remains.
    pub fn append(&mut self, mut line: Vec<u8>) -> io::Result<u64> {
        line.push(b'\n');
        let place = self.length;
        if let Err(cause) = self.file.write_all(&line) {
            // If even this fails, the next reader drops the torn line.
            let _ = self.cut(place);
            return Err(cause);
        }
        self.length += line.len() as u64;
        Ok(place)
    }

    /// Brings all lines to the disk.
    ///
    /// # Errors
    /// If the disk does not take them.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Drops what follows the last end of a line.
pub fn drop_torn_line(bytes: &mut Vec<u8>) {
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    bytes.truncate(end.map_or(0, |end| end + 1));
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
        let whole = journal.read().expect("read");
        assert_eq!(whole, b"one\ntwo\n");
        journal.cut(whole.len() as u64).expect("cut");
        assert_eq!(journal.append(b"three".to_vec()).expect("added"), 8);
        assert_eq!(journal.append(b"four".to_vec()).expect("added"), 14);
        journal.sync().expect("synced");
        assert_eq!(
            std::fs::read(&path).expect("readable"),
            b"one\ntwo\nthree\nfour\n"
        );
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
        // Every write to this device fails for want of room.
        let file = OpenOptions::new().write(true).open("/dev/full");
        let file = file.expect("Linux has it");
        let mut journal = JournalFile { file, length: 0 };
        journal.append(b"one".to_vec()).expect_err("no room");
        assert_eq!(journal.length, 0);
    }
}
