//! Why a run cannot continue.

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

/// Why a run cannot continue. Finished steps stay as they are.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// It was stopped; not a failure.
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
    /// The folder has no run.
    #[error("{} is not a run: it contains no run.toml", .0.display())]
    NoRun(PathBuf),
    /// A run has no promoted model yet.
    #[error("{} has no finished generation yet", .0.display())]
    NothingLearned(PathBuf),
    /// The folder has no selection.
    #[error("{} is not a selection: it contains no select.toml", .0.display())]
    NoSelection(PathBuf),
    /// The folder has no study.
    #[error("{} is not a study: it contains no study.toml", .0.display())]
    NoStudy(PathBuf),
    /// The folder has no ladder.
    #[error("{} is not a ladder: it contains no ladder.toml", .0.display())]
    NoLadder(PathBuf),
    /// An external program cannot be used as a player.
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
    /// The run file differs from the one with which the run was begun.
    #[error("{} was changed since the run started; restore it, or start another run with it", .0.display())]
    Changed(PathBuf),
    /// A run cannot be extended as asked.
    #[error("the run cannot be extended: {0}")]
    Extension(String),
    /// The work was begun by an earlier version of the program.
    #[error(
        "{}: started by an earlier version of this program; it can be listed and shown, but not \
         continued: start it again",
        .0.display()
    )]
    Earlier(PathBuf),
    /// A file of an earlier step is gone.
    #[error("{} is missing, but the run needs it: restore it from a copy, or start a new run", .0.display())]
    Missing(PathBuf),
    /// A file of an earlier step was changed.
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
    /// The file of a net that is compared has changed.
    #[error("{} was changed since the selection started; restore it from a copy, or start a new \
        selection", .0.display())]
    NetChanged(PathBuf),
    /// The candidates of a selection are invalid.
    #[error("{0}")]
    Candidates(String),
    /// The games of a selection cannot be rated.
    #[error(transparent)]
    Ratings(#[from] RatingError),
    /// The training window cannot be written.
    #[error(transparent)]
    Window(#[from] WindowError),
    /// There are too few openings.
    #[error(
        "{key}: {games} games need {wanted} openings, but the book has {found}: games would be \
         repeated move by move; set random_plies, or use fewer games or a larger book"
    )]
    Openings {
        /// The setting for these games.
        key: &'static str,
        /// The number of games.
        games: u64,
        /// The number of openings they need.
        wanted: u64,
        /// The number of openings in the book.
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
    /// The state of a run, or a record of self-play, cannot be used.
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

    /// Whether the input must be corrected, as opposed to a problem of the machine.
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
