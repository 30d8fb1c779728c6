//! The replay buffer: the games of the latest generations, and what is learned
//! from of them.
//!
//! Shards are the truth; the buffer is read from them anew for each generation, so
//! that nothing of it can be lost. Games are kept, left out and repeated as a
//! whole, which keeps their chains short on disk; only the published rule cuts one.
//! A game takes a few bytes for each of its positions in memory.

use crate::error::LabError;
use crate::folder::make_parent;
use crate::seeds::{self, Purpose};
use crate::settings::BufferSettings;
use data::binpack::{Chunk, ChunkReader, ChunkWriter, Encoder, Positions};
use data::pgn::Source;
use data::position::Outcome;
use data::random;
use data::shard::ShardError;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How the share of decisive games is brought about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rebalance {
    /// Every game once; then decisive games again, from the oldest, over and over,
    /// until they have at least the share of all positions. If they have more to
    /// begin with, nothing is repeated or left out.
    #[default]
    WholeGames,
    /// As many positions as the buffer has: the share of them from decisive games,
    /// the rest from drawn ones, both from the oldest, over and over if there are
    /// too few, and without the newest if there are too many. This is what the
    /// published study did.
    Published,
}

/// What was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Chosen {
    /// Games in the buffer.
    pub(crate) games: u64,
    /// Their positions.
    pub(crate) positions: u64,
    /// Games that have left it.
    pub(crate) forgotten: u64,
    /// Positions that are learned from, repeated ones as often.
    pub(crate) training_positions: u64,
    /// Those of them that belong to decisive games.
    pub(crate) decisive_positions: u64,
    /// Positions that are judged by.
    pub(crate) validation_positions: u64,
}

/// A game of the buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Game {
    /// Its chains in the buffer's bytes.
    chains: Range<usize>,
    /// Positions that can be learned from.
    positions: u64,
    is_decisive: bool,
    is_held_out: bool,
}

/// The games of some shards.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    games: Vec<Game>,
    forgotten: u64,
}

/// Which games are held out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HoldOut {
    pub(crate) share: f64,
    pub(crate) seed: u64,
}

impl Buffer {
    /// Reads shards, the oldest generation first, and forgets the oldest games
    /// beyond so many positions.
    pub(crate) fn read(
        shards: &[(u32, PathBuf)],
        most: u64,
        hold_out: HoldOut,
    ) -> Result<Buffer, ShardError> {
        let mut buffer = Buffer::default();
        for (generation, path) in shards {
            // A game is held out for as long as it is here.
            let seed = seeds::seed(hold_out.seed, *generation, Purpose::Validation);
            buffer.add(path, hold_out.share, seed)?;
        }
        let mut positions: u64 = buffer.games.iter().map(|game| game.positions).sum();
        let mut first = 0;
        while positions > most && first + 1 < buffer.games.len() {
            positions -= buffer.games[first].positions;
            first += 1;
        }
        buffer.games.drain(..first);
        buffer.forgotten = first as u64;
        buffer.hold_out_one(hold_out.share);
        Ok(buffer)
    }

    fn add(&mut self, path: &Path, share: f64, seed: u64) -> Result<(), ShardError> {
        let mut chunks = ChunkReader::new(Source::open(path)?);
        let mut chunk = Chunk::default();
        let mut number = 0;
        while chunks.next(&mut chunk)? {
            let begin = self.bytes.len();
            self.bytes.extend(&chunk.payload);
            let mut positions = Positions::new(&chunk.payload);
            loop {
                match positions.advance() {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(problem) => {
                        return Err(ShardError::Chain {
                            path: path.to_owned(),
                            offset: chunk.offset + positions.chain_offset() as u64,
                            problem,
                        });
                    }
                }
                let position = positions.latest();
                // Self-play writes every game as a chain of its own.
                if positions.begins_chain() {
                    let mut generator = random::generator(seed, number);
                    let start = begin + positions.chain_offset();
                    self.end_game(start);
                    self.games.push(Game {
                        chains: start..start,
                        positions: 0,
                        is_decisive: position.result != Outcome::Draw,
                        is_held_out: random::chance(&mut generator, share),
                    });
                    number += 1;
                }
                if let Some(game) = self.games.last_mut() {
                    game.positions += u64::from(!position.is_marked());
                }
            }
            self.end_game(self.bytes.len());
        }
        Ok(())
    }

