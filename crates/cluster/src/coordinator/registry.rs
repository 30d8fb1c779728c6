//! The registry of workers of a session: heartbeats, held units, what each has done, and bans.

use crate::identity::Identity;
use crate::message::{Heartbeat, UnitName};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

/// All workers, by name.
#[derive(Debug, Default)]
pub(super) struct WorkerRegistry {
    workers: BTreeMap<String, Member>,
}

/// A worker, or several processes that share one name.
#[derive(Debug, Default)]
pub(super) struct Member {
    processes: HashMap<u64, Process>,
    pub(super) work: Contribution,
    /// Pieces that it could not do, and that could be done.
    pub(super) contradicted: HashSet<u64>,
    /// Why nothing is taken from it any more.
    pub(super) shut_out: Option<String>,
    /// Why it cannot take part, as it was last told.
    pub(super) objection: Option<String>,
}

#[derive(Debug)]
struct Process {
    heartbeat: Heartbeat,
    heard: Instant,
}

/// What a worker has done in a session.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Contribution {
    pub(super) pieces: u64,
    pub(super) seconds: f64,
    /// Units that others have done again, and that were equal.
    pub(super) confirmed: u64,
    /// Pieces that it said it could not do.
    pub(super) failures: u64,
    /// Troubles of its machine.
    pub(super) troubles: u64,
}

/// Something that a heartbeat has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Change {
    Joined { threads: usize },
    Left,
    Objected(String),
}

impl WorkerRegistry {
    pub(super) fn member(&mut self, name: &str) -> &mut Member {
        self.workers.entry(name.to_owned()).or_default()
    }

    pub(super) fn members(&self) -> impl Iterator<Item = (&str, &Member)> {
        let members = self.workers.iter();
        members.map(|(name, member)| (name.as_str(), member))
    }

    /// Takes note of a heartbeat; `objection` says why the worker cannot take part.
    pub(super) fn hear(
        &mut self,
        name: &str,
        heartbeat: Heartbeat,
        objection: Option<String>,
        now: Instant,
    ) -> Option<Change> {
        let member = self.member(name);
        let is_new = !member.processes.contains_key(&heartbeat.instance);
        if heartbeat.is_leaving {
            let known = member.processes.remove(&heartbeat.instance);
            return known.map(|_| Change::Left);
        }
        let threads = heartbeat.threads;
        let heard = Process {
            heartbeat,
            heard: now,
        };
        member.processes.insert(heard.heartbeat.instance, heard);
        let is_other = member.objection != objection;
        member.objection = objection;
        match &member.objection {
            Some(words) if is_new || is_other => Some(Change::Objected(words.clone())),
            None if is_new => Some(Change::Joined { threads }),
            _ => None,
        }
    }

    /// Forgets processes that were silent for too long; who is gone, and with what.
    pub(super) fn forget_silent(
        &mut self,
        patience: Duration,
        now: Instant,
    ) -> Vec<(String, Vec<UnitName>)> {
        let mut gone = Vec::new();
        for (name, member) in &mut self.workers {
            member.processes.retain(|_, process| {
                let is_heard = now.duration_since(process.heard) < patience;
                if !is_heard {
                    gone.push((name.clone(), process.heartbeat.units.clone()));
                }
                is_heard
            });
        }
        gone
    }

    /// Shuts a worker out.
    pub(super) fn shut_out(&mut self, name: &str, reason: String) {
        self.member(name).shut_out.get_or_insert(reason);
    }

    pub(super) fn is_shut_out(&self, name: &str) -> bool {
        self.workers
            .get(name)
            .is_some_and(|member| member.shut_out.is_some())
    }

    /// Those who can work, with their processes.
    fn at_work(&self) -> impl Iterator<Item = (&str, &Member)> {
        self.members()
            .filter(|(_, member)| member.shut_out.is_none() && member.objection.is_none())
            .filter(|(_, member)| !member.processes.is_empty())
    }

    /// How many threads can work.
    pub(super) fn threads(&self) -> usize {
        let members = self.at_work();
        members.map(|(_, member)| member.threads()).sum()
    }

    /// How many workers can work.
    pub(super) fn count(&self) -> usize {
        self.at_work().count()
    }

    /// The programs of those who can work, or could if they were fit.
    pub(super) fn identities(&self) -> impl Iterator<Item = (&str, &Identity)> {
        let fit = self
            .members()
            .filter(|(_, member)| member.shut_out.is_none());
        fit.flat_map(|(name, member)| {
            let processes = member.processes.values();
            processes.map(move |process| (name, &process.heartbeat.identity))
        })
    }

    /// All units that somebody holds.
    pub(super) fn held(&self) -> HashSet<&UnitName> {
        let members = self.at_work();
        members
            .flat_map(|(_, member)| member.processes.values())
            .flat_map(|process| &process.heartbeat.units)
            .collect()
    }

