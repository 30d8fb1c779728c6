//! The signal that ends work which runs on other threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Steers a search or other work from another thread: ends it, or tells a search
/// that the opponent is still to move.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<Signals>);

#[derive(Debug, Default)]
struct Signals {
    stopped: AtomicBool,
    /// Whether somebody has asked since.
    heard: AtomicBool,
    pondering: AtomicBool,
}

impl StopSignal {
    /// A signal that has not been given.
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

    /// Whether the work has noticed that it must end. Work that waits for an input which
    /// never comes does not.
    pub fn is_heard(&self) -> bool {
        self.0.heard.load(Ordering::Relaxed)
    }

    /// Says whether a search runs on the opponent's time.
    pub fn set_pondering(&self, pondering: bool) {
        self.0.pondering.store(pondering, Ordering::Relaxed);
    }

    /// Whether a search runs on the opponent's time.
    #[inline(always)]
    pub fn is_pondering(&self) -> bool {
        self.0.pondering.load(Ordering::Relaxed)
    }
}
