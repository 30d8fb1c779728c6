//! Many records in memory, as short as in their shards.

use super::record::PolicyRecord;
use super::shard::{PolicyReader, PolicyShardError};
use std::path::Path;

/// Packed records, which can be read in any order.
#[derive(Clone, Debug, Default)]
pub struct PackedRecords {
    bytes: Vec<u8>,
    /// Where each record begins.
    begins: Vec<u64>,
    /// Where games begin, by the number of their first record.
    games: Vec<u32>,
    last_ply: Option<u16>,
}

impl PackedRecords {
    /// Adds the records of a shard.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn add(&mut self, path: &Path) -> Result<(), PolicyShardError> {
        let mut reader = PolicyReader::open(path)?;
        self.last_ply = None;
        while let Some(block) = reader.next_block()? {
            block.iter().for_each(|record| self.push(record));
        }
        Ok(())
    }

    fn push(&mut self, record: &PolicyRecord) {
        // A game begins where the ply does not increase.
        if self.last_ply.is_none_or(|last| record.ply <= last) {
            self.games.push(self.begins.len() as u32);
        }
        self.last_ply = Some(record.ply);
        self.begins.push(self.bytes.len() as u64);
        record.write(&mut self.bytes);
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.begins.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.begins.is_empty()
    }

    /// The record with this number, from 0.
    ///
    /// # Panics
    /// If it does not exist.
    pub fn get(&self, number: usize) -> PolicyRecord {
        let mut bytes = &self.bytes[self.begins[number] as usize..];
        // It was validated when its shard was read.
        PolicyRecord::read(&mut bytes).expect("a record that was written")
    }

    /// The bytes of all records.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The numbers of the records of each game.
    pub fn games(
        &self,
    ) -> impl DoubleEndedIterator<Item = std::ops::Range<u32>> + ExactSizeIterator {
        let end = self.len() as u32;
        (0..self.games.len()).map(move |game| {
            let next = self.games.get(game + 1).copied();
            self.games[game]..next.unwrap_or(end)
        })
    }
}
