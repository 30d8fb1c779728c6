//! The threads of a loader: they read chunks in the order of the epochs, and the
//! thread that finishes the last chunk of a window assembles the window.

use std::{
    collections::BTreeMap,
    marker::PhantomData,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
};

use rand_xoshiro::rand_core::Rng;

use super::{
    Settings,
    chunks::{Chunks, LoaderError},
    decode::{Decoded, Decoder, Window},
    sample::Sample,
};
use crate::random;

/// How many windows are prepared while another is being used.
const AHEAD: u64 = 1;

/// The threads, which run until this is dropped.
pub(super) struct Crew<S> {
    shared: Arc<Shared<S>>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared<S> {
    settings: Settings,
    chunks: Chunks,
    state: Mutex<State<S>>,
    changed: Condvar,
}

/// The shared state. Windows are numbered through all epochs.
struct State<S> {
    /// Changes when reading restarts at another point; earlier tasks are then discarded.
    voyage: u64,
    /// The window that is being used or waited for.
    used: u64,
    /// The window, and the chunk in it, to be read next.
    next: (u64, usize),
    /// The decoded chunks of incomplete windows.
    parts: BTreeMap<u64, Vec<Option<Decoded<S>>>>,
    ready: BTreeMap<u64, Window<S>>,
    /// The order of the chunks in the epoch of the latest task.
    order: Option<(u64, Arc<Vec<u32>>)>,
    failure: Option<LoaderError>,
    is_stopped: bool,
}

impl<S> State<S> {
    fn new() -> Self {
        Self {
            voyage: 0,
            used: 0,
            next: (0, 0),
            parts: BTreeMap::new(),
            ready: BTreeMap::new(),
            order: None,
            failure: None,
            is_stopped: false,
        }
    }
}

/// A chunk to be read.
struct Task {
    voyage: u64,
    window: u64,
    /// Its number in the window.
    number: usize,
    chunk: usize,
}

impl<S: Sample> Crew<S> {
    pub(super) fn start(settings: Settings, chunks: Chunks) -> Self {
        let count = settings.threads.max(1);
        let shared = Arc::new(Shared {
            settings,
            chunks,
            state: Mutex::new(State::new()),
            changed: Condvar::new(),
        });
        let threads = (0..count)
            .map(|_| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || shared.work())
            })
            .collect();
        Self { shared, threads }
    }

    /// Restarts at a window of an epoch.
    pub(super) fn go_to(&mut self, epoch: u64, window: u64) {
        let number = epoch * self.shared.windows() + window;
        let mut state = self.shared.lock();
        state.voyage += 1;
        state.used = number;
        state.next = (number, 0);
        state.parts.clear();
        state.ready.clear();
        self.shared.changed.notify_all();
    }

    /// Waits for a window of an epoch. Windows must be taken in their order.
    pub(super) fn take(&mut self, epoch: u64, window: u64) -> Result<Window<S>, LoaderError> {
        let number = epoch * self.shared.windows() + window;
        let mut state = self.shared.lock();
        state.used = number;
        self.shared.changed.notify_all();
        loop {
            if let Some(window) = state.ready.remove(&number) {
                return Ok(window);
            }
            if let Some(failure) = state.failure.take() {
                return Err(failure);
            }
            if state.is_stopped {
                return Err(LoaderError::Stopped);
            }
            state = self.shared.wait(state);
        }
    }
}

impl<S> Drop for Crew<S> {
    fn drop(&mut self) {
        self.shared.lock().is_stopped = true;
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            // A thread that panicked has already stopped the others.
            let _ = thread.join();
        }
    }
}

impl<S: Sample> Shared<S> {
    /// How many windows an epoch has.
    fn windows(&self) -> u64 {
        self.chunks.count().div_ceil(self.window_size()) as u64
    }

    fn window_size(&self) -> usize {
        self.settings.window.max(1)
    }

    /// How many chunks a window has; the last one of an epoch may have fewer.
    fn chunks_of(&self, window: u64) -> usize {
        let first = (window % self.windows()) as usize * self.window_size();
        (self.chunks.count() - first).min(self.window_size())
    }

    /// The seed of a window's epoch.
    fn seed(&self, window: u64) -> u64 {
        random::generator(self.settings.seed, window / self.windows()).next_u64()
    }

    fn work(&self) {
        let _guard = StopOnPanic(self);
        let mut payload = Vec::new();
        while let Some(task) = self.next_task() {
            let decoder = Decoder {
                settings: &self.settings,
                chunks: &self.chunks,
                seed: self.seed(task.window),
                samples: PhantomData,
            };
            let outcome = decoder
                .chunk(task.chunk, &mut payload)
                .map(|decoded| self.hand_over(&task, decoded));
            match outcome {
                Ok(None) => {}
                Ok(Some(parts)) => {
                    let number = task.window % self.windows();
                    let mut window = decoder.window(number, parts);
                    window.is_last = number + 1 == self.windows();
                    self.deliver(&task, window);
                }
                Err(failure) => self.fail(failure),
            }
        }
    }

    fn next_task(&self) -> Option<Task> {
        let mut state = self.lock();
        while !state.is_stopped && state.next.0 > state.used + AHEAD {
            state = self.wait(state);
        }
        if state.is_stopped {
            return None;
        }
        let (window, number) = state.next;
        let place = (window % self.windows()) as usize * self.window_size() + number;
        let chunk = self.order(&mut state, window)[place] as usize;
        state.next = if number + 1 < self.chunks_of(window) {
            (window, number + 1)
        } else {
            (window + 1, 0)
        };
        Some(Task {
            voyage: state.voyage,
            window,
            number,
            chunk,
        })
    }

    fn order(&self, state: &mut State<S>, window: u64) -> Arc<Vec<u32>> {
        let epoch = window / self.windows();
        match &state.order {
            Some((known, order)) if *known == epoch => Arc::clone(order),
            _ => {
                let order = Arc::new(self.chunks.order(self.seed(window)));
                state.order = Some((epoch, Arc::clone(&order)));
                order
            }
        }
    }

    /// Stores a decoded chunk; returns all chunks of the window if it was the last.
    fn hand_over(&self, task: &Task, decoded: Decoded<S>) -> Option<Vec<Decoded<S>>> {
        let count = self.chunks_of(task.window);
        let mut state = self.lock();
        if state.voyage != task.voyage {
            return None;
        }
        let parts = state
            .parts
            .entry(task.window)
            .or_insert_with(|| (0..count).map(|_| None).collect());
        parts[task.number] = Some(decoded);
        if parts.iter().any(Option::is_none) {
            return None;
        }
        let parts = state.parts.remove(&task.window)?;
        Some(parts.into_iter().flatten().collect())
    }

    fn deliver(&self, task: &Task, window: Window<S>) {
        let mut state = self.lock();
        if state.voyage == task.voyage {
            state.ready.insert(task.window, window);
            self.changed.notify_all();
        }
    }

    fn fail(&self, failure: LoaderError) {
        let mut state = self.lock();
        state.failure.get_or_insert(failure);
        state.is_stopped = true;
        self.changed.notify_all();
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<S>>) -> MutexGuard<'a, State<S>> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S> Shared<S> {
    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the others if a thread panics, so that none waits for it.
struct StopOnPanic<'a, S>(&'a Shared<S>);

impl<S> Drop for StopOnPanic<'_, S> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().is_stopped = true;
            self.0.changed.notify_all();
        }
    }
}