    /// The units that a worker holds.
    pub(super) fn held_by(&self, name: &str) -> Vec<UnitName> {
        let member = self.workers.get(name);
        member
            .into_iter()
            .flat_map(|member| member.processes.values())
            .flat_map(|process| process.heartbeat.units.clone())
            .collect()
    }

    /// Somebody who can work and is none of these; who has least to do comes first.
    /// `asked` is what was asked of each, of which heartbeats may not tell yet.
    pub(super) fn other_than(
        &self,
        names: &[&str],
        asked: &HashMap<String, usize>,
    ) -> Option<String> {
        let load = |(name, member): &(&str, &Member)| {
            let processes = member.processes.values();
            let units = processes.flat_map(|process| &process.heartbeat.units);
            let units = units.filter(|unit| !unit.is_copy).count();
            let asked = asked.get(*name).copied().unwrap_or_default();
            (units + asked) as f64 / member.threads().max(1) as f64
        };
        self.at_work()
            .filter(|(name, _)| !names.contains(name))
            .min_by(|one, other| load(one).total_cmp(&load(other)))
            .map(|(name, _)| name.to_owned())
    }
}

impl Member {
    /// Threads of all its processes.
    pub(super) fn threads(&self) -> usize {
        let processes = self.processes.values();
        processes.map(|process| process.heartbeat.threads).sum()
    }

    /// The speed of its slowest process; none if it is gone.
    pub(super) fn speed(&self) -> Option<u64> {
        let processes = self.processes.values();
        processes
            .map(|process| process.heartbeat.identity.speed)
            .min()
    }

    /// How many units it holds.
    pub(super) fn units(&self) -> usize {
        let processes = self.processes.values();
        processes.map(|process| process.heartbeat.units.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(unit: u64) -> UnitName {
        UnitName {
            session: "s".to_owned(),
            job: 1,
            unit,
            is_copy: false,
        }
    }

    fn heartbeat(instance: u64, threads: usize, units: &[u64]) -> Heartbeat {
        Heartbeat {
            instance,
            identity: Identity::default(),
            threads,
            units: units.iter().copied().map(unit).collect(),
            pieces: 0,
            is_leaving: false,
        }
    }

    #[test]
    fn workers_come_and_go() {
        let mut registry = WorkerRegistry::default();
        let now = Instant::now();
        let joined = registry.hear("anna", heartbeat(1, 4, &[7]), None, now);
        assert_eq!(joined, Some(Change::Joined { threads: 4 }));
        assert_eq!(
            registry.hear("anna", heartbeat(1, 4, &[8]), None, now),
            None
        );
        // The same name on another machine.
        registry.hear("anna", heartbeat(2, 2, &[9]), None, now);
        let objection = Some("too old".to_owned());
        let objected = registry.hear("bob", heartbeat(3, 8, &[]), objection.clone(), now);
        assert_eq!(objected, Some(Change::Objected("too old".to_owned())));
        assert_eq!(
            registry.hear("bob", heartbeat(3, 8, &[]), objection, now),
            None
        );
        assert_eq!((registry.threads(), registry.count()), (6, 1));
        assert_eq!(registry.held().len(), 2);
        let mut last = heartbeat(2, 2, &[]);
        last.is_leaving = true;
        assert_eq!(registry.hear("anna", last, None, now), Some(Change::Left));
        let patience = Duration::from_secs(5);
        assert!(registry.forget_silent(patience, now).is_empty());
        let later = now + 2 * patience;
        let gone = registry.forget_silent(patience, later);
        let expected = [
            ("anna".to_owned(), vec![unit(8)]),
            ("bob".to_owned(), vec![]),
        ];
        assert_eq!(gone, expected);
        assert_eq!(registry.threads(), 0);
    }

    #[test]
    fn who_is_shut_out_holds_nothing() {
        let mut registry = WorkerRegistry::default();
        let now = Instant::now();
        registry.hear("anna", heartbeat(1, 1, &[1, 2]), None, now);
        registry.hear("bob", heartbeat(2, 2, &[3]), None, now);
        let none = HashMap::new();
        assert_eq!(registry.other_than(&[], &none).as_deref(), Some("bob"));
        assert_eq!(
            registry.other_than(&["bob"], &none).as_deref(),
            Some("anna")
        );
        let asked = HashMap::from([("bob".to_owned(), 9)]);
        assert_eq!(registry.other_than(&[], &asked).as_deref(), Some("anna"));
        registry.shut_out("bob", "lies".to_owned());
        registry.shut_out("bob", "more lies".to_owned());
        assert!(registry.is_shut_out("bob") && !registry.is_shut_out("anna"));
        assert_eq!(registry.other_than(&["anna"], &none), None);
        assert_eq!(registry.held().len(), 2);
        assert_eq!(registry.held_by("bob"), [unit(3)]);
        assert_eq!(registry.member("bob").shut_out.as_deref(), Some("lies"));
    }
}
