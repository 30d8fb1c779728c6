//! Which program plays, and how it is treated.

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Which program plays, and how it is treated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramOptions {
    /// Its path, or a name that is looked up in the PATH.
    pub program: PathBuf,
    /// What stands behind it on its command line.
    pub arguments: Vec<String>,
    /// The folder in which it runs; if none, the present one.
    pub directory: Option<PathBuf>,
    /// UCI options with their values, set in this order.
    pub settings: Vec<(String, String)>,
    /// How long it may take to answer `uci` and `isready`.
    pub patience: Duration,
    /// How long it may take to answer a search that has a limit, but none of
    /// time.
    pub search_patience: Duration,
    /// How long after its clock or its time for the move the answer is awaited.
    /// Whether it is too late by then is for others to judge.
    pub margin: Duration,
    /// The processors on which it may run; if none, all.
    pub processors: Option<Vec<usize>>,
}

impl ProgramOptions {
    /// A program without arguments and settings, treated as usual.
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

    /// Until when an answer to `isready` is awaited from now on.
    pub(super) fn until(&self) -> Option<Instant> {
        Instant::now().checked_add(self.patience)
    }
}
