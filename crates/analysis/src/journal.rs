//! The journal of an analysis: its conditions, then one line for each game that was
//! searched.
//!
//! It must not know how games are searched, nor what is made of the findings.

use crate::conditions::Conditions;
use crate::finding::Findings;
use data::journal::{Journal, JournalError, Kind, Syncing};
use data::pgn::Salvaged;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The version of the format.
const FORMAT: u32 = 1;

static KIND: Kind = Kind {
    work: "analysis",
    line: "game",
    remedy: "delete it to begin anew",
    syncing: Syncing::AtOnce,
};

/// The first line.
#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct Header {
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

/// An open journal, and what was found in the games of these numbers.
type Opened = (Journal<Header, GameLine>, BTreeMap<usize, Findings>);

/// Opens the journal of an analysis, or begins it; gives what it holds.
pub(crate) fn open(
    path: &Path,
    conditions: &Conditions,
    games: &[Salvaged],
) -> Result<Opened, JournalError> {
    let header = Header {
        kind: "analysis".to_owned(),
        format: FORMAT,
        // Names, numbers and texts can always be written.
        conditions: serde_json::to_value(conditions).unwrap_or_default(),
    };
    let mut found = BTreeMap::new();
    let journal = Journal::open(path, &KIND, &header, &mut |line: GameLine, _| {
        let game = games.get(line.game);
        if !game.is_some_and(|game| line.findings.fit(&game.game)) {
            return Err("this is no such game".to_owned());
        }
        found.insert(line.game, line.findings);
        Ok(())
    })?;
    Ok((journal, found))
}
