//! What becomes of workers that fail, differ or lie, and of their results.

use super::{Command, Course, HERE, MOST_FAILURES, MOST_WRONG_FAILURES, Question};
use crate::coordinator::news::News;
use crate::coordinator::roster::Roster;
use crate::coordinator::trust::{Compared, Dispute, Fingerprint, fingerprint};
use crate::message::{Remark, Report, UnitResult};
use work::DispatchError;

impl Course<'_> {
    /// A worker could not do a piece. Others try; then it is tried here.
    pub(super) fn fail(
        &mut self,
        number: u64,
        worker: &str,
        roster: &mut Roster,
    ) -> Option<Command> {
        let piece = self.units.piece(number).cloned()?;
        roster.member(worker).work.failures += 1;
        let failures = self.failures.entry(number).or_default();
        failures.push(worker.to_owned());
        if failures.len() < MOST_FAILURES {
            self.units.give_back(number);
            return None;
        }
        if self.questions.contains_key(&number) {
            return None;
        }
        let workers = failures.clone();
        self.questions.insert(number, Question::Failure(workers));
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
        roster: &mut Roster,
    ) -> Result<Vec<Command>, DispatchError> {
        match self.questions.remove(&number) {
            None => Ok(Vec::new()),
            Some(Question::Failure(workers)) => match judged {
                Ok(result) => self.contradict(number, &workers, result, roster),
                Err(fault) => Err(self.failed(number, fault)),
            },
            Some(Question::Dispute(dispute)) => {
                let Ok(result) = judged else {
                    return Ok(Vec::new());
                };
                let truth = fingerprint(&self.plan.portable.essence(&result));
                self.settle(&dispute, truth, roster)
            }
        }
    }

    /// Workers could not do a piece that can be done.
    fn contradict(
        &mut self,
        number: u64,
        workers: &[String],
        result: Vec<u8>,
        roster: &mut Roster,
    ) -> Result<Vec<Command>, DispatchError> {
        self.keep(number, HERE, result);
        let mut commands = Vec::new();
        for worker in workers {
            commands.push(Command::Tell(News::WrongFailure {
                worker: worker.clone(),
                piece: format!("{} {number}", self.plan.piece_name),
            }));
            let contradicted = &mut roster.member(worker).contradicted;
            contradicted.insert(number);
            if contradicted.len() >= MOST_WRONG_FAILURES && !roster.is_shut_out(worker) {
                let reason = "it fails again and again where others do not".to_owned();
                commands.extend(self.shut_out(worker, reason, roster)?);
            }
        }
        Ok(commands)
    }

    /// Two workers differ, and the truth is known: one of them, or both, are wrong.
    fn settle(
        &mut self,
        dispute: &Dispute,
        truth: Fingerprint,
        roster: &mut Roster,
    ) -> Result<Vec<Command>, DispatchError> {
        let number = dispute.piece.number;
        let mut commands = Vec::new();
        let mut fault = None;
        for (worker, said) in &dispute.sides {
            if *said == truth || roster.is_shut_out(worker) {
                continue;
            }
            let name = self.plan.piece_name;
            let reason = format!("{name} {number} came out otherwise when it was done again");
            match self.shut_out(worker, reason, roster) {
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
        roster: &mut Roster,
    ) -> Result<Vec<Command>, DispatchError> {
        let unit = result.name.unit;
        let mut commands = Vec::new();
        for (number, report) in result.reports {
            let Report::Done(bytes) = report else {
                self.plan.trust.decline(unit, worker);
                continue;
            };
            let print = fingerprint(&self.plan.portable.essence(&bytes));
            match self.plan.trust.compare(unit, number, worker, print) {
                Compared::Unasked | Compared::Equal => {}
                Compared::Confirmed(firsts) => {
                    for confirmed in firsts.iter().map(String::as_str).chain([worker]) {
                        roster.member(confirmed).work.confirmed += 1;
                    }
                }
                Compared::Different(dispute) => {
                    let piece = dispute.piece.clone();
                    self.questions.insert(number, Question::Dispute(dispute));
                    commands.push(Command::Judge(piece));
                }
            }
        }
        if matches!(result.remark, Remark::Trouble(_)) {
            self.plan.trust.decline(unit, worker);
        }
        Ok(commands)
    }

    /// Nothing is taken from a worker any more, and what was taken is void.
    ///
    /// # Errors
    /// If results were handed over that have to be withdrawn.
    pub(in crate::coordinator) fn shut_out(
        &mut self,
        worker: &str,
        reason: String,
        roster: &mut Roster,
    ) -> Result<Vec<Command>, DispatchError> {
        for held in roster.held_by(worker) {
            if self.is_ours(&held) {
                self.units.end(held.unit);
            }
        }
        roster.shut_out(worker, reason.clone());
        self.plan.trust.forget(worker);
        let void: Vec<u64> = self
            .waiting
            .iter()
            .filter(|(_, accepted)| accepted.worker == worker)
            .map(|(&place, _)| place)
            .collect();
        for place in void {
            if let Some(accepted) = self.take_waiting(place) {
                self.units.reopen(accepted.piece, place);
            }
        }
        match self.contributed.remove(worker) {
            Some(numbers) => Err(DispatchError::Withdrawn {
                worker: worker.to_owned(),
                reason,
                numbers,
            }),
            None => Ok(vec![Command::Tell(News::ShutOut {
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
