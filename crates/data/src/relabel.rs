//! New scores for positions: several threads give them, and files come out the
//! same for any number of threads.
//!
//! Positions are cut into units of whole chains, which depend on the files alone.
//! Whoever gives scores gets a unit at a time, and units are handed over in the
//! order of the files: one who kept the first so many units can go on after them.
//! Must not know where scores come from.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        mpsc::{SyncSender, sync_channel},
    },
    thread,
};

use crate::{
    position::{Labels, Position},
    shard::{self, Shard, ShardError},
    workers::process_deep,
};

/// A unit ends with the first chain after so many positions.
const UNIT: usize = 256;

/// Whole chains of positions.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The positions, and whether each begins a chain.
    pub positions: Vec<(Position, bool)>,
}

/// How to give new scores.
pub struct Relabelling<'a> {
    /// The files.
    pub files: &'a [PathBuf],
    /// Whose labels they have.
    pub labels: Labels,
    /// How many units were done before.
    pub done: u64,
    /// How many threads give scores.
    pub threads: usize,
    /// How much stack each of them needs.
    pub stack: usize,
}

impl Relabelling<'_> {
    /// Goes through all files. `score` gives new scores to a unit, `deliver` gets
    /// what it made of it; it may break off.
    pub fn run<R: Send>(
        &self,
        score: impl Fn(&Unit) -> R + Sync,
        deliver: impl FnMut(R) -> ControlFlow<()> + Send,
    ) -> Result<(), ShardError> {
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel(2 * self.threads.max(1));
            let reader = scope.spawn(|| self.read(sender));
            let next = move |unit: &mut Unit| -> Result<bool, ShardError> {
                // No unit comes after the last, or after an error.
                match receiver.recv() {
                    Ok(received) => {
                        *unit = received;
                        Ok(true)
                    }
                    Err(_) => Ok(false),
                }
            };
            process_deep(next, (self.threads, self.stack), score, deliver)?;
            reader.join().unwrap_or(Ok(()))
        })
    }

    /// Sends units until nobody wants more.
    fn read(&self, sender: SyncSender<Unit>) -> Result<(), ShardError> {
        let cutter = Mutex::new(Cutter {
            unit: Unit::default(),
            left_out: self.done,
            sender,
            is_over: false,
        });
        for path in self.files {
            if self.read_file(path, &cutter)?.is_break() {
                return Ok(());
            }
        }
        let mut cutter = cutter.into_inner().unwrap_or_else(PoisonError::into_inner);
        cutter.send();
        Ok(())
    }

    fn read_file(
        &self,
        path: &Path,
        cutter: &Mutex<Cutter>,
    ) -> Result<ControlFlow<()>, ShardError> {
        let lock = || cutter.lock().unwrap_or_else(PoisonError::into_inner);
        let mut problem = None;
        shard::read(
            Shard::open(path)?,
            self.labels,
            1,
            |reading| {
                let mut cutter = lock();
                reading.try_for_each(|position, begins| cutter.add(position, begins));
            },
            |read| {
                problem = read.problem;
                match problem.is_some() || lock().is_over {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        )?;
        match problem {
            Some(problem) => Err(problem),
            None if lock().is_over => Ok(ControlFlow::Break(())),
            None => Ok(ControlFlow::Continue(())),
        }
    }
}

/// Cuts positions into units.
struct Cutter {
    unit: Unit,
    /// How many units are not sent.
    left_out: u64,
    sender: SyncSender<Unit>,
    /// Whether nobody wants more.
    is_over: bool,
}

impl Cutter {
    fn add(&mut self, position: &Position, begins_chain: bool) -> ControlFlow<()> {
        if begins_chain && self.unit.positions.len() >= UNIT {
            self.send();
        }
        self.unit.positions.push((*position, begins_chain));
        match self.is_over {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn send(&mut self) {
        let unit = std::mem::take(&mut self.unit);
        if unit.positions.is_empty() {
            return;
        }
        match self.left_out.checked_sub(1) {
            Some(left_out) => self.left_out = left_out,
            None => self.is_over = self.sender.send(unit).is_err(),
        }
    }
}
