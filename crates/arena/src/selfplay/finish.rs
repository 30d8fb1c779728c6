//! Makes a shard of the games of a record, in the order of their numbers.

use super::explore::ExploreTally;
use super::record::{GameRecord, from_digits};
use super::run::{Amount, SelfPlayError, Work};
use super::totals::Totals;
use data::binpack::{ChainProblem, ChunkWriter, Positions, first_positions};
use data::file;
use data::policy::PolicyWriter;
use data::repeats::Repeats;
use std::collections::HashSet;
use std::io;

impl Work<'_> {
    /// Writes the shard.
    pub(super) fn finish(mut self) -> Result<Totals, SelfPlayError> {
        self.record.sync()?;
        let mut totals = Totals {
            builds: self.record.builds().to_vec(),
            ..Totals::default()
        };
        match self.selfplay.explore {
            Some(_) => self.write_policy(&mut totals)?,
            None => self.write_binpack(&mut totals)?,
        }
        Ok(totals)
    }

    fn write_binpack(&self, totals: &mut Totals) -> Result<(), SelfPlayError> {
        let mut failed = None;
        let shard = self.selfplay.shard;
        file::write_with(shard, |output| -> io::Result<()> {
            let mut writer = ChunkWriter::new(output);
            let written = self.each_game(totals, |game, most, repeats| {
                let chains = self.chains(game, most)?;
                (writer.add_bytes(&chains)).map_err(|cause| self.selfplay.shard_error(cause))?;
                see(&chains, repeats).map_err(|_| damaged(game.game))
            });
            match written {
                Ok(()) => writer.finish().map(drop),
                Err(error) => {
                    failed = Some(error);
                    Err(io::Error::other("a game cannot be used"))
                }
            }
        })
        .map_err(|cause| {
            failed
                .take()
                .unwrap_or_else(|| self.selfplay.shard_error(cause))
        })
    }

    fn write_policy(&self, totals: &mut Totals) -> Result<(), SelfPlayError> {
        let wrong = |cause| self.selfplay.shard_error(cause);
        let mut writer = PolicyWriter::begin(self.selfplay.shard).map_err(wrong)?;
        let mut tally = ExploreTally::default();
        let mut known = HashSet::new();
        self.each_game(totals, |game, most, repeats| {
            let explored = game.explored.as_ref();
            let explored = explored.ok_or_else(|| damaged(game.game))?;
            let records = explored.records().ok_or_else(|| damaged(game.game))?;
            let moves = (explored.fen.clone(), explored.moves.clone());
            tally.add(explored, game.result, !known.insert(moves));
            for record in records.iter().take(most as usize) {
                writer.push(record).map_err(wrong)?;
                repeats.see(record.board.key());
                tally.add_row(record);
            }
            Ok(())
        })?;
        totals.explored = Some(Box::new(tally));
        writer.finish().map_err(wrong)
    }

    /// Passes the games to `write` until there are enough positions, with the number of positions
    /// that are still wanted.
    pub(super) fn each_game(
        &self,
        totals: &mut Totals,
        mut write: impl FnMut(&GameRecord, u64, &mut Repeats) -> Result<(), SelfPlayError>,
    ) -> Result<(), SelfPlayError> {
        let wanted = match self.selfplay.amount {
            Amount::Positions(positions) => positions,
            Amount::Games(_) | Amount::Seconds(_) => u64::MAX,
        };
        let mut repeats = Repeats::default();
        for number in 0..self.kept.unbroken.0 {
            let missing = wanted - totals.positions;
            if missing == 0 {
                break;
            }
            let Some(&(place, positions)) = self.kept.games.get(&number) else {
                break;
            };
            let game = self.record.read(place)?;
            write(&game, missing, &mut repeats)?;
            totals.add(&game, positions.min(missing));
        }
        totals.repeated_share = repeats.share();
        Ok(())
    }

    /// The positions of a game, at most this many.
    fn chains(&self, game: &GameRecord, most: u64) -> Result<Vec<u8>, SelfPlayError> {
        let chains = from_digits(&game.chains).ok_or_else(|| damaged(game.game))?;
        match game.positions > most {
            true => first_positions(&chains, most).map_err(|_| damaged(game.game)),
            false => Ok(chains),
        }
    }
}

fn damaged(game: u64) -> SelfPlayError {
    let problem = "its record is damaged; delete it to start over";
    SelfPlayError::player(game, problem.to_owned())
}

/// Counts the positions of a game that can be learned from.
fn see(chains: &[u8], repeats: &mut Repeats) -> Result<(), ChainProblem> {
    let mut positions = Positions::new(chains);
    while let Some(position) = positions.next()? {
        if !position.is_marked() {
            repeats.see(position.board.key());
        }
    }
    Ok(())
}
