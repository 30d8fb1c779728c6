//! The replay buffer: the games of the latest shards of self-play, and the choice of
//! training positions from them.
//!
//! Only shards are stored; the buffer is read from them each time, so that it cannot be
//! lost. Games are kept, left out and repeated as a whole, which keeps them small on
//! disk; only [`Rebalance::Published`] cuts one. In memory, a game takes a few bytes for
//! each of its positions.
//!
//! `balance` chooses games and must not know how they are stored; `shards` reads and
//! writes them, and is the only part that knows their format. Nothing here knows
//! generations, arms of experiments or what is trained.

mod balance;
mod shards;

use std::{io, ops::Range, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::shard::ShardError;
use balance::{Part, as_published, repeated};

/// How the share of decisive games is reached.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Rebalance {
    /// Every game is used once; decisive games are then repeated, from the oldest on, until they
    /// reach the share. If they exceed it from the start, nothing is repeated or left out.
    #[default]
    WholeGames,
    /// As many positions as the buffer has: the share of them from decisive games, the rest from
    /// drawn ones, both starting from the oldest, repeated if there are too few, and without the
    /// newest if there are too many. This is what the published study did.
    Published,
}

/// Which games of a buffer are used for training.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Balance {
    /// The wanted share of positions from decisive games; by default the games stay as they are.
    pub decisive: Option<f64>,
    /// How that share is reached.
    pub rebalance: Rebalance,
}

/// Numbers of the games and positions that were chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Chosen {
    /// Games in the buffer.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Games that have been dropped from it.
    pub forgotten: u64,
    /// Training positions; repeated ones count each time.
    pub training_positions: u64,
    /// Training positions from decisive games.
    pub decisive_positions: u64,
    /// Validation positions.
    pub validation_positions: u64,
}

/// A shard from which the buffer is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its file, in which every game is one chain.
    pub path: PathBuf,
    /// Decides which of its games are held out: the same ones as long as they are in
    /// the buffer.
    pub seed: u64,
}

/// The chosen games cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {cause}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub cause: io::Error,
}

/// A game of the buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Game {
    /// Its place in the buffer's bytes.
    bytes: Range<usize>,
    /// How many training positions it has.
    positions: u64,
    is_decisive: bool,
    is_held_out: bool,
}

/// The games of some shards.
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    games: Vec<Game>,
    forgotten: u64,
}

impl Buffer {
    /// Reads shards, the oldest first, and drops the oldest games beyond `most` positions.
    /// About the share `held_out` of the games is held out.
    ///
    /// # Errors
    /// If a shard cannot be read, or is damaged.
    pub fn read(sources: &[Source], most: u64, held_out: f64) -> Result<Buffer, ShardError> {
        let mut buffer = Buffer::default();
        for source in sources {
            buffer.add(source, held_out)?;
        }
        let mut positions: u64 = buffer.games.iter().map(|game| game.positions).sum();
        let mut first = 0;
        while positions > most && first + 1 < buffer.games.len() {
            positions -= buffer.games[first].positions;
            first += 1;
        }
        buffer.games.drain(..first);
        buffer.forgotten = first as u64;
        buffer.hold_out_one(held_out);
        Ok(buffer)
    }

    /// If no games or all games happen to be held out, changes that for the newest one.
    fn hold_out_one(&mut self, share: f64) {
        let held_out = self.games.iter().filter(|game| game.is_held_out).count();
        if share == 0.0 || self.games.len() < 2 {
            self.games
                .iter_mut()
                .for_each(|game| game.is_held_out = false);
        } else if held_out == 0 || held_out == self.games.len() {
            let is_held_out = held_out == 0;
            if let Some(game) = self.games.last_mut() {
                game.is_held_out = is_held_out;
            }
        }
    }

    /// Writes the shards for training and validation, which have the same games if none
    /// is held out. The folders must exist.
    ///
    /// # Errors
    /// If a file cannot be written; the error names it.
    pub fn write(
        &self,
        balance: &Balance,
        [training, validation]: &[PathBuf; 2],
    ) -> Result<Chosen, WriteError> {
        let lesson: Vec<&Game> = self.games.iter().filter(|game| !game.is_held_out).collect();
        let mut judged: Vec<Part<'_>> = (self.games.iter())
            .filter(|game| game.is_held_out)
            .map(Part::whole)
            .collect();
        let parts = match (balance.decisive, balance.rebalance) {
            (None, _) => lesson.iter().copied().map(Part::whole).collect(),
            (Some(share), Rebalance::WholeGames) => repeated(&lesson, share),
            (Some(share), Rebalance::Published) => as_published(&lesson, share),
        };
        if judged.is_empty() {
            judged.clone_from(&parts);
        }
        for (path, parts) in [(training, &parts), (validation, &judged)] {
            let written = self.write_shard(path, parts);
            written.map_err(|cause| WriteError {
                path: path.clone(),
                cause,
            })?;
        }
        let count = |parts: &[Part<'_>]| parts.iter().map(|part| part.positions).sum();
        let decisive = parts.iter().filter(|part| part.game.is_decisive);
        Ok(Chosen {
            games: self.games.len() as u64,
            positions: self.games.iter().map(|game| game.positions).sum(),
            forgotten: self.forgotten,
            training_positions: count(&parts),
            decisive_positions: decisive.map(|part| part.positions).sum(),
            validation_positions: count(&judged),
        })
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