    fn end_game(&mut self, end: usize) {
        if let Some(game) = self.games.last_mut()
            && game.chains.is_empty()
        {
            game.chains.end = end;
        }
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
    /// game is held out.
    pub(crate) fn write(
        &self,
        settings: &BufferSettings,
        [training, validation]: &[PathBuf; 2],
    ) -> Result<Chosen, LabError> {
        let lesson: Vec<&Game> = self.games.iter().filter(|game| !game.is_held_out).collect();
        let mut judged: Vec<Part<'_>> = (self.games.iter())
            .filter(|game| game.is_held_out)
            .map(Part::whole)
            .collect();
        let parts = match (settings.decisive, settings.rebalance) {
            (None, _) => lesson.iter().copied().map(Part::whole).collect(),
            (Some(share), Rebalance::WholeGames) => repeated(&lesson, share),
            (Some(share), Rebalance::Published) => as_published(&lesson, share),
        };
        if judged.is_empty() {
            judged.clone_from(&parts);
        }
        self.write_shard(training, &parts)?;
        self.write_shard(validation, &judged)?;
        Ok(Chosen {
            games: self.games.len() as u64,
            positions: self.games.iter().map(|game| game.positions).sum(),
            forgotten: self.forgotten,
            training_positions: count(parts.iter()),
            decisive_positions: count(parts.iter().filter(|part| part.game.is_decisive)),
            validation_positions: count(judged.iter()),
        })
    }

    fn write_shard(&self, path: &Path, parts: &[Part<'_>]) -> Result<(), LabError> {
        make_parent(path)?;
        data::file::write_with(path, |file| -> io::Result<()> {
            let mut writer = ChunkWriter::new(file);
            for part in parts {
                let chains = &self.bytes[part.game.chains.clone()];
                match part.positions < part.game.positions {
                    true => writer.add_bytes(&cut(chains, part.positions)?)?,
                    false => writer.add_bytes(chains)?,
                }
            }
            writer.finish().map(drop)
        })
        .map_err(|cause| LabError::file(path, cause))
    }
}

/// A game, or its first positions.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Part<'a> {
    game: &'a Game,
    positions: u64,
}

impl<'a> Part<'a> {
    fn whole(game: &'a Game) -> Part<'a> {
        Part {
            game,
            positions: game.positions,
        }
    }
}

fn count<'a>(parts: impl Iterator<Item = &'a Part<'a>>) -> u64 {
    parts.map(|part| part.positions).sum()
}

/// The rule [`Rebalance::WholeGames`].
fn repeated<'a>(games: &[&'a Game], share: f64) -> Vec<Part<'a>> {
    let mut parts: Vec<Part<'a>> = games.iter().copied().map(Part::whole).collect();
    let positions = |wanted: bool| -> u64 {
        let games = games.iter().filter(|game| game.is_decisive == wanted);
        games.map(|game| game.positions).sum()
    };
    let (mut decisive, drawn) = (positions(true), positions(false));
    let decisive_games = games.iter().filter(|game| game.is_decisive);
    for &game in decisive_games.cycle() {
        let is_enough = decisive as f64 >= share * (decisive + drawn) as f64;
        // Games without positions would never be enough.
        if is_enough || decisive == 0 {
            break;
        }
        parts.push(Part::whole(game));
        decisive += game.positions;
    }
    parts
}

/// The rule [`Rebalance::Published`].
fn as_published<'a>(games: &[&'a Game], share: f64) -> Vec<Part<'a>> {
    let all: u64 = games.iter().map(|game| game.positions).sum();
    let of = |wanted: bool| {
        let is_wanted = move |game: &&&'a Game| game.is_decisive == wanted && game.positions > 0;
        games.iter().filter(is_wanted).copied().collect::<Vec<_>>()
    };
    let [decisive, drawn] = [of(true), of(false)];
    if decisive.is_empty() {
        return games.iter().copied().map(Part::whole).collect();
    }
    let decisive_target = (all as f64 * share) as u64;
    let mut parts = taken(&decisive, decisive_target);
    // The study would have stopped with an error without drawn games.
    parts.extend(taken(&drawn, all - decisive_target));
    parts
}

/// So many positions of games, over and over.
fn taken<'a>(games: &[&'a Game], positions: u64) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let mut missing = positions;
    for &game in games.iter().cycle() {
        if missing == 0 {
            break;
        }
        let positions = game.positions.min(missing);
        parts.push(Part { game, positions });
        missing -= positions;
    }
    parts
}

/// The chains of the first positions of a game.
fn cut(chains: &[u8], positions: u64) -> io::Result<Vec<u8>> {
    let mut encoder = Encoder::new();
    let mut decoder = Positions::new(chains);
    let mut missing = positions;
    while missing > 0 {
        let position = decoder.next().map_err(io::Error::other)?;
        let Some(position) = position else { break };
        missing -= u64::from(!position.is_marked());
        encoder.push(position).map_err(io::Error::other)?;
    }
    Ok(encoder.finish().bytes().to_vec())
}

#[cfg(test)]
#[path = "buffer_tests.rs"]
mod tests;
