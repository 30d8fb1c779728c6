//! The journal of an analysis: its conditions, then one line for each finished game.
//!
//! Only the offsets of the lines are in memory. This module must not know how games are searched,
//! nor what becomes of the findings.

use crate::conditions::Conditions;
use crate::finding::Findings;
use data::journal::{self, Author, Build, Journal, JournalError, Kind, Syncing};
use data::pgn::Game;
use engines::StopSignal;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The version of the format.
const FORMAT: u32 = 1;

static KIND: Kind = Kind {
    work: "analysis",
    line: "game",
    remedy: "delete it to start over",
    syncing: Syncing::AtOnce,
};

/// The error for findings that cannot belong to a game.
const NO_SUCH_GAME: &str = "the file has no such game";

/// The first line.
#[derive(Serialize, Deserialize, Debug)]
struct Header {
    kind: String,
    format: u32,
    conditions: Value,
}

/// The line of a game.
#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct GameLine {
    /// Its number, from 0.
    pub(crate) game: usize,
    pub(crate) findings: Findings,
}

/// The conditions without the program's version: the journal itself records the builds that worked
/// on it.
fn without_program(conditions: &Conditions) -> serde_json::Result<Value> {
    let mut value = serde_json::to_value(conditions)?;
    if let Some(table) = value.as_object_mut() {
        table.remove("program");
    }
    Ok(value)
}

/// The findings of an open journal.
pub struct Found {
    path: PathBuf,
    journal: Journal<Header, GameLine>,
    /// The offset of each game's line, if it has one.
    places: Vec<Option<u64>>,
}

impl Found {
    /// Opens the journal of an analysis of this many games, or creates it. Once `stop` is set, the
    /// next line ends the reading with an error.
    pub(crate) fn open(
        path: &Path,
        conditions: &Conditions,
        author: Option<&Author>,
        games: usize,
        stop: &StopSignal,
    ) -> Result<Found, JournalError> {
        let header = Header {
            kind: "analysis".to_owned(),
            format: FORMAT,
            conditions: without_program(conditions).map_err(|error| JournalError::File {
                path: path.to_owned(),
                cause: error.into(),
            })?,
        };
        let mut places = vec![None; games];
        let each = &mut |line: GameLine, begin| {
            if stop.is_stopped() {
                return Err("stopped".to_owned());
            }
            // Every game is searched once, so a second line for a game is an error.
            match places.get_mut(line.game) {
                Some(place @ None) => *place = Some(begin),
                _ => return Err(NO_SUCH_GAME.to_owned()),
            }
            Ok(())
        };
        let journal = Journal::open(path, &KIND, &header, author, each)?;
        Ok(Found {
            path: path.to_owned(),
            journal,
            places,
        })
    }

    /// Appends the line of the game with this number.
    pub(crate) fn keep(&mut self, game: usize, line: Vec<u8>) -> Result<(), JournalError> {
        let place = self.journal.append_bytes(line)?;
        if let Some(kept) = self.places.get_mut(game) {
            *kept = Some(place);
        }
        Ok(())
    }

    /// Which games are finished.
    pub(crate) fn finished(&self) -> Vec<bool> {
        self.places.iter().map(Option::is_some).collect()
    }

    /// The findings of the game with this number, from 0.
    ///
    /// # Errors
    /// If they cannot be read back, or cannot belong to this game.
    pub fn findings(&self, number: usize, game: &Game) -> Result<Findings, JournalError> {
        let Some(place) = self.places.get(number).copied().flatten() else {
            return Err(JournalError::File {
                path: self.path.clone(),
                cause: std::io::Error::other(NO_SUCH_GAME),
            });
        };
        let line = self.journal.read(place)?;
        match line.findings.fit(game) {
            true => Ok(line.findings),
            false => Err(self.journal.wrong_line(place, NO_SUCH_GAME.to_owned())),
        }
    }

    /// The builds of the program that have searched, first one first.
    pub fn builds(&self) -> &[Build] {
        self.journal.builds()
    }

    /// Removes the journal, once all outputs have been made from it.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn forget(self) -> Result<(), JournalError> {
        // Some systems cannot remove open files.
        drop(self.journal);
        journal::remove(&self.path)
    }
}
