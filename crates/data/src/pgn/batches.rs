//! Splits a game file into batches of whole games, so that several threads can work
//! on one file in constant memory.
//!
//! Splitting off a batch costs a fraction of reading its games: a thread takes the
//! lock, decompresses and splits off the next batch, and reads its games after
//! releasing the lock. Nothing here reads a game; how many games and lines a batch has
//! is found when they are read.

use super::{
    boundary, games,
    source::{Source, SourceError},
    text::LineCounter,
};

/// How large batches and games may become, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The size to which batches are filled.
    pub batch: usize,
    /// A game larger than this is skipped.
    pub game: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            batch: 1 << 18,
            game: 1 << 24,
        }
    }
}

/// Some consecutive whole games of a file; its memory is reused for the next
/// batch.
#[derive(Debug, Default)]
pub struct Batch {
    index: u64,
    bytes: Vec<u8>,
    passed_over: Option<PassedOver>,
}

/// What is known about a game that is too large to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassedOver {
    /// The limit that it exceeded, in bytes.
    pub limit: usize,
    /// How many line ends it has.
    pub lines: u64,
}

impl Batch {
    /// The number of this batch in the file, from 0.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The text of the games.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The one game of this batch if it was too large; the batch is then empty.
    pub fn passed_over(&self) -> Option<PassedOver> {
        self.passed_over
    }
}

/// Splits a game file into batches.
pub struct Batches {
    source: Source,
    limits: Limits,
    /// The first game of the next batch, as far as it was read.
    carry: Vec<u8>,
    next_index: u64,
    failure: Option<SourceError>,
    ended: bool,
    ends_at_large_game: bool,
}

impl Batches {
    /// The batches of a file.
    pub fn new(source: Source) -> Self {
        Self::with_limits(source, Limits::default())
    }

    /// The batches of a file up to the first game that is too large; the rest of the file
    /// is not read.
    pub fn up_to_large_game(source: Source) -> Self {
        Self {
            ends_at_large_game: true,
            ..Self::new(source)
        }
    }

    /// The batches of a file, with other limits than the default.
    pub fn with_limits(source: Source, limits: Limits) -> Self {
        Self {
            source,
            limits,
            carry: Vec::new(),
            next_index: 0,
            failure: None,
            ended: false,
            ends_at_large_game: false,
        }
    }

    /// Fills `batch` with the next games; false at the end of the file.
    ///
    /// For a truncated file, it gives all games that are whole and then the error.
    pub fn next(&mut self, batch: &mut Batch) -> Result<bool, SourceError> {
        self.prepare(batch);
        if !self.ended {
            self.fill(batch);
        }
        if batch.bytes.is_empty() && batch.passed_over.is_none() {
            return self.failure.take().map_or(Ok(false), Err);
        }
        self.next_index += 1;
        Ok(true)
    }

    /// Empties a batch and puts the carried-over game into it.
    fn prepare(&mut self, batch: &mut Batch) {
        batch.index = self.next_index;
        batch.passed_over = None;
        batch.bytes.clear();
        // The memory of one huge game must not be kept for the rest of the file.
        batch.bytes.shrink_to(2 * self.limits.batch);
        batch.bytes.append(&mut self.carry);
        self.carry.shrink_to(2 * self.limits.batch);
    }

    /// Reads until the batch ends with a whole game.
    fn fill(&mut self, batch: &mut Batch) {
        let mut size = self.limits.batch.max(1);
        loop {
            size = size.max(batch.bytes.len() + 1);
            let missing = size - batch.bytes.len();
            if !self.read(&mut batch.bytes, missing) {
                return self.end(batch);
            }
            if let Some(cut) = last_game_start(&batch.bytes) {
                self.carry.extend_from_slice(&batch.bytes[cut..]);
                return batch.bytes.truncate(cut);
            }
            if size >= self.limits.game {
                return self.pass_over(batch);
            }
            size = self.limits.game.min(size * 2);
        }
    }

    /// Reads `count` more bytes; false if the file ended before. An error ends it
    /// too, and is kept until the games before it were returned.
    fn read(&mut self, bytes: &mut Vec<u8>, count: usize) -> bool {
        if self.failure.is_some() {
            return false;
        }
        match self.source.read_into(bytes, count) {
            Ok(read) => read == count,
            Err(error) => {
                self.failure = Some(error);
                false
            }
        }
    }

    /// Ends the file with this batch; after an error, the incomplete last game is
    /// dropped.
    fn end(&mut self, batch: &mut Batch) {
        self.ended = true;
        if self.failure.is_some() {
            batch
                .bytes
                .truncate(last_game_start(&batch.bytes).unwrap_or(0));
        }
    }

    /// Skips a game that is too large, up to the tags of the next.
    fn pass_over(&mut self, batch: &mut Batch) {
        /// Enough for the start of any tag that is split between two reads.
        const KEPT: usize = 1 << 12;
        let bytes = &mut batch.bytes;
        let mut lines = LineCounter::default();
        let end = loop {
            if self.ends_at_large_game {
                self.ended = true;
                break bytes.len();
            }
            let dropped = bytes.len().saturating_sub(KEPT);
            lines.add(&bytes[..dropped]);
            bytes.drain(..dropped);
            let more = self.read(bytes, self.limits.batch);
            if let Some(next) = boundary::first_tag_line(bytes) {
                break next;
            }
            if !more {
                self.ended = true;
                break bytes.len();
            }
        };
        lines.add(&bytes[..end]);
        self.carry.extend_from_slice(&bytes[end..]);
        bytes.clear();
        batch.passed_over = Some(PassedOver {
            limit: self.limits.game,
            lines: lines.lines(),
        });
    }
}

/// The start of the last game. Tags show it quickly; without them, the games must be read.
fn last_game_start(bytes: &[u8]) -> Option<usize> {
    boundary::last_game_start(bytes).or_else(|| games::last_game_start(bytes))
}

#[cfg(test)]
#[path = "batches_tests.rs"]
mod tests;
