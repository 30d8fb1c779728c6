//! The games of a file, read again whenever they are needed, so that only one batch of them is in
//! memory.
//!
//! A stream that can be read only once is copied to a temporary file first. This module must not
//! know what the games are read for.

use data::pgn::{BrokenGame, Damage, ReadError, Salvaged, Salvager, Source, SourceError};
use engines::StopSignal;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

/// More plies than any game can have: after 75 moves without a capture or pawn move a game is over,
/// so no game is longer than 17,697 plies.
const MOST_MOVES: usize = 20_000;

/// Why games cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The file cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A game is too large.
    #[error("{}:{}: game {}: {}", path.display(), game.place.line, game.place.game, game.problem)]
    Game {
        /// The file.
        path: PathBuf,
        /// The game.
        game: BrokenGame,
    },
    /// A game has too many moves.
    #[error("{}: game {number} has more than {MOST_MOVES} moves, the longest game supported", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The number of the game, from 1.
        number: usize,
    },
    /// There is no game.
    #[error("{}: the file contains no games", .0.display())]
    Empty(PathBuf),
    /// The file has changed since it was surveyed.
    #[error("{}: the games have changed since they were first read; restart the analysis", .0.display())]
    Changed(PathBuf),
    /// A stream cannot be copied.
    #[error("{}: it cannot be copied to a temporary file: {cause}", path.display())]
    Copy {
        /// The stream.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// Reading was interrupted.
    #[error("stopped")]
    Stopped,
}

/// The source of games.
pub struct Games {
    path: PathBuf,
    /// The copy of a stream. All readers share one file position.
    copy: Option<File>,
    stop: StopSignal,
}

/// What must be known of the games before work on them begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// The hash of their text.
    pub hash: String,
    /// How many there are; at least one.
    pub games: usize,
    /// How many positions their main lines have.
    pub positions: u64,
}

impl Games {
    /// The games of a file that can be read again; `stop` ends any reading.
    pub fn of_file(path: &Path, stop: StopSignal) -> Games {
        Games {
            path: path.to_owned(),
            copy: None,
            stop,
        }
    }

    /// The games of a stream, which are copied to a temporary file. The file has no name, so it
    /// disappears with the process.
    ///
    /// # Errors
    /// If the stream cannot be read, or the file cannot be written.
    pub fn of_stream(source: Source, stop: StopSignal) -> Result<Games, GamesError> {
        let mut games = Games::of_file(source.path(), stop);
        let path = games.path.clone();
        let failed = |cause| GamesError::Copy {
            path: path.clone(),
            cause,
        };
        let mut copy = tempfile::tempfile().map_err(failed)?;
        let mut reading = games.reading(source);
        while reading.next_batch(|text| copy.write_all(text).map_err(failed))? {}
        drop(reading);
        games.copy = Some(copy);
        Ok(games)
    }

    /// The path of the file or stream.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn stop(&self) -> &StopSignal {
        &self.stop
    }

    /// Counts the games; `hear` gets the number, from 1, of each game that is damaged.
    ///
    /// # Errors
    /// If they cannot be read, or the file has no games.
    pub fn survey(&self, hear: &mut dyn FnMut(usize, &Damage)) -> Result<Survey, GamesError> {
        let mut hasher = blake3::Hasher::new();
        let (mut games, mut positions) = (0, 0);
        let mut reading = self.read()?;
        while reading.next_batch::<GamesError>(|text| {
            hasher.update(text);
            Ok(())
        })? {
            for game in reading.ready.by_ref() {
                games += 1;
                positions += game.game.moves.moves.len() as u64 + 1;
                if let Some(damage) = &game.damage {
                    hear(games, damage);
                }
            }
        }
        match games {
            0 => Err(GamesError::Empty(self.path.clone())),
            _ => Ok(Survey {
                hash: hasher.finalize().to_hex().to_string(),
                games,
                positions,
            }),
        }
    }

    /// Copies the text unchanged.
    pub(crate) fn copy_text<E>(&self, out: &mut dyn Write) -> Result<(), E>
    where
        E: From<GamesError> + From<io::Error>,
    {
        let mut reading = self.read()?;
        while reading.next_batch(|text| Ok::<_, E>(out.write_all(text)?))? {}
        Ok(())
    }

    /// Reads all games, from the first.
    pub(crate) fn read(&self) -> Result<Reading<'_>, GamesError> {
        let source = match &self.copy {
            None => Source::open_games(&self.path)?,
            Some(copy) => {
                let again = copy.try_clone().and_then(|mut copy| {
                    copy.rewind()?;
                    Ok(copy)
                });
                let again = again.map_err(|cause| GamesError::Copy {
                    path: self.path.clone(),
                    cause,
                })?;
                Source::from_reader(&self.path, again)?
            }
        };
        Ok(self.reading(source))
    }

    fn reading(&self, source: Source) -> Reading<'_> {
        Reading {
            games: self,
            salvager: Salvager::new(source),
            ready: Vec::new().into_iter(),
            read: 0,
        }
    }
}

/// Games that are being read.
pub(crate) struct Reading<'a> {
    games: &'a Games,
    salvager: Salvager,
    ready: std::vec::IntoIter<Salvaged>,
    /// The number of games read so far.
    read: usize,
}

impl Reading<'_> {
    /// Reads the next batch and passes its text to `tell`; false at the end.
    fn next_batch<E: From<GamesError>>(
        &mut self,
        tell: impl FnOnce(&[u8]) -> Result<(), E>,
    ) -> Result<bool, E> {
        let Games { path, stop, .. } = self.games;
        let batch = self.salvager.next_batch();
        if stop.is_stopped() {
            return Err(GamesError::Stopped.into());
        }
        let batch = batch.map_err(|error| match error {
            ReadError::Source(error) => GamesError::Source(error),
            ReadError::Game(game) => GamesError::Game {
                path: path.clone(),
                game,
            },
        })?;
        let Some((text, games)) = batch else {
            return Ok(false);
        };
        let length = |game: &Salvaged| game.game.moves.moves.len();
        if let Some(index) = games.iter().position(|game| length(game) > MOST_MOVES) {
            let (path, number) = (path.clone(), self.read + index + 1);
            return Err(GamesError::TooLong { path, number }.into());
        }
        self.read += games.len();
        self.ready = games.into_iter();
        tell(text)?;
        Ok(true)
    }
}

impl Iterator for Reading<'_> {
    type Item = Result<Salvaged, GamesError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.ready.next() {
                return Some(Ok(game));
            }
            match self.next_batch(|_| Ok(())) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
