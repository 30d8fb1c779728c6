//! Periodic checks for lost units, which are requeued, and for units to be compared.

use super::{Command, MOST_FAILURES, SLOW, Scheduler};
use crate::coordinator::events::CoordinatorEvent;
use crate::coordinator::registry::WorkerRegistry;
use crate::message::UnitName;
use std::time::Instant;
use work::DispatchError;

impl Scheduler<'_> {
    /// A worker is gone without a word, and with it what it held. The server gives that
    /// to others, but a unit that is lost again and again may be what kills them.
    ///
    /// # Errors
    /// If that ends the work.
    pub(in crate::coordinator) fn lose(
        &mut self,
        worker: &str,
        units: &[UnitName],
        registry: &WorkerRegistry,
    ) -> Result<(), DispatchError> {
        for name in units {
            if !self.is_ours(name) {
                continue;
            }
            let losses = self.losses.entry(name.unit).or_default();
            losses.push(worker.to_owned());
            // Nobody can end the work alone, unless he is alone.
            let is_alone = registry.count() < 2;
            let others = losses.iter().any(|other| *other != losses[0]);
            if losses.len() < MOST_FAILURES || !(others || is_alone) {
                continue;
            }
            let count = losses.len();
            if let Some((number, pieces)) = self.units.open_of(name.unit) {
                let fault = match pieces {
                    1 => format!("{count} workers were lost while they worked on it"),
                    _ => format!(
                        "{count} workers were lost while they worked on it and the {} after it",
                        pieces - 1
                    ),
                };
                return Err(self.failed(number, fault.into_bytes()));
            }
        }
        Ok(())
    }

    /// Looks for units that are lost, and for comparisons to be made; to be called now
    /// and then. `is_queue_empty` says whether the server has no unit that nobody has.
    pub(in crate::coordinator) fn look_around(
        &mut self,
        registry: &WorkerRegistry,
        is_queue_empty: bool,
        now: Instant,
    ) -> Vec<Command> {
        let mut commands = self.look_for_lost(registry, is_queue_empty, now);
        let is_open = |unit: u64| self.units.is_open(unit);
        self.plan.verification.collect(&is_open);
        let name = self.plan.name.clone();
        let held = registry.held();
        let is_held = |unit: u64| {
            held.contains(&UnitName {
                unit,
                is_copy: true,
                ..name.clone()
            })
        };
        let patience = self.plan.settings.patience();
        self.plan.verification.ask_others(&is_held, patience, now);
        let mut asked = self.plan.verification.asked();
        for wanted in self.plan.verification.wanted() {
            let not_by: Vec<&str> = wanted.not_by.iter().map(String::as_str).collect();
            if let Some(worker) = registry.other_than(&not_by, &asked) {
                *asked.entry(worker.clone()).or_default() += 1;
                self.plan.verification.ask(wanted.copy, &worker, now);
                commands.push(Command::Ask(worker, wanted.copy, wanted.pieces));
            }
        }
        commands
    }

    /// Comparisons for which nobody is there are not awaited.
    pub(in crate::coordinator) fn give_up_wanted(&mut self) {
        self.plan.verification.give_up_wanted();
    }

    fn look_for_lost(
        &mut self,
        registry: &WorkerRegistry,
        is_queue_empty: bool,
        now: Instant,
    ) -> Vec<Command> {
        let held = registry.held();
        for name in &held {
            if self.is_ours(name) {
                self.units.leave_queue(name.unit);
            }
        }
        let settings = self.plan.settings;
        // The server gives a unit out again after the lease; whoever gets it tells so.
        let patience = 2 * settings.lease + settings.patience();
        let mut lost = Vec::new();
        let mut slow = Vec::new();
        // A queue that is never empty, as that of a job without end, says nothing of a
        // unit after which others were given out.
        let oldest_queued = match is_queue_empty {
            true => u64::MAX,
            false => self.units.oldest_queued(),
        };
        for (unit, issued) in self.units.issued_mut() {
            let name = UnitName {
                unit,
                ..self.plan.name.clone()
            };
            let is_held = held.contains(&name);
            if is_held || unit >= oldest_queued {
                issued.seen = now;
            }
            if !is_held {
                issued.since = issued.since.max(issued.seen);
            }
            if now.duration_since(issued.seen) > patience {
                lost.push(unit);
            }
            let expected = self.sizing.time_of(issued.numbers.len());
            let expected = expected.unwrap_or(settings.most_unit) * SLOW;
            if is_held && now.duration_since(issued.since) > expected + patience {
                slow.push(unit);
            }
        }
        self.lost += lost.len() as u64;
        let mut commands = Vec::new();
        if !lost.is_empty() {
            let units = lost.len();
            commands.push(Command::Tell(CoordinatorEvent::GivenAgain { units }));
        }
        for unit in lost.into_iter().chain(slow) {
            self.units.end(unit);
        }
        commands
    }

    /// Whether somebody holds a unit of this job.
    pub(in crate::coordinator) fn is_held(&self, registry: &WorkerRegistry) -> bool {
        registry.held().iter().any(|name| self.is_ours(name))
    }

    /// Whether a unit is one of this job, and not one that is done again.
    pub(super) fn is_ours(&self, name: &UnitName) -> bool {
        let UnitName { session, job, .. } = &self.plan.name;
        name.session == *session && name.job == *job && !name.is_copy
    }
}
