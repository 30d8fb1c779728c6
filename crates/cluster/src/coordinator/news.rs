//! What a coordinator tells those who watch it, and what it sums up at the end.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub enum News {
    /// A worker has come.
    Joined {
        /// Its name.
        worker: String,
        /// How many pieces it works on at once.
        threads: usize,
    },
    /// A worker is gone, or was silent for too long.
    Left {
        /// Its name.
        worker: String,
    },
    /// A worker is there, but cannot take part.
    Unfit {
        /// Its name.
        worker: String,
        /// Why, and what to do.
        reason: String,
    },
    /// There is work, and nobody to do it.
    NoWorkers,
    /// A worker gave wrong results; nothing is taken from it any more.
    ShutOut {
        /// Its name.
        worker: String,
        /// What it did.
        reason: String,
    },
    /// The results of a worker are unlike those of the others; its next units are
    /// compared.
    Suspect {
        /// Its name.
        worker: String,
        /// Standard deviations.
        deviation: f64,
    },
    /// A worker cannot work, though it wants to.
    Trouble {
        /// Its name.
        worker: String,
        /// What it said.
        problem: String,
    },
    /// A worker said that it cannot do a piece that others can do.
    WrongFailure {
        /// Its name.
        worker: String,
        /// The piece.
        piece: String,
    },
    /// Units were lost on the way and are given out again.
    GivenAgain {
        /// How many.
        units: usize,
    },
    /// The server does not answer; it is tried again and again.
    Disconnected,
    /// The server is there again.
    Connected,
    /// The server refused something.
    Refused(String),
}

impl News {
    /// Whether something is wrong.
    pub fn is_warning(&self) -> bool {
        match self {
            News::Joined { .. } | News::Left { .. } | News::Connected => false,
            News::Unfit { .. }
            | News::NoWorkers
            | News::ShutOut { .. }
            | News::Suspect { .. }
            | News::Trouble { .. }
            | News::WrongFailure { .. }
            | News::GivenAgain { .. }
            | News::Disconnected
            | News::Refused(_) => true,
        }
    }
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            News::Joined { worker, threads } => {
                let s = if *threads == 1 { "" } else { "s" };
                write!(f, "worker {worker} has come, with {threads} thread{s}")
            }
            News::Left { worker } => write!(f, "worker {worker} is gone"),
            News::Unfit { worker, reason } => {
                write!(f, "worker {worker} cannot take part: {reason}")
            }
            News::NoWorkers => f.write_str(
                "waiting for workers: start one with tabia worker --cluster URL --creds FILE",
            ),
            News::ShutOut { worker, reason } => write!(
                f,
                "worker {worker} is shut out, and its results are computed again: {reason}"
            ),
            News::Suspect { worker, deviation } => write!(
                f,
                "the results of worker {worker} are {deviation:.1} standard deviations off those \
                 of the others; its next units are compared"
            ),
            News::Trouble { worker, problem } => write!(f, "worker {worker}: {problem}"),
            News::WrongFailure { worker, piece } => write!(
                f,
                "worker {worker} could not do {piece}, which was possible here"
            ),
            News::GivenAgain { units } => {
                let s = if *units == 1 { " was" } else { "s were" };
                write!(f, "{units} unit{s} lost on the way, and is given out again")
            }
            News::Disconnected => f.write_str("the NATS server does not answer; trying again"),
            News::Connected => f.write_str("connected to the NATS server"),
            News::Refused(words) => write!(f, "the NATS server refused something: {words}"),
        }
    }
}

/// What came of a session.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Workers whose results were used.
    pub workers: usize,
    /// Pieces that were done.
    pub pieces: u64,
    /// Seconds of all threads.
    pub seconds: f64,
    /// Units that were done twice and were equal.
    pub confirmed: u64,
    /// Results that came a second time and were ignored.
    pub duplicates: u64,
    /// Units that were lost on the way and given out again.
    pub lost: u64,
    /// Workers that were shut out, why, and how many of their results were computed
    /// again.
    pub shut_out: Vec<(String, String, u64)>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary {
            workers,
            pieces,
            seconds,
            confirmed,
            ..
        } = self;
        let s = if *workers == 1 { "" } else { "s" };
        write!(
            f,
            "cluster: {pieces} pieces by {workers} worker{s} in {seconds:.0} s of their threads; \
             {confirmed} units done twice and equal"
        )?;
        for (worker, reason, again) in &self.shut_out {
            write!(
                f,
                "; {worker} was shut out ({reason}) and {again} of its results were computed again"
            )?;
        }
        Ok(())
    }
}
