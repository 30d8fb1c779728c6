//! Which program plays, and how it is run.

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Which program plays, and how it is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramOptions {
    /// Its path, or a name that is looked up in the PATH.
    pub program: PathBuf,
    /// Its command-line arguments.
    pub arguments: Vec<String>,
    /// The folder in which it runs; `None` for the current one.
    pub directory: Option<PathBuf>,
    /// UCI options with their values, set in this order.
    pub settings: Vec<(String, String)>,
    /// How long it may take to answer `uci` and `isready`.
    pub patience: Duration,
    /// How long it may take to answer a search whose limits do not include time.
    pub search_patience: Duration,
    /// How long to wait for the answer after its clock or its time for the move has run out.
    /// Whether that is too late is judged elsewhere.
    pub margin: Duration,
    /// The processors on which it may run; `None` for all.
    pub processors: Option<Vec<usize>>,
}

impl ProgramOptions {
    /// A program without arguments and options, run with the defaults.
    pub fn new(program: impl Into<PathBuf>) -> ProgramOptions {
        ProgramOptions {
            program: program.into(),
            arguments: Vec::new(),
            directory: None,
            settings: Vec::new(),
            patience: Duration::from_secs(10),
            search_patience: Duration::from_secs(60),
            margin: Duration::from_millis(500),
            processors: None,
        }
    }

    /// The program as messages name it.
    pub(super) fn name_of_program(&self) -> String {
        self.program.display().to_string()
    }

    /// Until when to wait for an answer to `isready` that is asked for now.
    pub(super) fn until(&self) -> Option<Instant> {
        Instant::now().checked_add(self.patience)
    }
}
