//! Verification of results: some units are computed twice and compared, and the results of
//! each worker are compared statistically with those of the others.
//!
//! It says which units are to be compared and what came of it; it must not know how
//! anything is sent, nor what becomes of a worker that was found wrong.

use crate::blobs::hash;
use crate::chi_square::deviation;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};
use work::Piece;

/// So many standard deviations make a worker suspect: one honest worker in a million
/// is, and loses nothing but that its next units are compared.
const SUSPICIOUS: f64 = 4.75;
/// The classes of a worker are looked at again after so many more.
const LOOK_EVERY: u64 = 50;
/// How many units of a suspect are compared.
const SUSPECTED_UNITS: u32 = 4;
/// How often somebody is asked to do a unit again before that is given up.
const MOST_ATTEMPTS: u32 = 3;

/// The hash of what must be equal in two results.
pub(super) type Fingerprint = [u8; 32];

/// The hash by which results are compared.
pub(super) fn fingerprint(essence: &[u8]) -> Fingerprint {
    Sha256::digest(essence).into()
}

/// What is known of the honesty of workers in one job.
#[derive(Debug)]
pub(super) struct Verification {
    /// One of so many units is compared; none at all if results cannot be repeated.
    one_in: Option<u64>,
    /// Decides, with the number of a unit, which ones. No worker may know it.
    salt: String,
    /// Units that are or may be compared.
    checks: BTreeMap<u64, Check>,
    /// Counts of classes, by worker.
    classes: HashMap<String, Classes>,
    /// How many more units of a worker are compared because of its classes.
    suspects: HashMap<String, u32>,
}

#[derive(Debug, Default)]
struct Classes {
    counts: Vec<u64>,
    since_look: u64,
}

/// A unit that may be done twice.
#[derive(Debug)]
struct Check {
    pieces: Vec<Arc<Piece>>,
    /// Who did each piece first, and the fingerprint of its result.
    first: HashMap<u64, (String, Fingerprint)>,
    /// Whether the lot chose it; else only a suspect's unit is compared.
    is_chosen: bool,
    stage: Stage,
    attempts: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Stage {
    /// It is being done for the first time.
    First,
    /// Somebody else should do it again.
    Wanted,
    /// Somebody was asked to; these pieces were equal so far.
    Asked {
        worker: String,
        since: Instant,
        equal: Vec<u64>,
    },
}

/// A unit that somebody else should do again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wanted {
    pub(super) unit: u64,
    pub(super) pieces: Vec<Arc<Piece>>,
    /// Who did it first.
    pub(super) not_by: Vec<String>,
}

/// What came of a second result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Compared {
    /// Nobody asked this worker for it.
    Unasked,
    /// It is equal, and more of the unit is awaited.
    Equal,
    /// All of the unit is equal: those who did it first are confirmed.
    Confirmed(Vec<String>),
    /// Two workers say different things of a piece.
    Different(Dispute),
}

/// A piece of which two workers say different things.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dispute {
    pub(super) piece: Arc<Piece>,
    /// Who says what.
    pub(super) sides: [(String, Fingerprint); 2],
}

impl Verification {
    /// For one job. `salt` is a secret of the session; `one_in` is none if results
    /// cannot be repeated.
    pub(super) fn new(salt: String, one_in: Option<u64>) -> Verification {
        Verification {
            one_in: one_in.filter(|&one_in| one_in > 0),
            salt,
            checks: BTreeMap::new(),
            classes: HashMap::new(),
            suspects: HashMap::new(),
        }
    }

    /// A unit is given out; a lot that no worker can know decides whether it will be
    /// compared.
    pub(super) fn issue(&mut self, unit: u64, pieces: &[Arc<Piece>]) {
        let Some(one_in) = self.one_in else {
            return;
        };
        let lot = hash(format!("{}.{unit}", self.salt).as_bytes());
        let lot = u64::from_str_radix(&lot[..15], 16).unwrap_or_default();
        let is_chosen = lot.is_multiple_of(one_in);
        if is_chosen || !self.suspects.is_empty() {
            let check = Check {
                pieces: pieces.to_vec(),
                first: HashMap::new(),
                is_chosen,
                stage: Stage::First,
                attempts: 0,
            };
            self.checks.insert(unit, check);
        }
    }

    /// Whether first results of this unit are to be noted.
    pub(super) fn wants(&self, unit: u64) -> bool {
        self.checks.contains_key(&unit)
    }

    /// Notes the first result of a piece.
    pub(super) fn note(&mut self, unit: u64, number: u64, worker: &str, print: Fingerprint) {
        let Some(check) = self.checks.get_mut(&unit) else {
            return;
        };
        check.first.insert(number, (worker.to_owned(), print));
        if check.first.len() < check.pieces.len() {
            return;
        }
        let mut is_suspect = false;
        for worker in check.workers() {
            if let Some(left) = self.suspects.get_mut(&worker) {
                is_suspect = true;
                *left -= 1;
                if *left == 0 {
                    self.suspects.remove(&worker);
                }
            }
        }
        match check.is_chosen || is_suspect {
            true => check.stage = Stage::Wanted,
            false => drop(self.checks.remove(&unit)),
        }
    }

    /// The units that somebody else should do again.
    pub(super) fn wanted(&self) -> Vec<Wanted> {
        let wanted = self
            .checks
            .iter()
            .filter(|(_, check)| check.stage == Stage::Wanted);
        wanted
            .map(|(&unit, check)| Wanted {
                unit,
                pieces: check.pieces.clone(),
                not_by: check.workers(),
            })
            .collect()
    }

