//! The journal of an analysis: its conditions, then one line for each game that was
//! searched. It is only ever appended to; whoever was killed in the middle of a line
//! finds a torn one at the end, which is dropped.
//!
//! It must not know how games are searched, nor what is made of the findings.

use crate::conditions::Conditions;
use crate::finding::Findings;
use data::journal::JournalFile;
use data::pgn::Salvaged;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// What marks the first line.
const KIND: &str = "analysis";
/// The version of the format.
const FORMAT: u32 = 1;

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
    #[error("{}: another process is at work on this analysis", .0.display())]
    InUse(PathBuf),
    /// It is of another analysis.
    #[error(
        "{}: unfinished work of another analysis: {place} is {theirs} there and {ours} here; \
         delete the file, or give another output", path.display()
    )]
    Other {
        /// The journal.
        path: PathBuf,
        /// Where they differ.
        place: String,
        /// What the journal says.
        theirs: String,
        /// What is wanted.
        ours: String,
    },
    /// A line is not what it should be.
    #[error("{}:{line}: {problem}; delete the file to begin anew", path.display())]
    Line {
        /// The journal.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Header {
    kind: String,
    format: u32,
    conditions: Value,
}

/// The line of a game.
#[derive(Serialize, Deserialize)]
pub(crate) struct GameLine {
    /// Its number, from 0.
    game: usize,
    findings: Findings,
}

impl GameLine {
    pub(crate) fn new(game: usize, findings: Findings) -> GameLine {
        GameLine { game, findings }
    }
}

/// An open journal. No other process can open it.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: JournalFile,
}

impl Journal {
    /// Opens the journal of an analysis, or begins it; gives what it holds.
    pub(crate) fn open(
        path: &Path,
        conditions: &Conditions,
        games: &[Salvaged],
    ) -> Result<(Journal, BTreeMap<usize, Findings>), JournalError> {
        let wrong = |cause| JournalError::File {
            path: path.to_owned(),
            cause,
        };
        let mut file = JournalFile::open(path).map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::InUse(path.to_owned()),
            TryLockError::Error(cause) => wrong(cause),
        })?;
        let text = file.read().map_err(wrong)?;
        let found = read(path, &text, conditions, games)?;
        file.cut(text.len() as u64).map_err(wrong)?;
        let mut journal = Journal {
            path: path.to_owned(),
            file,
        };
        if text.is_empty() {
            let header = Header {
                kind: KIND.to_owned(),
                format: FORMAT,
                conditions: value_of(conditions),
            };
            let line = serde_json::to_vec(&header).map_err(|error| wrong(error.into()))?;
            journal.append(line)?;
        }
        Ok((journal, found))
    }

    /// Adds the line of a game; gives what it says.
    pub(crate) fn add(&mut self, line: Vec<u8>) -> Result<(usize, Findings), JournalError> {
        let wrong = |error: serde_json::Error| JournalError::File {
            path: self.path.clone(),
            cause: error.into(),
        };
        let GameLine { game, findings } = serde_json::from_slice(&line).map_err(wrong)?;
        self.append(line)?;
        Ok((game, findings))
    }

    /// Takes the file away: everything was made of it.
    pub(crate) fn remove(path: &Path) -> Result<(), JournalError> {
        fs::remove_file(path).map_err(|cause| JournalError::File {
            path: path.to_owned(),
            cause,
        })
    }

    fn append(&mut self, line: Vec<u8>) -> Result<(), JournalError> {
        let written = self.file.append(line).and_then(|_| self.file.sync());
        written.map_err(|cause| JournalError::File {
            path: self.path.clone(),
            cause,
        })
    }
}

fn value_of(conditions: &Conditions) -> Value {
    serde_json::to_value(conditions).unwrap_or_default()
}

fn read(
    path: &Path,
    text: &[u8],
    conditions: &Conditions,
    games: &[Salvaged],
) -> Result<BTreeMap<usize, Findings>, JournalError> {
    let problem = |line, problem: String| JournalError::Line {
        path: path.to_owned(),
        line,
        problem,
    };
    let mut found = BTreeMap::new();
    let lines = text
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    for (index, line) in lines.enumerate() {
        let number = index + 1;
        let refused = |error: serde_json::Error| {
            problem(number, format!("no journal of an analysis: {error}"))
        };
        if index == 0 {
            let header: Header = serde_json::from_slice(line).map_err(refused)?;
            if header.kind != KIND || header.format != FORMAT {
                let told = format!("the format {} {} is not known", header.kind, header.format);
                return Err(problem(number, told));
            }
            compare(path, &header.conditions, &value_of(conditions))?;
            continue;
        }
        let line: GameLine = serde_json::from_slice(line).map_err(refused)?;
        let game = games.get(line.game);
        if !game.is_some_and(|game| line.findings.fit(&game.game)) {
            return Err(problem(number, "this is no such game".to_owned()));
        }
        found.insert(line.game, line.findings);
    }
    Ok(found)
}

/// Names the first place where two conditions differ.
fn compare(path: &Path, theirs: &Value, ours: &Value) -> Result<(), JournalError> {
    let Some(place) = difference(theirs, ours) else {
        return Ok(());
    };
    let at = |value: &Value| {
        let pointer = format!("/{}", place.replace('.', "/"));
        value
            .pointer(&pointer)
            .map_or_else(|| "nothing".to_owned(), Value::to_string)
    };
    Err(JournalError::Other {
        path: path.to_owned(),
        theirs: at(theirs),
        ours: at(ours),
        place,
    })
}

fn difference(theirs: &Value, ours: &Value) -> Option<String> {
    let (Value::Object(left), Value::Object(right)) = (theirs, ours) else {
        return (theirs != ours).then(String::new);
    };
    let names = left.keys().chain(right.keys());
    names.into_iter().find_map(|name| {
        let nothing = Value::Null;
        let (left, right) = (left.get(name), right.get(name));
        let inner = difference(left.unwrap_or(&nothing), right.unwrap_or(&nothing))?;
        Some(match inner.is_empty() {
            true => name.clone(),
            false => format!("{name}.{inner}"),
        })
    })
}
