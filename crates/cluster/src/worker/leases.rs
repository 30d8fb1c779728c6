//! The units that a worker holds: those in progress, and those that it was asked to repeat.

use crate::message::{Unit, UnitName};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// More units than this are not accepted at once: somebody else is asked.
const MOST_ASKED: usize = 4;

#[derive(Default)]
pub(super) struct Leases {
    held: Mutex<Held>,
    asked: Notify,
}

#[derive(Default)]
struct Held {
    in_work: Vec<UnitName>,
    asked: VecDeque<Unit>,
}

impl Leases {
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All units that it holds.
    pub(super) fn held(&self) -> Vec<UnitName> {
        let held = self.lock();
        let asked = held.asked.iter().map(|unit| unit.name.clone());
        held.in_work.iter().cloned().chain(asked).collect()
    }

    /// Somebody asks for a unit.
    pub(super) fn ask(&self, unit: Unit) {
        let mut held = self.lock();
        if held.asked.len() < MOST_ASKED {
            held.asked.push_back(unit);
            self.asked.notify_one();
        }
    }

    /// Waits until somebody asks for something, but not long.
    pub(super) async fn wait(&self) {
        let soon = Duration::from_millis(500);
        let _ = tokio::time::timeout(soon, self.asked.notified()).await;
    }

    /// Takes a unit that was asked for into work.
    pub(super) fn take_asked(&self) -> Option<Unit> {
        let mut held = self.lock();
        let unit = held.asked.pop_front()?;
        held.in_work.push(unit.name.clone());
        Some(unit)
    }

    /// Takes a unit into work.
    pub(super) fn take(&self, name: &UnitName) {
        self.lock().in_work.push(name.clone());
    }

    /// A unit is not in work any more.
    pub(super) fn put_down(&self, name: &UnitName) {
        let mut held = self.lock();
        if let Some(place) = held.in_work.iter().position(|held| held == name) {
            held.in_work.swap_remove(place);
        }
    }
}
