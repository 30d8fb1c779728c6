//! The state machine of one job: which units are queued, which results come back, and which
//! of them count.
//!
//! It only decides: what is to be sent, arbitrated or reported is returned as [`Command`]s, and
//! the time is passed in, so that it can be tested without a server.

mod arbitration;
mod lost_units;

use super::events::CoordinatorEvent;
use super::registry::WorkerRegistry;
use super::sizing::Sizing;
use super::units::{Given, Origin, Units};
use super::verification::{Dispute, Verification, fingerprint};
use crate::identity::Identity;
use crate::message::{Remark, Report, UnitName, UnitResult};
use crate::settings::Settings;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Instant;
use work::{Care, DispatchError, Done, Order, Piece, Portable};

/// How often a piece may fail before the work ends.
pub(super) const MOST_FAILURES: usize = 3;
/// At how many pieces a worker may fail where others do not.
const MOST_WRONG_FAILURES: usize = 3;
/// One of so many results is looked at in every detail.
const THOROUGH_ONE_IN: u64 = 16;
/// A unit that takes so many times as long as expected goes to somebody else, too.
const SLOW: u32 = 10;
/// The most bytes of a unit: a server with the usual limits takes it.
const MOST_UNIT_BYTES: usize = 256 << 10;
/// Open units for each thread: one in work, one in the queue, and one whose results are on
/// the way here or wait for those of an earlier one.
const AHEAD: usize = 3;
/// Units that are given out before it is known who will do them.
const FIRST_UNITS: usize = 4;

/// What is to be done.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command {
    /// Put a unit into the queue.
    Publish(u64, Vec<Arc<Piece>>),
    /// Let a worker do a unit again.
    Ask(String, u64, Vec<Arc<Piece>>),
    /// Do a piece here, to see who is right.
    Judge(Arc<Piece>),
    /// Tell.
    Tell(CoordinatorEvent),
}

/// Why a piece is done here.
#[derive(Clone, PartialEq, Debug)]
enum Arbitration {
    /// Two workers differ.
    Dispute(Dispute),
    /// These workers could not do it.
    Failure(Vec<String>),
}

/// A result that was accepted and waits to be handed over.
struct Accepted {
    given: Given,
    result: Vec<u8>,
    worker: String,
}

/// What the course of a job depends on.
pub(super) struct Plan<'a> {
    pub(super) name: UnitName,
    pub(super) portable: &'a dyn Portable,
    pub(super) piece_name: &'static str,
    pub(super) order: Order,
    pub(super) settings: &'a Settings,
    /// This program, with whose results those of workers must be equal.
    pub(super) identity: &'a Identity,
    /// Whether floats are involved.
    pub(super) wants_arithmetic: bool,
    /// Decides what workers cannot foresee.
    pub(super) secret: u64,
    /// Which units are compared.
    pub(super) verification: Verification,
    /// When the work begins.
    pub(super) now: Instant,
}

/// A job in progress.
pub(super) struct Scheduler<'a> {
    plan: Plan<'a>,
    units: Units,
    sizing: Sizing,
    /// Accepted results, by their place in the order, and how many bytes they have.
    waiting: BTreeMap<u64, Accepted>,
    waiting_bytes: u64,
    handed_over: u64,
    /// Numbers of the results that were handed over, by worker.
    contributed: HashMap<String, Vec<u64>>,
    /// Who could not do a piece.
    failures: HashMap<u64, Vec<String>>,
    /// Who was lost while it held a unit.
    losses: HashMap<u64, Vec<String>>,
    /// Pieces that are being done here.
    arbitrations: HashMap<u64, Arbitration>,
    is_exhausted: bool,
    /// Whether no other result will be handed over.
    is_closed: bool,
    /// Results that came a second time.
    pub(super) duplicates: u64,
    /// Units that were lost on the way.
    pub(super) lost: u64,
}

