//! Why a run cannot go on.

use crate::settings::SettingsError;
use arena::openings::OpeningsError;
use arena::ratings::RatingError;
use arena::run::RunError;
use arena::selfplay::SelfPlayError;
use data::journal::JournalError;
use data::policy::WindowError;
use data::shard::ShardError;
use nets::ModelError;
use std::io;
use std::path::PathBuf;
use train::TrainError;
use work::DispatchError;

/// Why a run cannot go on. What was finished before stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// It was told to stop; not a failure.
    #[error("stopped")]
    Stopped,
    /// A file or folder cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// There is no run.
    #[error("{} is not a run: it contains no run.toml", .0.display())]
    NoRun(PathBuf),
    /// A run has no model to play with yet.
    #[error("{} has no finished generation yet", .0.display())]
    NothingLearned(PathBuf),
    /// There is no selection.
    #[error("{} is not a selection: it contains no select.toml", .0.display())]
    NoSelection(PathBuf),
    /// There is no study.
    #[error("{} is not a study: it contains no study.toml", .0.display())]
    NoStudy(PathBuf),
    /// There is no ladder.
    #[error("{} is not a ladder: it contains no ladder.toml", .0.display())]
    NoLadder(PathBuf),
    /// A program that should play cannot be used.
    #[error("player '{player}': {cause}")]
    Program {
        /// The player.
        player: String,
        /// Why.
        cause: String,
    },
    /// The folder has a run or a selection already.
    #[error("{} already exists: resume it (--resume), or give another --out", .0.display())]
    Exists(PathBuf),
    /// The run file cannot be used.
    #[error("{}:{line}: {problem}", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: SettingsError,
    },
    /// The run file is not the one with which the run was begun.
    #[error("{} was changed since the run started; restore it, or start another run with it", .0.display())]
    Changed(PathBuf),
    /// A run cannot be given what was asked for.
    #[error("the run cannot be extended: {0}")]
    Extension(String),
    /// An earlier version of the program began it.
    #[error(
        "{}: started by an earlier version of this program; it can be listed and shown, but not \
         continued: start it again",
        .0.display()
    )]
    Earlier(PathBuf),
    /// A file of an earlier step is gone.
    #[error("{} is missing, but the run needs it: restore it from a copy, or start a new run", .0.display())]
    Missing(PathBuf),
    /// A file of an earlier step has changed.
    #[error("{} was changed after the run wrote it: its hash does not match; restore it from a copy, \
        or start a new run", .0.display())]
    Damaged(PathBuf),
    /// A net cannot be used.
    #[error("{}: {cause}", path.display())]
    Net {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: ModelError,
    },
    /// A net that is compared is not the one that it was.
    #[error("{} was changed since the selection started; restore it from a copy, or start a new \
        selection", .0.display())]
    NetChanged(PathBuf),
    /// The candidates of a selection make no sense.
    #[error("{0}")]
    Candidates(String),
    /// The games of a selection cannot be rated.
    #[error(transparent)]
    Ratings(#[from] RatingError),
    /// The window to learn from cannot be made.
    #[error(transparent)]
    Window(#[from] WindowError),
    /// Too few openings.
    #[error(
        "{key}: {games} games need {wanted} openings, but the book has {found}: games would be \
         repeated move by move; set random_plies, or use fewer games or a larger book"
    )]
    Openings {
        /// Whose games.
        key: &'static str,
        /// How many.
        games: u64,
        /// The openings that takes.
        wanted: u64,
        /// Those that are there.
        found: usize,
    },
    /// A player failed in a match.
    #[error("{}: a player failed; the journal has the details", .0.display())]
    Failure(PathBuf),
    /// A book cannot be read.
    #[error(transparent)]
    Book(#[from] OpeningsError),
    /// A shard cannot be read.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// Self-play failed.
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
    /// The state of a run, or what self-play keeps, cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A match failed.
    #[error(transparent)]
    Match(#[from] RunError),
    /// A training failed.
    #[error(transparent)]
    Training(#[from] TrainError),
}

impl LabError {
    pub(crate) fn file(path: impl Into<PathBuf>, cause: io::Error) -> LabError {
        LabError::File {
            path: path.into(),
            cause,
        }
    }

    /// Whether the user has to change something, rather than the machine.
    pub fn is_wrong_input(&self) -> bool {
        match self {
            LabError::Stopped
            | LabError::File { .. }
            | LabError::Failure(_)
            | LabError::Window(WindowError::Write { .. })
            | LabError::Journal(JournalError::File { .. })
            | LabError::Ratings(_) => false,
            LabError::Match(error) => {
                matches!(error, RunError::Work(DispatchError::NotPortable(_)))
            }
            LabError::NoRun(_)
            | LabError::NothingLearned(_)
            | LabError::NoSelection(_)
            | LabError::NoStudy(_)
            | LabError::NoLadder(_)
            | LabError::Program { .. }
            | LabError::NetChanged(_)
            | LabError::Candidates(_)
            | LabError::Exists(_)
            | LabError::Settings { .. }
            | LabError::Changed(_)
            | LabError::Extension(_)
            | LabError::Earlier(_)
            | LabError::Journal(_)
            | LabError::Missing(_)
            | LabError::Damaged(_)
            | LabError::Net { .. }
            | LabError::Openings { .. }
            | LabError::Book(_)
            | LabError::Window(WindowError::Read(_))
            | LabError::Shard(_) => true,
            LabError::SelfPlay(error) => matches!(
                error,
                SelfPlayError::Setting(_)
                    | SelfPlayError::Openings(_)
                    | SelfPlayError::Position { .. }
                    | SelfPlayError::Work(DispatchError::NotPortable(_))
            ),
            LabError::Training(error) => matches!(
                error,
                TrainError::Setting(_) | TrainError::Data(_) | TrainError::OtherArithmetic(_)
            ),
        }
    }
}
