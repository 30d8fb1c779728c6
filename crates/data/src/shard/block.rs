//! The block of a file that one thread reads at a time: a chunk of a binpack, some
//! records of plain text or some games.

use std::{ops::ControlFlow, path::PathBuf, sync::Arc};

use super::format::Format;
use crate::{
    binpack::{BinpackError, ChainProblem, Chunk, Positions},
    games::PositionGatherer,
    pgn::{Batch, BatchReport, SourceError, read_batch},
    plain::{self, PlainError, TextBlock},
    position::{Labels, Position},
};

/// Why a file of positions cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The file cannot be opened or read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// It is empty.
    #[error("{} is empty: it contains no positions", .0.display())]
    Empty(PathBuf),
    /// Its format is unknown.
    #[error("{} is neither a binpack, plain text nor a game file, judging by its first bytes", .0.display())]
    UnknownFormat(PathBuf),
    /// The chunks of a binpack are damaged.
    #[error(transparent)]
    Binpack(#[from] BinpackError),
    /// A chain of a binpack is damaged.
    #[error("{} is damaged in the chain at byte {offset}: {problem}", path.display())]
    Chain {
        /// The file.
        path: PathBuf,
        /// Where the chain begins.
        offset: u64,
        /// What is wrong.
        problem: ChainProblem,
    },
    /// A plain text has no records.
    #[error(transparent)]
    Plain(#[from] PlainError),
    /// A record of a plain text is invalid.
    #[error("{}:{line}: {problem}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        problem: plain::Problem,
    },
}

impl ShardError {
    /// Whether the file is only truncated, and everything before was read.
    pub fn is_torn(&self) -> bool {
        matches!(
            self,
            ShardError::Binpack(BinpackError::Torn { .. })
                | ShardError::Record {
                    problem: plain::Problem::Torn,
                    ..
                }
        )
    }
}

/// A block of a file; its memory is reused for the next one.
#[derive(Default)]
pub(super) struct Block {
    pub(super) path: Option<Arc<PathBuf>>,
    /// Its number in the file, from 0.
    pub(super) index: u64,
    /// Which of the following fields is used.
    pub(super) format: Option<Format>,
    pub(super) chunk: Chunk,
    pub(super) text: TextBlock,
    pub(super) games: Batch,
}

/// A block of a file that is about to be decoded.
pub struct Reading<'a> {
    block: &'a Block,
    labels: Labels,
    pub(super) report: Option<BatchReport>,
    pub(super) problem: Option<ShardError>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(block: &'a Block, labels: Labels) -> Self {
        Self {
            block,
            labels,
            report: None,
            problem: None,
        }
    }

    /// The number of this block in its file, from 0.
    pub fn index(&self) -> u64 {
        self.block.index
    }

    /// Decodes all positions; `visit` gets each one, and whether it begins a chain or a
    /// game.
    pub fn for_each(&mut self, mut visit: impl FnMut(&Position, bool)) {
        self.try_for_each(|position, begins| {
            visit(position, begins);
            ControlFlow::Continue(())
        });
    }

    /// Decodes positions until `visit` breaks.
    pub fn try_for_each(&mut self, visit: impl FnMut(&Position, bool) -> ControlFlow<()>) {
        let block = self.block;
        self.problem = match block.format {
            None => None,
            Some(Format::Binpack) => self.read_binpack(&block.chunk, visit).err(),
            Some(Format::Plain) => self.read_plain(&block.text, visit).err(),
            Some(Format::Pgn) => {
                self.read_games(&block.games, visit);
                None
            }
        };
    }

    fn path(&self) -> PathBuf {
        self.block
            .path
            .as_deref()
            .map_or_else(PathBuf::new, Clone::clone)
    }

    fn read_binpack(
        &self,
        chunk: &Chunk,
        mut visit: impl FnMut(&Position, bool) -> ControlFlow<()>,
    ) -> Result<(), ShardError> {
        let mut positions = Positions::new(&chunk.payload);
        loop {
            match positions.advance() {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(problem) => {
                    return Err(ShardError::Chain {
                        path: self.path(),
                        offset: chunk.offset + positions.chain_offset() as u64,
                        problem,
                    });
                }
            }
            let begins = positions.begins_chain();
            let flow = match self.labels {
                Labels::SideToMove => visit(positions.latest(), begins),
                Labels::White => visit(&self.labels.turned(positions.latest()), begins),
            };
            if flow.is_break() {
                return Ok(());
            }
        }
    }

    fn read_plain(
        &self,
        text: &TextBlock,
        mut visit: impl FnMut(&Position, bool) -> ControlFlow<()>,
    ) -> Result<(), ShardError> {
        let mut last: Option<Position> = None;
        let mut is_over = false;
        let outcome = plain::read(&text.text, |position| {
            if is_over {
                return;
            }
            let position = self.labels.turned(position);
            let follows = last.is_some_and(|last| last.is_followed_by(&position));
            is_over = visit(&position, !follows).is_break();
            last = Some(position);
        });
        outcome.map_err(|error| ShardError::Record {
            path: self.path(),
            line: text.line + error.line,
            problem: error.problem,
        })
    }

    fn read_games(
        &mut self,
        batch: &Batch,
        mut visit: impl FnMut(&Position, bool) -> ControlFlow<()>,
    ) {
        let mut gatherer = PositionGatherer::default();
        let mut is_over = false;
        let labels = self.labels;
        let report = read_batch(batch, |replayer, games, _| {
            let outcome = replayer.next_game(games, &mut gatherer)?;
            if outcome.is_ok() && !is_over {
                for (index, position) in gatherer.positions().iter().enumerate() {
                    let position = labels.turned(position);
                    is_over |= visit(&position, index == 0).is_break();
                }
            }
            Some(outcome)
        });
        self.report = Some(report);
    }
}