impl<'a> Scheduler<'a> {
    pub(super) fn new(plan: Plan<'a>) -> Scheduler<'a> {
        Scheduler {
            plan,
            units: Units::default(),
            sizing: Sizing::default(),
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            handed_over: 0,
            contributed: HashMap::new(),
            failures: HashMap::new(),
            losses: HashMap::new(),
            arbitrations: HashMap::new(),
            is_exhausted: false,
            is_closed: false,
            duplicates: 0,
            lost: 0,
        }
    }

    /// Gives out units as long as those who work would soon have nothing to do.
    pub(super) fn feed(
        &mut self,
        pieces: &mut dyn Iterator<Item = Piece>,
        threads: usize,
        now: Instant,
    ) -> Vec<Command> {
        let most = AHEAD * threads + FIRST_UNITS;
        let mut commands = Vec::new();
        while self.units.count() < most {
            let taken = self.take(pieces, threads, now);
            if taken.is_empty() {
                break;
            }
            commands.push(self.issue(taken, now));
        }
        commands
    }

    fn issue(&mut self, pieces: Vec<Arc<Piece>>, now: Instant) -> Command {
        let unit = self.units.issue(&pieces, now);
        Command::Publish(unit, pieces)
    }

    /// The pieces of the next unit.
    fn take(
        &mut self,
        pieces: &mut dyn Iterator<Item = Piece>,
        threads: usize,
        now: Instant,
    ) -> Vec<Arc<Piece>> {
        let together = self.plan.portable.together();
        let left = pieces.size_hint().1;
        let elapsed = now.duration_since(self.plan.now);
        let settings = self.plan.settings;
        let wanted = self
            .sizing
            .pieces(settings, together, threads, left, elapsed);
        let is_full = self.is_full();
        let (mut taken, mut bytes) = (Vec::new(), 0);
        while taken.len() < wanted && bytes < MOST_UNIT_BYTES {
            let piece = match self.units.take_returned() {
                Some(piece) => piece,
                None if self.is_exhausted || is_full => break,
                None => match pieces.next() {
                    Some(piece) => self.units.take(piece),
                    None => {
                        self.is_exhausted = true;
                        break;
                    }
                },
            };
            bytes += piece.payload.len();
            taken.push(piece);
        }
        taken
    }

    /// No other piece is begun.
    pub(super) fn exhaust(&mut self) {
        self.is_exhausted = true;
    }

    /// Nothing more is handed over: what was noted is compared, and what comes from now on
    /// does not count.
    pub(super) fn close(&mut self) {
        self.is_exhausted = true;
        self.is_closed = true;
        self.plan.verification.collect(&|_| false);
    }

    /// Whether all pieces are done and handed over.
    pub(super) fn is_over(&self) -> bool {
        self.is_exhausted && self.units.is_empty() && self.waiting.is_empty()
    }

    /// Whether all workers who could be compared were.
    pub(super) fn is_settled(&self) -> bool {
        self.plan.verification.is_settled() && self.arbitrations.is_empty()
    }

    /// A worker has sent results.
    ///
    /// # Errors
    /// If that ends the work.
    pub(super) fn hear(
        &mut self,
        worker: &str,
        result: UnitResult,
        registry: &mut WorkerRegistry,
    ) -> Result<Vec<Command>, DispatchError> {
        if registry.is_shut_out(worker) {
            return Ok(Vec::new());
        }
        let arithmetic = self.plan.wants_arithmetic;
        if let Some(reason) = self
            .plan
            .identity
            .objection_to(&result.identity, arithmetic)
        {
            self.units.end(result.name.unit);
            let worker = worker.to_owned();
            return Ok(vec![Command::Tell(CoordinatorEvent::Unfit {
                worker,
                reason,
            })]);
        }
        if result.name.is_copy {
            return self.hear_copy(worker, result, registry);
        }
        if let Err(problem) = self.check_origin(&result) {
            return self.hear_garbage(worker, &problem, registry);
        }
        if self.is_closed {
            return Ok(Vec::new());
        }
        let mut commands = Vec::new();
        let unit = result.name.unit;
        self.units.leave_queue(unit);
        let mut done: Vec<(u64, Vec<u8>)> = Vec::new();
        for (number, report) in result.reports {
            match report {
                Report::Done(bytes) => done.push((number, bytes)),
                Report::Failed(_) => commands.extend(self.fail(number, worker, registry)),
                Report::Returned => self.units.give_back(number),
            }
        }
        self.sizing.learn(done.len(), result.seconds);
        let contribution = &mut registry.member(worker).work;
        contribution.seconds += result.seconds;
        commands.extend(self.classify(worker, &done));
        for (number, bytes) in done {
            if let Err(problem) = self.accept(number, worker, bytes, registry) {
                let reason = format!("{} {number}: {problem}", self.plan.piece_name);
                self.units.end(unit);
                commands.extend(self.shut_out(worker, reason, registry)?);
                return Ok(commands);
            }
        }
        match result.remark {
            Remark::More => {}
            Remark::Last => self.units.end(unit),
            Remark::Trouble(problem) => {
                self.units.end(unit);
                registry.member(worker).work.troubles += 1;
                let worker = worker.to_owned();
                commands.push(Command::Tell(CoordinatorEvent::Trouble { worker, problem }));
            }
        }
        Ok(commands)
    }

    fn failed(&self, number: u64, fault: Vec<u8>) -> DispatchError {
        DispatchError::Failed {
            name: self.plan.piece_name,
            number,
            fault,
        }
    }

    /// Whether a message can be about a unit that was given out. Which results are compared
    /// depends on their units, so a worker must not be able to choose them.
    fn check_origin(&self, result: &UnitResult) -> Result<(), String> {
        let unit = result.name.unit;
        if !self.units.was_issued(unit) {
            return Err(format!("unit {unit} was never given out"));
        }
        let mut numbers = result.reports.iter().map(|(number, _)| *number);
        let invented = numbers.find(|&number| self.units.origin(unit, number) == Origin::Invented);
        match invented {
            None => Ok(()),
            Some(number) => {
                let name = self.plan.piece_name;
                Err(format!("{name} {number} does not belong to unit {unit}"))
            }
        }
    }

    /// Accepts a result, unless it came before. What is wrong with it is an error.
    fn accept(
        &mut self,
        number: u64,
        worker: &str,
        result: Vec<u8>,
        registry: &mut WorkerRegistry,
    ) -> Result<(), String> {
        let Some(piece) = self.units.piece(number).cloned() else {
            self.duplicates += 1;
            return Ok(());
        };
        let portable = self.plan.portable;
        let lot = mixed(number ^ self.plan.secret);
        let care = match lot.is_multiple_of(THOROUGH_ONE_IN) {
            true => Care::Thorough,
            false => Care::Usual,
        };
        portable.check(&piece, &result, care)?;
        let verification = &mut self.plan.verification;
        if let Some(unit) = verification.wants(self.units.units_of(number), worker) {
            let print = fingerprint(&portable.essence(&result));
            verification.note(unit, piece, worker, print);
        }
        self.keep(number, worker, result);
        registry.member(worker).work.pieces += 1;
        Ok(())
    }

    fn keep(&mut self, number: u64, worker: &str, result: Vec<u8>) {
        if let Some(given) = self.units.close(number) {
            self.failures.remove(&number);
            let place = given.place;
            let accepted = Accepted {
                given,
                result,
                worker: worker.to_owned(),
            };
            self.waiting_bytes += accepted.result.len() as u64;
            self.waiting.insert(place, accepted);
        }
    }

    /// Sorts the results of a worker into classes, group by group of pieces that belong
    /// together.
    fn classify(&mut self, worker: &str, done: &[(u64, Vec<u8>)]) -> Option<Command> {
        let together = self.plan.portable.together().max(1) as u64;
        let mut found = None;
        let groups = done.chunk_by(|(one, _), (other, _)| one / together == other / together);
        for group in groups.filter(|group| group.len() as u64 == together) {
            if !group
                .iter()
                .all(|(number, _)| self.units.piece(*number).is_some())
            {
                continue;
            }
            let results: Vec<&[u8]> = group.iter().map(|(_, result)| result.as_slice()).collect();
            if let Some(class) = self.plan.portable.class(&results) {
                found = found.or(self.plan.verification.classify(worker, class));
            }
        }
        let worker = worker.to_owned();
        found.map(|deviation| Command::Tell(CoordinatorEvent::Suspect { worker, deviation }))
    }

    /// The next result that can be handed over.
    pub(super) fn next_done(&mut self) -> Option<Done> {
        let (&place, _) = self.waiting.first_key_value()?;
        if self.plan.order == Order::AsGiven && place != self.handed_over {
            return None;
        }
        let accepted = self.take_waiting(place)?;
        self.handed_over += 1;
        let number = accepted.given.piece.number;
        if accepted.worker != HERE {
            let contributed = self.contributed.entry(accepted.worker).or_default();
            contributed.push(number);
        }
        Some(Done {
            number,
            result: accepted.result,
        })
    }

    fn take_waiting(&mut self, place: u64) -> Option<Accepted> {
        let accepted = self.waiting.remove(&place)?;
        self.waiting_bytes -= accepted.result.len() as u64;
        Some(accepted)
    }

    /// Whether results were accepted that could not be handed over yet.
    pub(super) fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether so many results wait for an earlier one that nothing new is begun: they must
    /// not fill the memory.
    pub(super) fn is_full(&self) -> bool {
        self.waiting_bytes > self.plan.settings.waiting_bytes()
    }

    /// How many units are open.
    pub(super) fn open_units(&self) -> usize {
        self.units.count()
    }

    /// Whether there is something to do that nobody has begun.
    pub(super) fn wants_workers(&self) -> bool {
        !self.units.is_empty() || self.units.has_returned()
    }
}

/// Who does what workers cannot; no worker can have this name.
const HERE: &str = "";

/// A number that looks like chance: the last step of SplitMix64.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
#[path = "scheduler_tests.rs"]
mod tests;
