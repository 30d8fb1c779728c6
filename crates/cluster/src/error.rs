//! What can go wrong between the machines of a cluster.

use std::io;
use std::path::PathBuf;

/// Why a cluster cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The server cannot be reached, or refuses us.
    #[error("cannot connect to {url}: {problem}")]
    Connect {
        /// Where it should be.
        url: String,
        /// Why, and what to do.
        problem: String,
    },
    /// The server is there, but does not do what it is asked for.
    #[error("the NATS server refuses to {what}: {problem}")]
    Refused {
        /// What it was asked for.
        what: String,
        /// What it said.
        problem: String,
    },
    /// A file cannot be read or written, or holds nonsense.
    #[error("{}: {problem}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// nats-server cannot be started.
    #[error("{0}")]
    Server(String),
    /// There are no threads for it.
    #[error("cannot start threads: {0}")]
    Threads(io::Error),
    /// The worker was banned, or has no place here.
    #[error("{0}")]
    Excluded(String),
}

impl ClusterError {
    pub(crate) fn refused(what: impl Into<String>, problem: impl ToString) -> ClusterError {
        ClusterError::Refused {
            what: what.into(),
            problem: problem.to_string(),
        }
    }

    pub(crate) fn file(path: impl Into<PathBuf>, problem: impl ToString) -> ClusterError {
        ClusterError::File {
            path: path.into(),
            problem: problem.to_string(),
        }
    }
}
