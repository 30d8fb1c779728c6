//! One comparison: results of a unit that somebody else should repeat, and what has been
//! found equal so far.

use super::Fingerprint;
use std::sync::Arc;
use std::time::{Duration, Instant};
use work::Piece;

/// How often somebody is asked to repeat the same results before that is given up.
const MOST_ATTEMPTS: u32 = 3;

/// A result that is to be compared.
#[derive(Debug)]
pub(super) struct Noted {
    pub(super) piece: Arc<Piece>,
    /// Who did it.
    pub(super) worker: String,
    pub(super) print: Fingerprint,
    /// Whether it was repeated and was equal.
    is_equal: bool,
}

impl Noted {
    pub(super) fn new(piece: Arc<Piece>, worker: &str, print: Fingerprint) -> Noted {
        Noted {
            piece,
            worker: worker.to_owned(),
            print,
            is_equal: false,
        }
    }
}

/// Results that are repeated together.
#[derive(Debug)]
pub(super) struct Comparison {
    noted: Vec<Noted>,
    stage: Stage,
    attempts: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Stage {
    /// Somebody else should do it again.
    Wanted,
    /// Somebody was asked to.
    Asked { worker: String, since: Instant },
    /// This one says something else of a piece, so one of both will be banned: what is left
    /// after that is compared by another.
    Disputed { worker: String },
}

/// What came of a second result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::coordinator) enum Compared {
    /// Nobody asked this worker for it.
    Unasked,
    /// It is equal, and more is awaited.
    Equal,
    /// All is equal: those who did it first are confirmed.
    Confirmed(Vec<String>),
    /// Two workers say different things of a piece.
    Different(Dispute),
}

/// A piece of which two workers say different things.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::coordinator) struct Dispute {
    pub(in crate::coordinator) piece: Arc<Piece>,
    /// Who says what.
    pub(in crate::coordinator) sides: [(String, Fingerprint); 2],
}

impl Comparison {
    pub(super) fn new(noted: Vec<Noted>) -> Comparison {
        Comparison {
            noted,
            stage: Stage::Wanted,
            attempts: 0,
        }
    }

    pub(super) fn pieces(&self) -> Vec<Arc<Piece>> {
        self.noted.iter().map(|noted| noted.piece.clone()).collect()
    }

    /// Those who did it first.
    pub(super) fn workers(&self) -> Vec<String> {
        workers(&self.noted)
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.stage == Stage::Wanted
    }

    /// Who was asked and has not done it.
    pub(super) fn asked(&self) -> Option<&str> {
        match &self.stage {
            Stage::Asked { worker, .. } => Some(worker),
            Stage::Wanted | Stage::Disputed { .. } => None,
        }
    }

    pub(super) fn ask(&mut self, worker: &str, now: Instant) {
        self.attempts += 1;
        self.stage = Stage::Asked {
            worker: worker.to_owned(),
            since: now,
        };
    }

    /// Asks somebody else: nothing of what the last one said counts.
    pub(super) fn want(&mut self) {
        self.stage = Stage::Wanted;
        for noted in &mut self.noted {
            noted.is_equal = false;
        }
    }

    /// Whether enough workers were asked in vain.
    pub(super) fn is_hopeless(&self) -> bool {
        self.is_wanted() && self.attempts >= MOST_ATTEMPTS
    }

    /// Whether the one who was asked some time ago does nothing.
    pub(super) fn is_overdue(&mut self, is_held: bool, patience: Duration, now: Instant) -> bool {
        let Stage::Asked { since, .. } = &mut self.stage else {
            return false;
        };
        if is_held {
            *since = now;
        }
        now.duration_since(*since) >= patience
    }

    /// Compares a second result with the first.
    pub(super) fn compare(&mut self, number: u64, worker: &str, print: Fingerprint) -> Compared {
        if self.asked() != Some(worker) {
            return Compared::Unasked;
        }
        let mut noted = self.noted.iter_mut();
        let Some(first) = noted.find(|noted| noted.piece.number == number) else {
            return Compared::Unasked;
        };
        if first.print != print {
            let dispute = Dispute {
                piece: first.piece.clone(),
                sides: [
                    (first.worker.clone(), first.print),
                    (worker.to_owned(), print),
                ],
            };
            self.stage = Stage::Disputed {
                worker: worker.to_owned(),
            };
            return Compared::Different(dispute);
        }
        first.is_equal = true;
        match self.noted.iter().all(|noted| noted.is_equal) {
            false => Compared::Equal,
            true => Compared::Confirmed(self.workers()),
        }
    }

    /// Forgets what a worker said; whether something is left to be compared.
    pub(super) fn forget(&mut self, worker: &str) -> bool {
        let before = self.noted.len();
        self.noted.retain(|noted| noted.worker != worker);
        let is_over = match &self.stage {
            Stage::Wanted => false,
            Stage::Asked { worker: asked, .. } => asked == worker,
            Stage::Disputed { worker: other } => other == worker || self.noted.len() < before,
        };
        if is_over {
            self.want();
        }
        !self.noted.is_empty()
    }
}

/// Whose results these are, each once.
pub(super) fn workers(noted: &[Noted]) -> Vec<String> {
    let mut workers: Vec<String> = noted.iter().map(|noted| noted.worker.clone()).collect();
    workers.sort();
    workers.dedup();
    workers
}
