//! Binds workers to processors, so that games played at once do not push each
//! other around. Programs that a worker starts stay where it is.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io;

/// Why workers cannot be bound.
#[derive(Debug, thiserror::Error)]
pub enum AffinityError {
    /// Not enough processors.
    #[error(
        "{workers} games at once with {threads} threads for a player want {} processors, \
         and there are {processors}", workers * threads
    )]
    TooFew {
        /// Games at once.
        workers: usize,
        /// Threads of the player with the most.
        threads: usize,
        /// Processors that this process may use.
        processors: usize,
    },
    /// The system does not tell.
    #[error("cannot ask for the processors: {0}")]
    System(io::Error),
}

/// The processors of each worker.
#[derive(Clone, Debug)]
pub struct Affinity {
    sets: Vec<CpuSet>,
}

impl Affinity {
    /// Gives each worker as many processors of its own as a player has threads:
    /// the players of a game think in turn.
    pub fn new(workers: usize, threads: usize) -> Result<Affinity, AffinityError> {
        let usable =
            sched_getaffinity(None).map_err(|error| AffinityError::System(error.into()))?;
        let processors: Vec<usize> = (0..CpuSet::MAX_CPU)
            .filter(|&processor| usable.is_set(processor))
            .collect();
        if processors.len() < workers * threads {
            return Err(AffinityError::TooFew {
                workers,
                threads,
                processors: processors.len(),
            });
        }
        let set_of = |own: &[usize]| {
            let mut set = CpuSet::new();
            own.iter().for_each(|&processor| set.set(processor));
            set
        };
        Ok(Affinity {
            sets: processors
                .chunks_exact(threads)
                .take(workers)
                .map(set_of)
                .collect(),
        })
    }

    /// Binds the thread that calls this, the worker of this number.
    pub fn bind(&self, worker: usize) {
        if let Some(set) = self.sets.get(worker) {
            // The processors were there a moment ago. If one has gone since,
            // the worker plays on without it.
            let _ = sched_setaffinity(None, set);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_bound_to_its_own_processor() {
        let affinity = Affinity::new(1, 1).expect("one processor");
        let bound = std::thread::spawn(move || {
            affinity.bind(0);
            sched_getaffinity(None).expect("processors").count()
        });
        assert_eq!(bound.join().expect("the thread ends"), 1);
    }

    #[test]
    fn too_many_games_are_refused() {
        let error = Affinity::new(1000, 3).expect_err("not so many").to_string();
        assert!(error.contains("want 3000 processors"), "{error}");
    }
}
