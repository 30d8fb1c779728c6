//! Threads that search positions, each with a search of its own.

use crate::search::{Search, Searcher};
use nets::ntuple::NTuple;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Does `work` for every item on all threads of the present pool, and gives what came of
/// it in the order of the items. `memory` makes what a thread keeps beside its search.
pub(crate) fn search_all<T: Sync, M, R: Send>(
    items: &[T],
    search: &dyn Search,
    network: &Arc<NTuple>,
    memory: impl Fn() -> M + Sync,
    work: impl Fn(&mut dyn Searcher, &mut M, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    rayon::broadcast(|_| {
        let mut own = Vec::new();
        let mut hands = None;
        // The order in which items are taken decides nothing.
        while let Some((index, item)) = take(items, &next) {
            let (searcher, memory) =
                hands.get_or_insert_with(|| (search.searcher(network), memory()));
            own.push((index, work(searcher.as_mut(), memory, item)));
        }
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        done.append(&mut own);
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

fn take<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}
