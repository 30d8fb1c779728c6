//! Reads a file of positions with several threads.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    block::{Block, Reading, ShardError},
    format::Format,
};
use crate::{
    binpack::ChunkReader,
    pgn::{Batches, BrokenGame, Counted, Meter, Source},
    plain::TextBlocks,
    position::Labels,
    workers::process,
};

/// How many bytes are examined to recognise a format: there may be blank lines first.
const START: usize = 64;

/// An open file of positions.
pub struct Shard {
    path: Arc<PathBuf>,
    pieces: Pieces,
    meter: Meter,
    blocks: u64,
}

enum Pieces {
    Binpack(ChunkReader),
    Plain(TextBlocks),
    Pgn(Box<Batches>),
}

impl Shard {
    /// Opens a file, which may be compressed, or standard input if the path is
    /// `-`. Its format is recognised by its first bytes.
    pub fn open(path: &Path) -> Result<Self, ShardError> {
        Self::new(Source::open(path)?)
    }

    /// Reads from an open file.
    pub fn new(mut source: Source) -> Result<Self, ShardError> {
        let start = source.look_ahead(START)?;
        if start.is_empty() {
            return Err(ShardError::Empty(source.path().to_owned()));
        }
        let (path, meter) = (Arc::new(source.path().to_owned()), source.meter());
        let pieces = match Format::of_start(&start) {
            Some(Format::Binpack) => Pieces::Binpack(ChunkReader::new(source)),
            Some(Format::Plain) => Pieces::Plain(TextBlocks::new(source)),
            Some(Format::Pgn) => Pieces::Pgn(Box::new(Batches::new(source))),
            None => return Err(ShardError::UnknownFormat(source.path().to_owned())),
        };
        Ok(Self {
            path,
            pieces,
            meter,
            blocks: 0,
        })
    }

    /// The format of the file.
    pub fn format(&self) -> Format {
        match self.pieces {
            Pieces::Binpack(_) => Format::Binpack,
            Pieces::Plain(_) => Format::Plain,
            Pieces::Pgn(_) => Format::Pgn,
        }
    }

    /// A meter that shows how far the file has been read.
    pub fn meter(&self) -> Meter {
        self.meter.clone()
    }

    fn next(&mut self, block: &mut Block) -> Result<bool, ShardError> {
        block.path = Some(Arc::clone(&self.path));
        block.format = Some(self.format());
        block.index = self.blocks;
        self.blocks += 1;
        Ok(match &mut self.pieces {
            Pieces::Binpack(chunks) => chunks.next(&mut block.chunk)?,
            Pieces::Plain(texts) => texts.next(&mut block.text)?,
            Pieces::Pgn(batches) => batches.next(&mut block.games)?,
        })
    }
}

/// The result of reading a block.
pub struct Read<T> {
    /// The result of `work`.
    pub made: T,
    /// Why the block could not be read to its end.
    pub problem: Option<ShardError>,
    /// The broken games, whose positions are left out.
    pub broken: Vec<BrokenGame>,
}

/// Reads a file with this many threads. `work` processes each block, and `deliver` gets
/// the results in the order of the file; it may stop.
///
/// The error of a truncated file is returned after everything before it was delivered.
pub fn read<T: Send>(
    mut shard: Shard,
    labels: Labels,
    threads: usize,
    work: impl Fn(&mut Reading<'_>) -> T + Sync,
    mut deliver: impl FnMut(Read<T>) -> ControlFlow<()> + Send,
) -> Result<(), ShardError> {
    let mut counted = Counted::default();
    let work = |block: &Block| {
        let mut reading = Reading::new(block, labels);
        let made = work(&mut reading);
        (made, reading.problem, reading.report)
    };
    let deliver = |(made, problem, report): (T, Option<ShardError>, _)| {
        let broken = match report {
            Some(report) => counted.add(report),
            None => Vec::new(),
        };
        deliver(Read {
            made,
            problem,
            broken,
        })
    };
    process(|block| shard.next(block), threads, work, deliver)
}
