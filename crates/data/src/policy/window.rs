//! The replay window: the games of the latest policy shards, for training.
//!
//! Only shards are stored; the window is read from them each time. Games are kept and
//! dropped as a whole, and a held-out game stays held out as long as it is in the window.

use super::packed::PackedRecords;
use super::shard::{PolicyShardError, PolicyWriter};
use crate::position::Outcome;
use crate::random;
use crate::replay::{Chosen, Source};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Why a window cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// A shard cannot be read.
    #[error(transparent)]
    Read(#[from] PolicyShardError),
    /// The chosen games cannot be written.
    #[error("cannot write {}: {cause}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
}

/// The games of some shards.
#[derive(Debug, Default)]
pub struct Window {
    records: PackedRecords,
    games: Vec<Game>,
    forgotten: u64,
}

#[derive(Clone, Debug)]
struct Game {
    numbers: Range<u32>,
    is_held_out: bool,
}

impl Window {
    /// Reads shards, the oldest first, and drops the oldest games beyond `most` positions.
    /// About the share `held_out` of the games is held out.
    ///
    /// # Errors
    /// If a shard cannot be read, or is damaged.
    pub fn read(sources: &[Source], most: u64, held_out: f64) -> Result<Window, WindowError> {
        let mut window = Window::default();
        for source in sources {
            let known = window.games.len();
            window.records.add(&source.path)?;
            let new = window.records.games().skip(known);
            let games: Vec<Game> = (0..)
                .zip(new)
                .map(|(number, numbers)| Game {
                    numbers,
                    is_held_out: random::chance(
                        &mut random::generator(source.seed, number),
                        held_out,
                    ),
                })
                .collect();
            window.games.extend(games);
        }
        window.forget(most);
        window.hold_out_one(held_out);
        Ok(window)
    }

    fn forget(&mut self, most: u64) {
        let mut positions = self.records.len() as u64;
        let mut first = 0;
        while positions > most && first + 1 < self.games.len() {
            positions -= self.games[first].numbers.len() as u64;
            first += 1;
        }
        self.games.drain(..first);
        self.forgotten = first as u64;
    }

    /// If no games or all games happen to be held out, changes that for the newest one.
    fn hold_out_one(&mut self, share: f64) {
        let held_out = self.games.iter().filter(|game| game.is_held_out).count();
        let may_choose = share > 0.0 && self.games.len() > 1;
        if may_choose && (held_out == 0 || held_out == self.games.len()) {
            if let Some(game) = self.games.last_mut() {
                game.is_held_out = held_out == 0;
            }
        } else if !may_choose {
            (self.games.iter_mut()).for_each(|game| game.is_held_out = false);
        }
    }

    /// Writes the shards for training and validation, which have the same games if none is
    /// held out. The folders must exist.
    ///
    /// # Errors
    /// If a file cannot be written; the error names it.
    pub fn write(&self, [training, validation]: &[PathBuf; 2]) -> Result<Chosen, WindowError> {
        let part = |wanted: bool| -> Vec<&Game> {
            let games = self.games.iter();
            games.filter(|game| game.is_held_out == wanted).collect()
        };
        let lesson = part(false);
        let judged = match part(true) {
            none if none.is_empty() => lesson.clone(),
            some => some,
        };
        let mut chosen = Chosen {
            games: self.games.len() as u64,
            positions: self
                .games
                .iter()
                .map(|game| game.numbers.len() as u64)
                .sum(),
            forgotten: self.forgotten,
            ..Chosen::default()
        };
        (chosen.training_positions, chosen.decisive_positions) = self.shard(training, &lesson)?;
        (chosen.validation_positions, _) = self.shard(validation, &judged)?;
        Ok(chosen)
    }

    /// Writes games as a shard; returns the number of positions, and of those from decisive
    /// games.
    fn shard(&self, path: &Path, games: &[&Game]) -> Result<(u64, u64), WindowError> {
        let wrong = |cause| WindowError::Write {
            path: path.to_owned(),
            cause,
        };
        let mut writer = PolicyWriter::begin(path).map_err(wrong)?;
        let mut decisive = 0;
        for number in games.iter().flat_map(|game| game.numbers.clone()) {
            let record = self.records.get(number as usize);
            decisive += u64::from(record.result != Outcome::Draw);
            writer.push(&record).map_err(wrong)?;
        }
        let positions = writer.records();
        writer.finish().map_err(wrong)?;
        Ok((positions, decisive))
    }
}
