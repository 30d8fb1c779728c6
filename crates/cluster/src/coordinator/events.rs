//! Events that a coordinator reports, and its summary at the end.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub enum CoordinatorEvent {
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
    /// A worker gave wrong results and is banned.
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

impl CoordinatorEvent {
    /// Whether something is wrong.
    pub fn is_warning(&self) -> bool {
        match self {
            CoordinatorEvent::Joined { .. }
            | CoordinatorEvent::Left { .. }
            | CoordinatorEvent::Connected => false,
            CoordinatorEvent::Unfit { .. }
            | CoordinatorEvent::NoWorkers
            | CoordinatorEvent::ShutOut { .. }
            | CoordinatorEvent::Suspect { .. }
            | CoordinatorEvent::Trouble { .. }
            | CoordinatorEvent::WrongFailure { .. }
            | CoordinatorEvent::GivenAgain { .. }
            | CoordinatorEvent::Disconnected
            | CoordinatorEvent::Refused(_) => true,
        }
    }
}

impl fmt::Display for CoordinatorEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoordinatorEvent::Joined { worker, threads } => {
                let s = if *threads == 1 { "" } else { "s" };
                write!(f, "worker {worker} joined with {threads} thread{s}")
            }
            CoordinatorEvent::Left { worker } => write!(f, "worker {worker} left"),
            CoordinatorEvent::Unfit { worker, reason } => {
                write!(f, "worker {worker} cannot be used: {reason}")
            }
            CoordinatorEvent::NoWorkers => f.write_str(
                "waiting for workers: start one with tabia worker --cluster URL --creds FILE",
            ),
            CoordinatorEvent::ShutOut { worker, reason } => write!(
                f,
                "worker {worker} is banned, and its results are recomputed: {reason}"
            ),
            CoordinatorEvent::Suspect { worker, deviation } => write!(
                f,
                "the results of worker {worker} deviate by {deviation:.1} standard deviations \
                 from those of the others; its next units will be verified"
            ),
            CoordinatorEvent::Trouble { worker, problem } => {
                write!(f, "worker {worker}: {problem}")
            }
            CoordinatorEvent::WrongFailure { worker, piece } => write!(
                f,
                "worker {worker} failed at {piece}, which the coordinator could do"
            ),
            CoordinatorEvent::GivenAgain { units } => {
                let s = if *units == 1 { " was" } else { "s were" };
                write!(f, "{units} unit{s} lost, requeued")
            }
            CoordinatorEvent::Disconnected => {
                f.write_str("the NATS server does not respond; retrying")
            }
            CoordinatorEvent::Connected => f.write_str("connected to the NATS server"),
            CoordinatorEvent::Refused(words) => {
                write!(f, "the NATS server rejected a request: {words}")
            }
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
    /// Workers that were banned, why, and how many of their results were computed
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
        write!(
            f,
            "cluster: {} by {} in {seconds:.0} s of thread time; {} verified",
            counted(*pieces, "piece"),
            counted(*workers as u64, "worker"),
            counted(*confirmed, "unit")
        )?;
        for (worker, reason, again) in &self.shut_out {
            write!(
                f,
                "; {worker} was banned ({reason}) and {again} of its results were recomputed"
            )?;
        }
        Ok(())
    }
}

/// Such as `1 unit` or `2 units`.
fn counted(number: u64, thing: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{s}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_kind_is_told_as_one() {
        let summary = Summary {
            workers: 1,
            pieces: 1,
            seconds: 7.3,
            confirmed: 1,
            ..Summary::default()
        };
        assert_eq!(
            summary.to_string(),
            "cluster: 1 piece by 1 worker in 7 s of thread time; 1 unit verified"
        );
        assert_eq!(
            Summary::default().to_string(),
            "cluster: 0 pieces by 0 workers in 0 s of thread time; 0 units verified"
        );
    }
}
