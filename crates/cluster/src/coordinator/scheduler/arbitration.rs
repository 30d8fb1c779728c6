//! Arbitration of failed and differing results: bans of workers, and what becomes of their
//! results.

use super::{Arbitration, Command, HERE, MOST_FAILURES, MOST_WRONG_FAILURES, Scheduler};
use crate::coordinator::events::CoordinatorEvent;
use crate::coordinator::registry::WorkerRegistry;
use crate::coordinator::verification::{Compared, Dispute, Fingerprint, fingerprint};
use crate::message::{Remark, Report, UnitResult};
use work::DispatchError;

impl Scheduler<'_> {
    /// A worker could not do a piece. Others try; then it is tried here.
    pub(super) fn fail(
        &mut self,
        number: u64,
        worker: &str,
        registry: &mut WorkerRegistry,
    ) -> Option<Command> {
        let piece = self.units.piece(number).cloned()?;
        registry.member(worker).work.failures += 1;
        let failures = self.failures.entry(number).or_default();
        failures.push(worker.to_owned());
        if failures.len() < MOST_FAILURES {
            self.units.give_back(number);
            return None;
        }
        if self.arbitrations.contains_key(&number) {
            return None;
        }
        let workers = failures.clone();
        self.arbitrations
            .insert(number, Arbitration::Failure(workers));
        Some(Command::Judge(piece))
    }

    /// A piece was done here: the result, or why there is none.
    ///
    /// # Errors
    /// If that ends the work.
    pub(in crate::coordinator) fn judge(
        &mut self,
        number: u64,
        judged: Result<Vec<u8>, Vec<u8>>,
        registry: &mut WorkerRegistry,
    ) -> Result<Vec<Command>, DispatchError> {
        match self.arbitrations.remove(&number) {
            None => Ok(Vec::new()),
            Some(Arbitration::Failure(workers)) => match judged {
                Ok(result) => self.contradict(number, &workers, result, registry),
                Err(fault) => Err(self.failed(number, fault)),
            },
            Some(Arbitration::Dispute(dispute)) => {
                let mut sides = dispute.sides.iter();
                let is_decided = sides.any(|(worker, _)| registry.is_shut_out(worker));
                match judged {
                    Ok(result) => {
                        let truth = fingerprint(&self.plan.portable.essence(&result));
                        self.settle(&dispute, truth, registry)
                    }
                    // Nothing of one of them counts, and the other is compared again.
                    Err(_) if is_decided => Ok(Vec::new()),
                    Err(fault) => Err(self.undecided(&dispute, &fault)),
                }
            }
        }
    }

    /// Two workers differ, and nobody can say who is right: the work must not go on with
    /// results of which one is wrong, and whoever reads this can look at both machines.
    fn undecided(&self, dispute: &Dispute, fault: &[u8]) -> DispatchError {
        let [(first, _), (second, _)] = &dispute.sides;
        let fault = String::from_utf8_lossy(fault);
        let words = format!(
            "the workers '{first}' and '{second}' have different results, and the coordinator \
             cannot find out which one is right: {fault}"
        );
        self.failed(dispute.piece.number, words.into_bytes())
    }

    /// Workers could not do a piece that can be done.
    fn contradict(
        &mut self,
        number: u64,
        workers: &[String],
        result: Vec<u8>,
        registry: &mut WorkerRegistry,
    ) -> Result<Vec<Command>, DispatchError> {
        self.keep(number, HERE, result);
        let mut commands = Vec::new();
        for worker in workers {
            commands.push(Command::Tell(CoordinatorEvent::WrongFailure {
                worker: worker.clone(),
                piece: format!("{} {number}", self.plan.piece_name),
            }));
            let contradicted = &mut registry.member(worker).contradicted;
            contradicted.insert(number);
            if contradicted.len() >= MOST_WRONG_FAILURES && !registry.is_shut_out(worker) {
                let reason = "it fails repeatedly where others do not".to_owned();
                commands.extend(self.shut_out(worker, reason, registry)?);
            }
        }
        Ok(commands)
    }

    /// Two workers differ, and the truth is known: one of them, or both, are wrong.
    fn settle(
        &mut self,
        dispute: &Dispute,
        truth: Fingerprint,
        registry: &mut WorkerRegistry,
    ) -> Result<Vec<Command>, DispatchError> {
        let number = dispute.piece.number;
        let mut commands = Vec::new();
        let mut fault = None;
        for (worker, said) in &dispute.sides {
            if *said == truth || registry.is_shut_out(worker) {
                continue;
            }
            let name = self.plan.piece_name;
            let reason = format!("{name} {number} had a different result when it was repeated");
            match self.shut_out(worker, reason, registry) {
                Ok(more) => commands.extend(more),
                Err(withdrawn) => fault = Some(joined(fault, withdrawn)),
            }
        }
        fault.map_or(Ok(commands), Err)
    }

    /// A worker has done a unit a second time.
    pub(super) fn hear_copy(
        &mut self,
        worker: &str,
        result: UnitResult,
        registry: &mut WorkerRegistry,
    ) -> Result<Vec<Command>, DispatchError> {
        let copy = result.name.unit;
        let mut commands = Vec::new();
        for (number, report) in result.reports {
            let Report::Done(bytes) = report else {
                self.plan.verification.decline(copy, worker);
                continue;
            };
            let print = fingerprint(&self.plan.portable.essence(&bytes));
            match self.plan.verification.compare(copy, number, worker, print) {
                Compared::Unasked | Compared::Equal => {}
                Compared::Confirmed(firsts) => {
                    for confirmed in firsts.iter().map(String::as_str).chain([worker]) {
                        registry.member(confirmed).work.confirmed += 1;
                    }
                }
                Compared::Different(dispute) => {
                    let piece = dispute.piece.clone();
                    self.arbitrations
                        .insert(number, Arbitration::Dispute(dispute));
                    commands.push(Command::Judge(piece));
                }
            }
        }
        // What it did not do by now it will not do.
        if result.remark != Remark::More {
            self.plan.verification.decline(copy, worker);
        }
        Ok(commands)
    }

    /// A worker has sent what no worker sends.
    ///
    /// # Errors
    /// If results were handed over that have to be withdrawn.
    pub(in crate::coordinator) fn hear_garbage(
        &mut self,
        worker: &str,
        problem: &str,
        registry: &mut WorkerRegistry,
    ) -> Result<Vec<Command>, DispatchError> {
        if registry.is_shut_out(worker) {
            return Ok(Vec::new());
        }
        let reason = format!("it sends invalid messages: {problem}");
        self.shut_out(worker, reason, registry)
    }

    /// Nothing is taken from a worker any more, and what was taken is void.
    ///
    /// # Errors
    /// If results were handed over that have to be withdrawn.
    pub(super) fn shut_out(
        &mut self,
        worker: &str,
        reason: String,
        registry: &mut WorkerRegistry,
    ) -> Result<Vec<Command>, DispatchError> {
        for held in registry.held_by(worker) {
            if self.is_ours(&held) {
                self.units.end(held.unit);
            }
        }
        registry.shut_out(worker, reason.clone());
        self.plan.verification.forget(worker);
        let void: Vec<u64> = self
            .waiting
            .iter()
            .filter(|(_, accepted)| accepted.worker == worker)
            .map(|(&place, _)| place)
            .collect();
        for place in void {
            if let Some(accepted) = self.take_waiting(place) {
                self.units.reopen(accepted.given);
            }
        }
        match self.contributed.remove(worker) {
            Some(numbers) => Err(DispatchError::Withdrawn {
                worker: worker.to_owned(),
                reason,
                numbers,
            }),
            None => Ok(vec![Command::Tell(CoordinatorEvent::ShutOut {
                worker: worker.to_owned(),
                reason,
            })]),
        }
    }
}

/// Two withdrawals as one.
fn joined(one: Option<DispatchError>, other: DispatchError) -> DispatchError {
    match (one, other) {
        (
            Some(DispatchError::Withdrawn {
                worker,
                reason,
                mut numbers,
            }),
            DispatchError::Withdrawn {
                worker: second,
                numbers: more,
                ..
            },
        ) => {
            numbers.extend(more);
            DispatchError::Withdrawn {
                worker: format!("{worker}' and '{second}"),
                reason,
                numbers,
            }
        }
        (_, other) => other,
    }
}
