//! The signal that ends work on other threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Controls a search or other work from another thread: ends it, or tells a search that it is
/// pondering.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<Signals>);

#[derive(Debug, Default)]
struct Signals {
    stopped: AtomicBool,
    /// Whether the signal was checked since it was given.
    heard: AtomicBool,
    pondering: AtomicBool,
}

impl StopSignal {
    /// A signal that is not given yet.
    pub fn new() -> StopSignal {
        StopSignal::default()
    }

    /// Gives the signal to end.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the work must end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        let is_stopped = self.0.stopped.load(Ordering::Relaxed);
        if is_stopped {
            self.0.heard.store(true, Ordering::Relaxed);
        }
        is_stopped
    }

    /// Whether the work has noticed that it must end. Work that is blocked on an input which never
    /// arrives does not.
    pub fn is_heard(&self) -> bool {
        self.0.heard.load(Ordering::Relaxed)
    }

    /// Sets whether a search runs on the opponent's time.
    pub fn set_pondering(&self, pondering: bool) {
        self.0.pondering.store(pondering, Ordering::Relaxed);
    }

    /// Whether a search runs on the opponent's time.
    #[inline(always)]
    pub fn is_pondering(&self) -> bool {
        self.0.pondering.load(Ordering::Relaxed)
    }
}
