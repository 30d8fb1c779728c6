//! Why a program cannot play, in one line each.

use std::io;
use std::time::Duration;

/// Why a program cannot play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The system does not start it.
    #[error("cannot start {program}: {problem}")]
    Spawn {
        /// The program.
        program: String,
        /// What is wrong and what to do.
        problem: String,
    },
    /// It cannot run where it should.
    #[error("cannot start {program}: there is no folder {directory} for it to run in")]
    Directory {
        /// The program.
        program: String,
        /// The folder.
        directory: String,
    },
    /// It cannot be bound to the processors.
    #[error(
        "cannot start {program} on the processors {processors}: {problem}; \
         they are counted from 0"
    )]
    Processors {
        /// The program.
        program: String,
        /// Their numbers.
        processors: String,
        /// What the system says.
        problem: String,
    },
    /// It runs, but says nothing that a UCI engine would say.
    #[error(
        "{program} did not answer '{command}' within {patience:.1?}: check that it is a UCI \
        engine"
    )]
    Silent {
        /// The program.
        program: String,
        /// What it was told.
        command: &'static str,
        /// How long was waited.
        patience: Duration,
    },
    /// It ended instead of answering.
    #[error("{program} ended before it answered '{command}': {how}")]
    Ended {
        /// The program.
        program: String,
        /// What it was told.
        command: &'static str,
        /// Its exit status or signal, and its last words.
        how: String,
    },
    /// A setting is none that it takes.
    #[error("{program}: {problem}")]
    Setting {
        /// The program.
        program: String,
        /// The option, the value and what it could be.
        problem: String,
    },
}

impl StartError {
    pub(super) fn spawn(program: &str, error: &io::Error) -> StartError {
        let problem = match error.kind() {
            io::ErrorKind::NotFound => "there is no such program; give its path, or a name on the \
                                        PATH"
                .to_owned(),
            io::ErrorKind::PermissionDenied => {
                "it is not executable; check that it is a program and has execute permission \
                 (chmod +x)"
                    .to_owned()
            }
            _ => error.to_string(),
        };
        StartError::Spawn {
            program: program.to_owned(),
            problem,
        }
    }

    #[cfg(unix)]
    pub(super) fn processors(
        program: &str,
        processors: &[usize],
        problem: &io::Error,
    ) -> StartError {
        let numbers: Vec<_> = processors.iter().map(usize::to_string).collect();
        StartError::Processors {
            program: program.to_owned(),
            processors: numbers.join(", "),
            problem: problem.to_string(),
        }
    }
}
