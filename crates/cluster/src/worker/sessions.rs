//! The coordinators that are there, by what they tell.

use crate::identity::Identity;
use crate::message::{Announcement, UnitName};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// A session that was silent for so long gets no more of our time.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often to tell that we live if nobody wants it more often.
const HEARTBEAT: Duration = Duration::from_secs(3);

/// All sessions.
#[derive(Default)]
pub(super) struct Sessions {
    known: Mutex<HashMap<String, Known>>,
    changed: Notify,
}

struct Known {
    announcement: Announcement,
    heard: Instant,
    /// Why we cannot work for it.
    objection: Option<String>,
}

/// What a coordinator wants of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    /// All of it.
    Work,
    /// No other piece is to be begun.
    Finish,
    /// Nothing any more.
    GiveUp,
}

impl Sessions {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A session has told what it offers; why this worker cannot take part, if that is
    /// new.
    pub(super) fn hear(
        &self,
        id: &str,
        announcement: Announcement,
        name: &str,
        identity: &Identity,
    ) -> Option<String> {
        let mut known = self.lock();
        if announcement.is_leaving {
            known.remove(id);
            self.changed.notify_waiters();
            return None;
        }
        let objection = announcement.objection_to(name, identity);
        let before = known.insert(
            id.to_owned(),
            Known {
                announcement,
                heard: Instant::now(),
                objection: objection.clone(),
            },
        );
        self.changed.notify_waiters();
        let is_known = before.is_some_and(|before| before.objection == objection);
        objection.filter(|_| !is_known)
    }

    /// A session for which there is work; `last` is the one that had work before, if
    /// it is to come first, and comes last if it had none.
    pub(super) fn choose(&self, last: Option<&(String, bool)>) -> Option<String> {
        let known = self.lock();
        let mut offers: Vec<&String> = known
            .iter()
            .filter(|(_, session)| session.heard.elapsed() < PATIENCE)
            .filter(|(_, session)| session.objection.is_none() && session.has_work())
            .map(|(id, _)| id)
            .collect();
        offers.sort();
        let Some((last, had_work)) = last else {
            return offers.first().map(|id| (*id).clone());
        };
        if *had_work && offers.contains(&last) {
            return Some(last.clone());
        }
        let next = offers.iter().find(|id| **id > last).or(offers.first());
        next.map(|id| (*id).clone())
    }

    /// Whether several sessions have work.
    pub(super) fn are_several(&self) -> bool {
        let known = self.lock();
        known.values().filter(|session| session.has_work()).count() > 1
    }

    /// What the coordinator of a unit wants now. One that is not heard of may come
    /// back: what was begun is finished.
    pub(super) fn wish(&self, unit: &UnitName) -> Wish {
        let known = self.lock();
        let Some(session) = known.get(&unit.session) else {
            return Wish::Work;
        };
        let jobs = &session.announcement.jobs;
        match jobs.iter().find(|job| job.job == unit.job) {
            None => Wish::GiveUp,
            Some(_) if session.objection.is_some() => Wish::GiveUp,
            Some(job) if job.is_finishing => Wish::Finish,
            Some(_) => Wish::Work,
        }
    }

    /// Why this worker was banned, if no session is left that would take anything.
    pub(super) fn shut_out(&self) -> Option<String> {
        let known = self.lock();
        let fresh = || {
            let sessions = known.values();
            sessions.filter(|session| session.heard.elapsed() < PATIENCE)
        };
        if fresh().any(|session| session.objection.is_none()) {
            return None;
        }
        fresh().find_map(|session| {
            let shut_out = session.announcement.shut_out.iter();
            let mut reasons = shut_out.map(|(_, reason)| reason);
            let objection = session.objection.as_ref()?;
            reasons
                .find(|reason| objection.ends_with(reason.as_str()))
                .cloned()
        })
    }

    /// How often to tell that we live: as often as the most impatient wants.
    pub(super) fn heartbeat(&self) -> Duration {
        let known = self.lock();
        let wanted = known.values().map(|session| session.announcement.heartbeat);
        let wanted = wanted.min().map(Duration::from_millis);
        wanted.map_or(HEARTBEAT, |wanted| wanted.clamp(HEARTBEAT / 20, HEARTBEAT))
    }

    /// Waits until something is told, but not long.
    pub(super) async fn change(&self) {
        let soon = Duration::from_millis(500);
        let _ = tokio::time::timeout(soon, self.changed.notified()).await;
    }
}

impl Known {
    fn has_work(&self) -> bool {
        let mut jobs = self.announcement.jobs.iter();
        jobs.any(|job| !job.is_finishing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::OpenJob;

    fn announcement(jobs: &[(u64, bool)]) -> Announcement {
        let jobs = jobs.iter().map(|&(job, is_finishing)| OpenJob {
            job,
            kind: "sum".to_owned(),
            wants_arithmetic: false,
            speed: None,
            is_finishing,
        });
        Announcement {
            identity: Identity::default(),
            jobs: jobs.collect(),
            heartbeat: 700,
            blobs: Vec::new(),
            shut_out: Vec::new(),
            is_leaving: false,
        }
    }

    fn unit(session: &str, job: u64) -> UnitName {
        UnitName {
            session: session.to_owned(),
            job,
            unit: 0,
            is_copy: false,
        }
    }

    #[test]
    fn sessions_with_work_take_turns() {
        let sessions = Sessions::default();
        let me = Identity::default();
        let hear = |id, announcement| sessions.hear(id, announcement, "anna", &me);
        assert_eq!(sessions.choose(None), None);
        hear("a", announcement(&[(1, false)]));
        hear("b", announcement(&[]));
        hear("c", announcement(&[(1, true), (2, false)]));
        let after = |id: &str, had_work| sessions.choose(Some(&(id.to_owned(), had_work)));
        assert_eq!(sessions.heartbeat(), Duration::from_millis(700));
        assert_eq!(sessions.choose(None).as_deref(), Some("a"));
        assert_eq!(after("a", true).as_deref(), Some("a"));
        assert_eq!(after("a", false).as_deref(), Some("c"));
        assert_eq!(after("c", false).as_deref(), Some("a"));
        assert_eq!(sessions.wish(&unit("c", 1)), Wish::Finish);
        assert_eq!(sessions.wish(&unit("c", 2)), Wish::Work);
        assert_eq!(sessions.wish(&unit("c", 3)), Wish::GiveUp);
        assert_eq!(sessions.wish(&unit("x", 3)), Wish::Work, "not heard of");
        let mut last = announcement(&[]);
        last.is_leaving = true;
        hear("a", last);
        assert_eq!(after("a", true).as_deref(), Some("c"));
    }

    #[test]
    fn objections_are_told_once() {
        let sessions = Sessions::default();
        let other = Identity {
            build: "other".to_owned(),
            ..Identity::default()
        };
        let hear = || sessions.hear("a", announcement(&[(1, false)]), "anna", &other);
        assert!(hear().expect("another build").contains("another build"));
        assert_eq!(hear(), None);
        assert_eq!(sessions.choose(None), None);
        assert_eq!(sessions.shut_out(), None);
    }

    #[test]
    fn who_is_shut_out_hears_why() {
        let sessions = Sessions::default();
        let mut announcement = announcement(&[(1, false)]);
        announcement.shut_out = vec![("anna".to_owned(), "she lied".to_owned())];
        let me = Identity::default();
        sessions.hear("a", announcement, "anna", &me);
        assert_eq!(sessions.shut_out().as_deref(), Some("she lied"));
        assert_eq!(sessions.wish(&unit("a", 1)), Wish::GiveUp);
    }
}
