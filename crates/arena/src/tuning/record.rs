//! The record of a tuning: its plan, then one line for each iteration.
//!
//! Lines are only appended, each synced. A torn last line, left by a kill, is
//! dropped; its iteration is played again.

use data::journal::JournalFile;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};

/// What one iteration gave.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Iteration {
    /// Its number, from 0.
    pub iteration: usize,
    /// Wins less losses of the one side, in pairs.
    pub surplus: f64,
    /// Where the constants stood after it.
    pub values: Vec<f64>,
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
    /// Another process writes it.
    #[error("{}: another process is at this tuning", .0.display())]
    InUse(PathBuf),
    /// It belongs to something else.
    #[error(
        "{} is the record of another tuning; give the same settings, or another --out",
        .0.display()
    )]
    Foreign(PathBuf),
    /// A line in the middle is broken.
    #[error("{}:{line}: this line is no iteration; restore the file or begin anew in another --out", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

/// An open record.
#[derive(Debug)]
pub(super) struct Record {
    path: PathBuf,
    file: JournalFile,
}

impl Record {
    /// Opens the record of a plan, or begins it; and the iterations in it.
    pub(super) fn open(path: &Path, plan: &Value) -> Result<(Record, Vec<Iteration>), RecordError> {
        let wrong = |cause| RecordError::File {
            path: path.to_owned(),
            cause,
        };
        let mut file = JournalFile::open(path).map_err(|error| match error {
            TryLockError::WouldBlock => RecordError::InUse(path.to_owned()),
            TryLockError::Error(cause) => wrong(cause),
        })?;
        let whole = file.read().map_err(wrong)?;
        let mut lines = whole.split_inclusive(|&byte| byte == b'\n').enumerate();
        let mut record = Record {
            path: path.to_owned(),
            file,
        };
        match lines.next() {
            None => {
                record.file.cut(0).map_err(wrong)?;
                record.append(plan)?;
                return Ok((record, Vec::new()));
            }
            Some((_, first)) => {
                let told: Option<Value> = serde_json::from_slice(first).ok();
                if told.as_ref() != Some(plan) {
                    return Err(RecordError::Foreign(path.to_owned()));
                }
            }
        }
        let iterations = lines
            .enumerate()
            .map(|(expected, (index, line))| {
                serde_json::from_slice(line)
                    .ok()
                    .filter(|found: &Iteration| found.iteration == expected)
                    .ok_or_else(|| RecordError::Broken {
                        path: path.to_owned(),
                        line: index + 1,
                    })
            })
            .collect::<Result<_, _>>()?;
        record.file.cut(whole.len() as u64).map_err(wrong)?;
        Ok((record, iterations))
    }

    /// Adds a line, and waits until it is on the disk.
    pub(super) fn append(&mut self, line: &impl Serialize) -> Result<(), RecordError> {
        let written = serde_json::to_vec(line)
            .map_err(io::Error::from)
            .and_then(|line| {
                self.file.append(line)?;
                self.file.sync()
            });
        written.map_err(|cause| RecordError::File {
            path: self.path.clone(),
            cause,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn iteration(number: usize) -> Iteration {
        Iteration {
            iteration: number,
            surplus: 1.0,
            values: vec![0.1, 2.5],
        }
    }

    #[test]
    fn a_torn_line_is_dropped_and_the_rest_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("record.jsonl");
        let plan = json!({"seed": 1});
        let (mut record, none) = Record::open(&path, &plan).expect("a record");
        assert_eq!(none, []);
        record.append(&iteration(0)).expect("written");
        record.append(&iteration(1)).expect("written");
        drop(record);
        let whole = std::fs::read(&path).expect("a file");
        for cut in 1..20 {
            std::fs::write(&path, &whole[..whole.len() - cut]).expect("written");
            let (mut record, kept) = Record::open(&path, &plan).expect("a record");
            assert_eq!(kept, [iteration(0)]);
            record.append(&iteration(1)).expect("written");
            assert_eq!(std::fs::read(&path).expect("a file"), whole);
        }
    }

    #[test]
    fn foreign_and_broken_records_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("record.jsonl");
        std::fs::write(&path, "{\"seed\":1}\n{}\n{\"iteration\":1}\n").expect("written");
        let error = Record::open(&path, &json!({"seed": 2})).expect_err("foreign");
        assert!(matches!(error, RecordError::Foreign(_)));
        let error = Record::open(&path, &json!({"seed": 1})).expect_err("broken");
        assert!(error.to_string().contains("record.jsonl:2:"), "{error}");
    }
}
