//! The games of a buffer as binpack: the only place that knows how they are stored.

use std::{io, path::Path};

use super::{Buffer, Game, Source, balance::Part};
use crate::{
    binpack::{self, Chunk, ChunkReader, ChunkWriter, Positions},
    file, pgn,
    position::Outcome,
    random,
    shard::ShardError,
};

impl Buffer {
    /// Adds the games of a shard.
    pub(super) fn add(&mut self, source: &Source, held_out: f64) -> Result<(), ShardError> {
        let path = &source.path;
        let mut chunks = ChunkReader::new(pgn::Source::open(path)?);
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
                            path: path.clone(),
                            offset: chunk.offset + positions.chain_offset() as u64,
                            problem,
                        });
                    }
                }
                let position = positions.latest();
                // Self-play writes every game as a chain of its own.
                if positions.begins_chain() {
                    let mut generator = random::generator(source.seed, number);
                    let start = begin + positions.chain_offset();
                    self.end_game(start);
                    self.games.push(Game {
                        bytes: start..start,
                        positions: 0,
                        is_decisive: position.result != Outcome::Draw,
                        is_held_out: random::chance(&mut generator, held_out),
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
            && game.bytes.is_empty()
        {
            game.bytes.end = end;
        }
    }

    /// Writes parts of games as a shard.
    pub(super) fn write_shard(&self, path: &Path, parts: &[Part<'_>]) -> io::Result<()> {
        file::write_with(path, |file| {
            let mut writer = ChunkWriter::new(file);
            for part in parts {
                let chains = &self.bytes[part.game.bytes.clone()];
                if part.positions < part.game.positions {
                    let first = binpack::first_positions(chains, part.positions);
                    writer.add_bytes(&first.map_err(io::Error::other)?)?;
                } else {
                    writer.add_bytes(chains)?;
                }
            }
            writer.finish().map(drop)
        })
    }
}
