//! The replay buffer: the games of the latest shards of self-play, and what is
//! learned from of them.
//!
//! Shards are the truth; the buffer is read from them anew each time, so that nothing
//! of it can be lost. Games are kept, left out and repeated as a whole, which keeps
//! them short on disk; only [`Rebalance::Published`] cuts one. A game takes a few
//! bytes for each of its positions in memory.
//!
//! `balance` chooses games and must not know how they are stored; `shards` reads and
//! writes them, and alone knows their format. It must not know generations, arms or
//! what is learned.

mod balance;
mod shards;

use std::{io, ops::Range, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::shard::ShardError;
use balance::{Part, as_published, repeated};

/// How the share of decisive games is brought about.
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

/// What is learned from of the games of a buffer.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Balance {
    /// The share of positions of decisive games; as they come by default.
    pub decisive: Option<f64>,
    /// How that share comes about.
    pub rebalance: Rebalance,
}

/// What was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Chosen {
    /// Games in the buffer.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Games that have left it.
    pub forgotten: u64,
    /// Positions that are learned from, repeated ones as often.
    pub training_positions: u64,
    /// Those of them that belong to decisive games.
    pub decisive_positions: u64,
    /// Positions that are judged by.
    pub validation_positions: u64,
}

/// A shard that the buffer is read from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its file, in which every game is a chain.
    pub path: PathBuf,
    /// Decides which of its games are held out: always the same, for as long as
    /// they are in the buffer.
    pub seed: u64,
}

/// What is chosen cannot be written.
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
    /// Positions that can be learned from.
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
    /// Reads shards, the oldest first, and forgets the oldest games beyond so many
    /// positions. About this share of the games is held out.
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

    /// If chance held out no game or all of them, the newest decides the matter.
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

    /// Writes what is learned from and what is judged by, which is the same if no
    /// game is held out. The folders must be there.
    ///
    /// # Errors
    /// If a file cannot be written; it is named.
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
