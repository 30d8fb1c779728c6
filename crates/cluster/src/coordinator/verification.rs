//! Verification of results: some units are computed twice and compared, and the results of
//! each worker are compared statistically with those of the others.
//!
//! It says which units are to be compared and what came of it; it must not know how
//! anything is sent, nor what becomes of a worker that was found wrong.

mod comparison;

pub(super) use comparison::{Compared, Dispute};

use crate::blobs::hash;
use crate::chi_square::deviation;
use comparison::{Comparison, Noted, workers};
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
    /// Results that will be compared once nothing more comes of their unit.
    noted: BTreeMap<u64, Vec<Noted>>,
    /// What is compared, by the number under which it is repeated.
    comparisons: BTreeMap<u64, Comparison>,
    next_copy: u64,
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

/// Results that somebody else should repeat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wanted {
    pub(super) copy: u64,
    pub(super) pieces: Vec<Arc<Piece>>,
    /// Who did them first.
    pub(super) not_by: Vec<String>,
}

impl Verification {
    /// For one job. `salt` is a secret of the session; `one_in` is none if results
    /// cannot be repeated.
    pub(super) fn new(salt: String, one_in: Option<u64>) -> Verification {
        Verification {
            one_in: one_in.filter(|&one_in| one_in > 0),
            salt,
            noted: BTreeMap::new(),
            comparisons: BTreeMap::new(),
            next_copy: 0,
            classes: HashMap::new(),
            suspects: HashMap::new(),
        }
    }

    /// A lot that no worker can know decides which units are compared.
    fn is_chosen(&self, unit: u64, one_in: u64) -> bool {
        let lot = hash(format!("{}.{unit}", self.salt).as_bytes());
        let lot = u64::from_str_radix(&lot[..15], 16).unwrap_or_default();
        lot.is_multiple_of(one_in)
    }

    /// The unit with which a result is to be compared; none if it is not. `units` are those
    /// with which its piece was really given out: a worker that could name another would
    /// choose what is compared, so one of them that was chosen is enough.
    pub(super) fn wants(&self, units: &[u64], worker: &str) -> Option<u64> {
        let one_in = self.one_in?;
        let mut all = units.iter().copied();
        let chosen = all.find(|&unit| self.is_chosen(unit, one_in));
        match self.suspects.contains_key(worker) {
            true => chosen.or(units.last().copied()),
            false => chosen,
        }
    }

    /// Notes the first result of a piece.
    pub(super) fn note(&mut self, unit: u64, piece: Arc<Piece>, worker: &str, print: Fingerprint) {
        let noted = self.noted.entry(unit).or_default();
        noted.push(Noted::new(piece, worker, print));
    }

    /// Compares what was noted of units of which nothing more is to come. Whether they are
    /// complete does not matter: a worker that leaves something out must not evade this.
    pub(super) fn collect(&mut self, is_open: &dyn Fn(u64) -> bool) {
        let (open, ended) = std::mem::take(&mut self.noted)
            .into_iter()
            .partition(|&(unit, _)| is_open(unit));
        self.noted = open;
        for noted in BTreeMap::into_values(ended) {
            for worker in workers(&noted) {
                self.count_suspected(&worker);
            }
            self.comparisons
                .insert(self.next_copy, Comparison::new(noted));
            self.next_copy += 1;
        }
    }

    /// A unit of a worker is compared, which counts if it is suspect.
    fn count_suspected(&mut self, worker: &str) {
        if let Some(left) = self.suspects.get_mut(worker) {
            *left -= 1;
            if *left == 0 {
                self.suspects.remove(worker);
            }
        }
    }

    /// What somebody else should repeat.
    pub(super) fn wanted(&self) -> Vec<Wanted> {
        let wanted = self
            .comparisons
            .iter()
            .filter(|(_, comparison)| comparison.is_wanted());
        wanted
            .map(|(&copy, comparison)| Wanted {
                copy,
                pieces: comparison.pieces(),
                not_by: comparison.workers(),
            })
            .collect()
    }

    /// Somebody was asked to repeat something.
    pub(super) fn ask(&mut self, copy: u64, worker: &str, now: Instant) {
        if let Some(comparison) = self.comparisons.get_mut(&copy) {
            comparison.ask(worker, now);
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
        self.comparisons.retain(|&copy, comparison| {
            if comparison.is_overdue(is_held(copy), patience, now) {
                comparison.want();
            }
            !comparison.is_hopeless()
        });
    }

    /// How much each worker was asked to repeat and has not done.
    pub(super) fn asked(&self) -> HashMap<String, usize> {
        let mut asked = HashMap::new();
        for worker in self.comparisons.values().filter_map(Comparison::asked) {
            *asked.entry(worker.to_owned()).or_default() += 1;
        }
        asked
    }

    /// The one who was asked cannot do it.
    pub(super) fn decline(&mut self, copy: u64, worker: &str) {
        let Some(comparison) = self.comparisons.get_mut(&copy) else {
            return;
        };
        if comparison.asked() != Some(worker) {
            return;
        }
        comparison.want();
        if comparison.is_hopeless() {
            self.comparisons.remove(&copy);
        }
    }

    /// Compares a second result with the first.
    pub(super) fn compare(
        &mut self,
        copy: u64,
        number: u64,
        worker: &str,
        print: Fingerprint,
    ) -> Compared {
        let Some(comparison) = self.comparisons.get_mut(&copy) else {
            return Compared::Unasked;
        };
        let compared = comparison.compare(number, worker, print);
        if matches!(compared, Compared::Confirmed(_)) {
            self.comparisons.remove(&copy);
        }
        compared
    }

    /// Whether nothing is left to be compared.
    pub(super) fn is_settled(&self) -> bool {
        self.noted.is_empty() && self.comparisons.is_empty()
    }

    /// Gives up what nobody is there to repeat.
    pub(super) fn give_up_wanted(&mut self) {
        self.comparisons
            .retain(|_, comparison| !comparison.is_wanted());
    }

    /// Forgets everything that a worker said.
    pub(super) fn forget(&mut self, worker: &str) {
        for noted in self.noted.values_mut() {
            noted.retain(|noted| noted.worker != worker);
        }
        self.noted.retain(|_, noted| !noted.is_empty());
        self.comparisons
            .retain(|_, comparison| comparison.forget(worker));
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

#[cfg(test)]
#[path = "verification_tests.rs"]
mod tests;
