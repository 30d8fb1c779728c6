//! Threads that search positions, each with its own searcher.

use crate::search::{Search, Searcher};
use nets::ntuple::NTuple;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What each thread of a pool keeps between pieces of work.
pub(crate) struct Crew<M>(Vec<Mutex<M>>);

impl<M: Send> Crew<M> {
    /// A crew for the threads of the current pool.
    pub(crate) fn new(memory: impl Fn() -> M) -> Crew<M> {
        let threads = rayon::current_num_threads().max(1);
        Crew((0..threads).map(|_| Mutex::new(memory())).collect())
    }

    /// Calls `work` for every item on all threads of the current pool, and returns the results in
    /// the order of the items.
    pub(crate) fn search_all<T: Sync, R: Send>(
        &self,
        items: &[T],
        search: &dyn Search,
        network: &Arc<NTuple>,
        work: impl Fn(&mut dyn Searcher, &mut M, &T) -> R + Sync,
    ) -> Vec<R> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(items.len()));
        rayon::broadcast(|thread| {
            let mut memory = lock(&self.0[thread.index() % self.0.len()]);
            let (mut own, mut searcher) = (Vec::new(), None);
            // The order in which items are taken does not matter.
            while let Some((index, item)) = take(items, &next) {
                let searcher = searcher.get_or_insert_with(|| search.searcher(network));
                own.push((index, work(searcher.as_mut(), &mut memory, item)));
            }
            lock(&done).append(&mut own);
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, result)| result).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}
