//! Why games could not be analysed, or shown.

use crate::games::GamesError;
use data::journal::JournalError;
use std::fmt::Display;
use std::io;
use work::DispatchError;

/// Why games could not be analysed, or shown. Finished games are kept in the journal.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The games cannot be read.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The engine cannot be started.
    #[error("{0}")]
    Start(String),
    /// The engine failed, was started again, and failed again.
    #[error("the engine {engine} failed twice in game {game}: it {failure}")]
    Engine {
        /// Its name.
        engine: String,
        /// The number of the game, from 1.
        game: usize,
        /// How it failed.
        failure: String,
    },
    /// The engine failed, and could not be started again.
    #[error("the engine {engine} failed in game {game}, and could not be restarted: {problem}")]
    Restart {
        /// Its name.
        engine: String,
        /// The number of the game, from 1.
        game: usize,
        /// Why.
        problem: String,
    },
    /// The work on the games cannot be dispatched.
    #[error(transparent)]
    Work(DispatchError),
    /// An output cannot be written.
    #[error("cannot write {place}: {cause}")]
    Write {
        /// Where to.
        place: String,
        /// Why.
        cause: io::Error,
    },
}

impl From<io::Error> for AnalysisError {
    fn from(cause: io::Error) -> AnalysisError {
        let place = "the results".to_owned();
        AnalysisError::Write { place, cause }
    }
}

impl AnalysisError {
    /// The same error, with this place if it is a failure to write.
    pub fn at(self, place: impl Display) -> AnalysisError {
        match self {
            AnalysisError::Write { cause, .. } => AnalysisError::Write {
                place: place.to_string(),
                cause,
            },
            other => other,
        }
    }
}
