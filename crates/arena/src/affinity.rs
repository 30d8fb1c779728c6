//! Pins workers to processors, so that parallel games do not disturb each other. Programs that a
//! worker starts inherit its processors.

use std::io;

/// Why workers cannot be pinned.
#[derive(Debug, thiserror::Error)]
pub enum AffinityError {
    /// Not enough processors.
    #[error(
        "{workers} parallel games with {threads} threads per player need {} processors, but there \
         are {processors}", workers * threads
    )]
    TooFew {
        /// The number of parallel games.
        workers: usize,
        /// The threads per player: the largest number of any player.
        threads: usize,
        /// Processors that this process may use.
        processors: usize,
    },
    /// The system does not report its processors.
    #[error("cannot ask for the processors: {0}")]
    System(io::Error),
}

/// The processors of each worker.
#[derive(Clone, Debug)]
pub struct Affinity {
    sets: Vec<Vec<usize>>,
}

impl Affinity {
    /// Gives each worker its own processors, as many as a player has threads: the players of a game
    /// think in turn.
    pub fn new(workers: usize, threads: usize) -> Result<Affinity, AffinityError> {
        let processors = system::usable().map_err(AffinityError::System)?;
        if processors.len() < workers * threads {
            return Err(AffinityError::TooFew {
                workers,
                threads,
                processors: processors.len(),
            });
        }
        Ok(Affinity {
            sets: processors
                .chunks_exact(threads)
                .take(workers)
                .map(<[usize]>::to_vec)
                .collect(),
        })
    }

    /// Pins the calling thread as the worker with this number.
    pub fn bind(&self, worker: usize) {
        if let Some(set) = self.sets.get(worker) {
            // The processors were available a moment ago. If one has gone since, the worker goes on
            // without being pinned.
            let _ = system::bind(set);
        }
    }
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    use std::io;

    /// The processors that this thread may use.
    pub(super) fn usable() -> io::Result<Vec<usize>> {
        let set = sched_getaffinity(None)?;
        let all = 0..CpuSet::MAX_CPU;
        Ok(all.filter(|&processor| set.is_set(processor)).collect())
    }

    pub(super) fn bind(processors: &[usize]) -> io::Result<()> {
        let mut set = CpuSet::new();
        processors.iter().for_each(|&processor| set.set(processor));
        Ok(sched_setaffinity(None, &set)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    pub(super) fn usable() -> io::Result<Vec<usize>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn bind(_processors: &[usize]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
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
            system::usable().expect("processors").len()
        });
        assert_eq!(bound.join().expect("the thread ends"), 1);
    }

    #[test]
    fn too_many_games_are_refused() {
        let error = Affinity::new(1000, 3).expect_err("not so many").to_string();
        assert!(error.contains("need 3000 processors"), "{error}");
    }
}
