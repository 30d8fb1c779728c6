//! Reads the games of a file one after another.

use std::{collections::VecDeque, path::Path};

use super::{
    batches::{Batch, Batches},
    builder::GameBuilder,
    game::Game,
    problem::BrokenGame,
    reading::{Counted, read_batch},
    replay::Stop,
    source::{Source, SourceError},
};

/// Why a game could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// This one game is broken; the next can be read.
    #[error("line {}: game {}: {}", .0.place.line, .0.place.game, .0.problem)]
    Game(BrokenGame),
    /// The rest of the file cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// Reads whole games into memory, a batch at a time.
///
/// ```no_run
/// for game in data::pgn::Reader::open("games.pgn.zst".as_ref())? {
///     match game {
///         Ok(game) => print!("{game}"),
///         Err(error) => eprintln!("{error}"),
///     }
/// }
/// # Ok::<(), data::pgn::SourceError>(())
/// ```
pub struct Reader {
    batches: Batches,
    batch: Batch,
    counted: Counted,
    ready: VecDeque<Result<Game, BrokenGame>>,
}

impl Reader {
    /// Opens a file, or standard input if the path is `-`.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        Ok(Self::new(Batches::new(Source::open_games(path)?)))
    }

    /// Reads the games of these batches.
    pub fn new(batches: Batches) -> Self {
        let (batch, counted, ready) = Default::default();
        Self {
            batches,
            batch,
            counted,
            ready,
        }
    }

    fn read_ready(&mut self) {
        let mut outcomes = Vec::new();
        let report = read_batch(&self.batch, |replayer, games, _| {
            let mut builder = GameBuilder::new();
            let outcome = replayer.next_game(games, &mut builder)?;
            match outcome {
                Ok(_) => outcomes.push(builder.finish()),
                Err(Stop::Broken { .. }) => outcomes.push(None),
                Err(Stop::LeftOut | Stop::Nothing) => {}
            }
            Some(outcome)
        });
        let mut broken = self.counted.add(report).into_iter();
        for outcome in outcomes {
            self.ready
                .extend(outcome.map(Ok).or_else(|| broken.next().map(Err)));
        }
        self.ready.extend(broken.map(Err));
    }
}

impl Iterator for Reader {
    type Item = Result<Game, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(ready) = self.ready.pop_front() {
                return Some(ready.map_err(ReadError::Game));
            }
            match self.batches.next(&mut self.batch) {
                Ok(true) => self.read_ready(),
                Ok(false) => return None,
                Err(error) => return Some(Err(error.into())),
            }
        }
    }
}
