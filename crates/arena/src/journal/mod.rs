//! The journal of a match: the plan, then one line for each finished game. All other results are
//! derived from it.
//!
//! Lines reach the disk within a second. This module must not know how games are played.

mod line;

pub use data::journal::JournalError;
pub use line::{Finished, GameLine};

use crate::plan::Plan;
use crate::schedule::Schedule;
use data::journal::{self, Author, Build, Kind, Syncing};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The version of the format.
const FORMAT: u32 = 1;

static KIND: Kind = Kind {
    work: "match",
    line: "game",
    remedy: "give another folder with --out",
    syncing: Syncing::EverySecond,
};

/// The first line.
#[derive(Serialize, Deserialize, Debug)]
struct Header {
    fingerprint: String,
    format: u32,
    kind: String,
    plan: Value,
}

/// An open journal. No other process can open it.
#[derive(Debug)]
pub struct Journal {
    journal: journal::Journal<Header, GameLine>,
    /// The offset of each finished game's line.
    games: BTreeMap<usize, u64>,
}

impl Journal {
    /// Opens the journal of a plan with this schedule, or creates it. The finished games in it are
    /// passed to `each`, in file order.
    ///
    /// # Errors
    /// If it is in use, damaged or of another plan, or cannot be read or written.
    pub fn open(
        path: &Path,
        plan: &Plan,
        schedule: &Schedule,
        author: Option<&Author>,
        each: &mut dyn FnMut(&GameLine),
    ) -> Result<Journal, JournalError> {
        let author = author.filter(|_| plan.depends_on_build());
        let unwritable = |error: serde_json::Error| JournalError::File {
            path: path.to_owned(),
            cause: error.into(),
        };
        let header = Header {
            fingerprint: plan.fingerprint().map_err(unwritable)?,
            format: FORMAT,
            kind: "plan".to_owned(),
            plan: plan.to_value().map_err(unwritable)?,
        };
        let mut games = BTreeMap::new();
        let journal = journal::Journal::open(path, &KIND, &header, author, &mut |game, place| {
            check(&game, plan, schedule)?;
            if games.insert(game.index, place).is_some() {
                return Err(format!("game {} occurs twice", game.index));
            }
            each(&game);
            Ok(())
        })?;
        Ok(Journal { journal, games })
    }

    /// Appends the line of the finished game with this number.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: usize, line: Vec<u8>) -> Result<(), JournalError> {
        let place = self.journal.append_bytes(line)?;
        self.games.insert(game, place);
        Ok(())
    }

    /// Strikes out games that turned out to be wrong; they count as not played.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn strike(&mut self, games: &[usize]) -> Result<(), JournalError> {
        for game in games {
            if let Some(place) = self.games.remove(game) {
                self.journal.strike(place)?;
            }
        }
        self.journal.sync()
    }

    /// Syncs lines to the disk if they have waited long enough; to be called regularly.
    ///
    /// # Errors
    /// If the disk does not accept them.
    pub fn sync_if_due(&mut self) -> Result<(), JournalError> {
        self.journal.sync_if_due()
    }

    /// Syncs all lines to the disk.
    ///
    /// # Errors
    /// If the disk does not accept them.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.journal.sync()
    }

    /// The builds that have played, in order of their first game.
    pub fn builds(&self) -> &[Build] {
        self.journal.builds()
    }

    /// The numbers of the finished games.
    pub fn finished(&self) -> impl Iterator<Item = usize> {
        self.games.keys().copied()
    }

    /// The number of finished games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The finished games with numbers below a limit, in schedule order. Only one is in memory at a
    /// time.
    pub fn lines(&self, limit: usize) -> impl Iterator<Item = Result<GameLine, JournalError>> {
        let places = self.games.range(..limit);
        places.map(|(_, &place)| self.journal.read(place))
    }
}

/// Reads the finished games of a journal without locking it, for readers only.
///
/// # Errors
/// If it cannot be read, or is damaged.
pub fn look(path: &Path, each: &mut dyn FnMut(GameLine)) -> Result<(), JournalError> {
    journal::Journal::<Header, GameLine>::look(path, &KIND, &mut |game, _| {
        each(game);
        Ok(())
    })
}

/// Checks that a game belongs to the plan.
fn check(game: &GameLine, plan: &Plan, schedule: &Schedule) -> Result<(), String> {
    let index = game.index;
    if index >= schedule.games() {
        return Err(format!("the plan has no game {index}"));
    }
    let fixture = schedule.fixture(index);
    let names = [fixture.white, fixture.black].map(|number| plan.players[number].name.as_str());
    game.check_fixture(&fixture, names)?;
    match game.start().is_some() && game.moves().is_ok() {
        true => Ok(()),
        false => Err(format!("game {index} has an illegal move")),
    }
}
