//! Why a program cannot play; each error is one line.

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
    /// It cannot run in the given folder.
    #[error("cannot start {program}: there is no folder {directory} for it to run in")]
    Directory {
        /// The program.
        program: String,
        /// The folder.
        directory: String,
    },
    /// It cannot be bound to the given processors.
    #[error(
        "cannot start {program} on the processors {processors}: {problem}; \
         they are counted from 0"
    )]
    Processors {
        /// The program.
        program: String,
        /// Their numbers.
        processors: String,
        /// What the system reports.
        problem: String,
    },
    /// It runs, but does not answer like a UCI engine.
    #[error(
        "{program} did not answer '{command}' within {patience:.1?}: check that it is a UCI \
        engine"
    )]
    Silent {
        /// The program.
        program: String,
        /// The command sent to it.
        command: &'static str,
        /// How long we waited.
        patience: Duration,
    },
    /// It ended instead of answering.
    #[error("{program} ended before it answered '{command}': {how}")]
    Ended {
        /// The program.
        program: String,
        /// The command sent to it.
        command: &'static str,
        /// Its exit status or signal, and its last output.
        how: String,
    },
    /// It does not accept the value of an option.
    #[error("{program}: {problem}")]
    Setting {
        /// The program.
        program: String,
        /// The option, the value, and the values that it accepts.
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
