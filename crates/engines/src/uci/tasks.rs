//! The tasks of a client that are in progress: which must be stopped, and whose last line may be
//! sent.
//!
//! It must not know what a task does.

use crate::StopSignal;
use std::collections::VecDeque;

/// What the last line of a task has to wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hold {
    No,
    /// `stop`, as after `go infinite`.
    UntilStop,
    /// `ponderhit` or `stop`, as after `go ponder`.
    UntilPonderHit,
}

struct Task {
    signal: StopSignal,
    hold: Hold,
    /// Whether it soon ends by itself.
    is_momentary: bool,
    /// Its last line, once it has ended.
    last_line: Option<String>,
}

/// The tasks in the order in which they began: one is running, those before it have ended, those
/// after it wait.
#[derive(Default)]
pub(super) struct Tasks(VecDeque<Task>);

impl Tasks {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is a task that may take long.
    pub(super) fn is_long(&self) -> bool {
        self.0.iter().any(|task| !task.is_momentary)
    }

    pub(super) fn begin(&mut self, signal: StopSignal, hold: Hold) {
        self.0.push_back(Task {
            signal,
            hold,
            is_momentary: false,
            last_line: None,
        });
    }

    /// Begins a task that soon ends by itself.
    pub(super) fn begin_moment(&mut self) {
        self.begin(StopSignal::new(), Hold::No);
        if let Some(task) = self.0.back_mut() {
            task.is_momentary = true;
        }
    }

    /// Ends all tasks; no last line is held back any more.
    pub(super) fn stop(&mut self) {
        for task in &mut self.0 {
            task.hold = Hold::No;
            task.signal.stop();
        }
    }

    /// The client played the expected move.
    pub(super) fn ponder_hit(&mut self) {
        for task in &mut self.0 {
            task.signal.set_pondering(false);
            if task.hold == Hold::UntilPonderHit {
                task.hold = Hold::No;
            }
        }
    }

    /// The running task has ended with this line.
    pub(super) fn end(&mut self, line: String) {
        if let Some(task) = self.0.iter_mut().find(|task| task.last_line.is_none()) {
            task.last_line = Some(line);
        }
    }

    /// Removes the first task if it has ended and is not held back, and returns its last line.
    pub(super) fn take_ended(&mut self) -> Option<String> {
        let first = self.0.front_mut().filter(|task| task.hold == Hold::No)?;
        let line = first.last_line.take()?;
        self.0.pop_front();
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(holds: &[Hold]) -> (Tasks, Vec<StopSignal>) {
        let mut tasks = Tasks::default();
        let signals: Vec<_> = holds.iter().map(|_| StopSignal::new()).collect();
        for (&hold, signal) in holds.iter().zip(&signals) {
            signal.set_pondering(hold == Hold::UntilPonderHit);
            tasks.begin(signal.clone(), hold);
        }
        (tasks, signals)
    }

    #[test]
    fn lines_come_in_the_order_of_the_tasks() {
        let (mut tasks, _) = tasks(&[Hold::No, Hold::No]);
        assert_eq!(tasks.take_ended(), None);
        tasks.end("first".to_owned());
        tasks.end("second".to_owned());
        assert_eq!(tasks.take_ended().as_deref(), Some("first"));
        assert_eq!(tasks.take_ended().as_deref(), Some("second"));
        assert!(tasks.is_empty());
    }

    #[test]
    fn an_ended_task_is_held_until_its_word_comes() {
        for (hold, ends_by_hit) in [(Hold::UntilStop, false), (Hold::UntilPonderHit, true)] {
            let (mut tasks, signals) = tasks(&[hold]);
            tasks.end("line".to_owned());
            assert_eq!(tasks.take_ended(), None);
            tasks.ponder_hit();
            assert!(!signals[0].is_pondering() && !signals[0].is_stopped());
            assert_eq!(tasks.take_ended().is_some(), ends_by_hit);
            tasks.stop();
            assert_eq!(tasks.take_ended().is_some(), !ends_by_hit);
        }
    }

    #[test]
    fn stop_reaches_every_task() {
        let (mut tasks, signals) = tasks(&[Hold::No, Hold::UntilStop]);
        tasks.stop();
        assert!(signals.iter().all(StopSignal::is_stopped));
        // No task has ended yet.
        assert_eq!(tasks.take_ended(), None);
    }
}
