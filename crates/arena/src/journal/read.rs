//! Reads a journal that is there already: is it of this plan, which games does
//! it hold, and where does its last whole line end?

use super::FORMAT;
use super::line::{GameLine, KIND};
use crate::plan::{Plan, difference};
use crate::schedule::{Fixture, Schedule};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

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
    #[error("{}: another process is playing this match", .0.display())]
    InUse(PathBuf),
    /// It is of another plan.
    #[error(
        "{}: the journal is of another plan: {place} is {theirs} there and {ours} here; \
         give another folder with --out", path.display()
    )]
    OtherPlan {
        /// The journal.
        path: PathBuf,
        /// Where the plans differ.
        place: String,
        /// What the journal says.
        theirs: String,
        /// What the plan says.
        ours: String,
    },
    /// A line is not what it should be.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// The journal.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// What a file holds.
pub(super) enum Contents {
    /// No whole line: the journal has not begun.
    Nothing,
    /// Games, up to the last whole line.
    Games {
        length: u64,
        games: BTreeMap<usize, u64>,
    },
}

/// The first line.
#[derive(Deserialize)]
struct Header {
    kind: String,
    format: u32,
    plan: Value,
}

/// Reads all whole lines and gives each game to `each`.
pub(super) fn read(
    path: &Path,
    file: &File,
    plan: &Plan,
    each: &mut dyn FnMut(&GameLine),
) -> Result<Contents, JournalError> {
    let schedule = plan.schedule().map_err(|error| JournalError::Line {
        path: path.to_owned(),
        line: 1,
        problem: error.to_string(),
    })?;
    let mut reading = Reading {
        path,
        lines: BufReader::new(file),
        line: Vec::new(),
        number: 0,
        offset: 0,
    };
    let Some(_) = reading.next_line()? else {
        return Ok(Contents::Nothing);
    };
    reading.check_header(plan)?;
    let mut games = BTreeMap::new();
    while let Some(offset) = reading.next_line()? {
        let game = reading.game(plan, &schedule)?;
        if games.insert(game.index, offset).is_some() {
            return Err(reading.problem(format!("game {} stands twice", game.index)));
        }
        each(&game);
    }
    Ok(Contents::Games {
        length: reading.offset,
        games,
    })
}

struct Reading<'a> {
    path: &'a Path,
    lines: BufReader<&'a File>,
    line: Vec<u8>,
    number: usize,
    /// Where the next line begins.
    offset: u64,
}

impl Reading<'_> {
    /// Reads the next whole line and tells where it begins. A last line without
    /// an end was torn: it counts as not written.
    fn next_line(&mut self) -> Result<Option<u64>, JournalError> {
        self.line.clear();
        let read = self.lines.read_until(b'\n', &mut self.line);
        read.map_err(|cause| JournalError::File {
            path: self.path.to_owned(),
            cause,
        })?;
        if self.line.last() != Some(&b'\n') {
            return Ok(None);
        }
        let begin = self.offset;
        self.offset += self.line.len() as u64;
        self.number += 1;
        Ok(Some(begin))
    }

    fn check_header(&self, plan: &Plan) -> Result<(), JournalError> {
        let header: Header = serde_json::from_slice(&self.line)
            .map_err(|error| self.problem(format!("this is no journal of a match: {error}")))?;
        if header.kind != "plan" || header.format != FORMAT {
            return Err(self.problem(format!(
                "the format is {} {}, and only plan {FORMAT} is known",
                header.kind, header.format
            )));
        }
        match difference(&header.plan, &plan.to_value()) {
            None => Ok(()),
            Some([place, theirs, ours]) => Err(JournalError::OtherPlan {
                path: self.path.to_owned(),
                place,
                theirs,
                ours,
            }),
        }
    }

    /// The game in the line, if it is one of the plan.
    fn game(&self, plan: &Plan, schedule: &Schedule) -> Result<GameLine, JournalError> {
        let game: GameLine = serde_json::from_slice(&self.line)
            .map_err(|error| self.problem(format!("this is no {KIND}: {error}")))?;
        if game.index >= schedule.games() {
            return Err(self.problem(format!("the plan has no game {}", game.index)));
        }
        let Fixture {
            pair,
            round,
            white,
            black,
            ..
        } = schedule.fixture(game.index);
        let names = (
            plan.players[white].name.as_str(),
            plan.players[black].name.as_str(),
        );
        let said = (game.white.as_str(), game.black.as_str());
        if (pair, round, names) != (game.pair, game.round, said) {
            return Err(self.problem(format!(
                "game {} is not between {} and {} in round {round}",
                game.index, names.0, names.1
            )));
        }
        let is_legal = game.start().is_some() && game.moves().is_ok();
        if !is_legal {
            return Err(self.problem(format!("game {} has an illegal move", game.index)));
        }
        Ok(game)
    }

    fn problem(&self, problem: String) -> JournalError {
        JournalError::Line {
            path: self.path.to_owned(),
            line: self.number,
            problem,
        }
    }
}