    /// Somebody was asked to do a unit again.
    pub(super) fn ask(&mut self, unit: u64, worker: &str, now: Instant) {
        if let Some(check) = self.checks.get_mut(&unit) {
            check.attempts += 1;
            check.stage = Stage::Asked {
                worker: worker.to_owned(),
                since: now,
                equal: Vec::new(),
            };
        }
    }

    /// Looks for those who were asked some time ago and do nothing: others are asked,
    /// but not forever.
    pub(super) fn ask_others(
        &mut self,
        is_held: &dyn Fn(u64) -> bool,
        patience: Duration,
        now: Instant,
    ) {
        self.checks.retain(|&unit, check| {
            let Stage::Asked { since, .. } = &mut check.stage else {
                return true;
            };
            if is_held(unit) {
                *since = now;
            }
            if now.duration_since(*since) < patience {
                return true;
            }
            check.stage = Stage::Wanted;
            check.attempts < MOST_ATTEMPTS
        });
    }

    /// How many units each worker was asked to do again and has not done.
    pub(super) fn asked(&self) -> HashMap<String, usize> {
        let mut asked = HashMap::new();
        for worker in self.checks.values().filter_map(Check::asked) {
            *asked.entry(worker.to_owned()).or_default() += 1;
        }
        asked
    }

    /// The one who was asked cannot do it.
    pub(super) fn decline(&mut self, unit: u64, worker: &str) {
        let Some(check) = self.checks.get_mut(&unit) else {
            return;
        };
        if check.asked() != Some(worker) {
            return;
        }
        check.stage = Stage::Wanted;
        if check.attempts >= MOST_ATTEMPTS {
            self.checks.remove(&unit);
        }
    }

    /// Compares a second result with the first.
    pub(super) fn compare(
        &mut self,
        unit: u64,
        number: u64,
        worker: &str,
        print: Fingerprint,
    ) -> Compared {
        let Some(check) = self.checks.get_mut(&unit) else {
            return Compared::Unasked;
        };
        let pieces = check.pieces.len();
        let Some(first) = check.first.get(&number).cloned() else {
            return Compared::Unasked;
        };
        let Stage::Asked {
            worker: asked,
            equal,
            ..
        } = &mut check.stage
        else {
            return Compared::Unasked;
        };
        if asked != worker {
            return Compared::Unasked;
        }
        if first.1 != print {
            let piece = check.pieces.iter().find(|piece| piece.number == number);
            let Some(piece) = piece.cloned() else {
                return Compared::Unasked;
            };
            self.checks.remove(&unit);
            return Compared::Different(Dispute {
                piece,
                sides: [first, (worker.to_owned(), print)],
            });
        }
        if !equal.contains(&number) {
            equal.push(number);
        }
        if equal.len() < pieces {
            return Compared::Equal;
        }
        let workers = check.workers();
        self.checks.remove(&unit);
        Compared::Confirmed(workers)
    }

    /// Whether nothing is left to be compared: units that are not done are not awaited.
    pub(super) fn is_settled(&self) -> bool {
        let mut checks = self.checks.values();
        checks.all(|check| check.stage == Stage::First)
    }

    /// Gives up what nobody is there to do again.
    pub(super) fn give_up_wanted(&mut self) {
        self.checks.retain(|_, check| check.stage != Stage::Wanted);
    }

    /// Forgets everything that a worker said.
    pub(super) fn forget(&mut self, worker: &str) {
        self.checks
            .retain(|_, check| !check.workers().iter().any(|first| first == worker));
        for check in self.checks.values_mut() {
            if check.asked() == Some(worker) {
                check.stage = Stage::Wanted;
            }
        }
        self.classes.remove(worker);
        self.suspects.remove(worker);
    }

    /// Counts a class of a worker; how far it is off the others if that is suspicious.
    pub(super) fn classify(&mut self, worker: &str, class: usize) -> Option<f64> {
        /// No job has more classes.
        const MOST: usize = 64;
        let own = self.classes.entry(worker.to_owned()).or_default();
        let class = class.min(MOST - 1);
        if own.counts.len() <= class {
            own.counts.resize(class + 1, 0);
        }
        own.counts[class] += 1;
        own.since_look += 1;
        if own.since_look < LOOK_EVERY {
            return None;
        }
        own.since_look = 0;
        let mut rest = vec![0; MOST];
        for (other, classes) in &self.classes {
            // Nobody is measured by those who are suspect themselves.
            if other != worker && !self.suspects.contains_key(other) {
                for (sum, count) in rest.iter_mut().zip(&classes.counts) {
                    *sum += count;
                }
            }
        }
        let found = deviation(&self.classes[worker].counts, &rest);
        if found < SUSPICIOUS || self.suspects.contains_key(worker) {
            return None;
        }
        self.suspects.insert(worker.to_owned(), SUSPECTED_UNITS);
        Some(found)
    }
}

impl Check {
    /// Those who did it first.
    fn workers(&self) -> Vec<String> {
        let mut workers: Vec<String> = self
            .first
            .values()
            .map(|(worker, _)| worker.clone())
            .collect();
        workers.sort();
        workers.dedup();
        workers
    }

    fn asked(&self) -> Option<&str> {
        match &self.stage {
            Stage::Asked { worker, .. } => Some(worker),
            Stage::First | Stage::Wanted => None,
        }
    }
}

#[cfg(test)]
#[path = "verification_tests.rs"]
mod tests;
