//! The loader: batches of samples for any learner, from many binpack files.
//!
//! A learner says with its [`Sample`] what it wants of a position and of those before
//! it in its game. Shards keep every position that was played, marked and filtered ones
//! too; what is left out is decided here, while they are read, so that one shard serves
//! learners with different filters and every sample can see the whole chain before it.
//!
//! In each epoch all chunks of all files are put in an order that the seed
//! decides. Some chunks that follow each other are a *window*: threads read,
//! filter and shuffle it as a whole, and batches are cut from one window after
//! the other. What is left to chance has a generator for each chunk and each
//! window, so the batch with a number depends on the seed, the epoch and the
//! number alone, whatever the number of threads. Only two windows are in memory:
//! the one that is used and the next.
//!
//! `chunks` knows the files, `decode` makes samples of chunks and windows, `sample`
//! says what samples are, `crew` has the threads.
//!
//! ```no_run
//! use data::loader::{Batch, Loader, Settings};
//! use data::packed::PackedPosition;
//!
//! let mut settings = Settings::new(vec!["train.binpack".into()]);
//! settings.batch = 16_384;
//! settings.seed = 1;
//! let mut loader = Loader::<PackedPosition>::open(settings)?;
//! let mut batch = Batch::default();
//! for _ in 0..1000 {
//!     loader.next(&mut batch)?;
//!     println!("epoch {}: {} positions", batch.epoch, batch.positions.len());
//! }
//! let point = loader.point();
//! // Later, with the same settings:
//! loader.go_to(point)?;
//! # Ok::<(), data::loader::LoaderError>(())
//! ```

mod chunks;
mod crew;
mod decode;
mod sample;

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{
    filter::{FilterCounts, Filters},
    packed::PackedPosition,
    position::Labels,
};
use chunks::Chunks;
use crew::Crew;
use decode::Window;

pub use chunks::LoaderError;
pub use sample::Sample;

/// What a loader reads, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The binpack files.
    pub files: Vec<PathBuf>,
    /// How many positions a batch has; the last of an epoch may have less.
    pub batch: usize,
    /// Decides the order of positions and what is left to chance.
    pub seed: u64,
    /// How many threads read.
    pub threads: usize,
    /// How many chunks are shuffled together. A full chunk takes some 14 MB
    /// before it is filtered; with the usual four and two threads, a loader
    /// that filters nothing takes some 165 MB at the most.
    pub window: usize,
    /// Which positions are left out.
    pub filters: Filters,
    /// Which games are read.
    pub part: Part,
    /// Whose labels the files have.
    pub labels: Labels,
}

impl Settings {
    /// All positions of these files, with usual settings.
    pub fn new(files: Vec<PathBuf>) -> Self {
        Self {
            files,
            batch: 16_384,
            seed: 0,
            threads: 1,
            window: 4,
            filters: Filters::default(),
            part: Part::All,
            labels: Labels::SideToMove,
        }
    }
}

/// Which games are read, if some are held out to judge what was learned. Games
/// are chosen as a whole, always the same ones, whatever the seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// All.
    All,
    /// All but those that are held out: about this share.
    Training(f64),
    /// Those that are held out: about this share.
    Validation(f64),
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::All => write!(formatter, "all"),
            Part::Training(held_out) => write!(formatter, "training {held_out}"),
            Part::Validation(held_out) => write!(formatter, "validation {held_out}"),
        }
    }
}

/// Positions to learn from at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch<S = PackedPosition> {
    /// How often all files were read before.
    pub epoch: u64,
    /// The number of the batch in its epoch, from 0.
    pub index: u64,
    /// What there is of the positions.
    pub positions: Vec<S>,
}

impl<S> Default for Batch<S> {
    fn default() -> Self {
        Self {
            epoch: 0,
            index: 0,
            positions: Vec::new(),
        }
    }
}

/// Where a loader stands: before a batch. It can be kept in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// The epoch of the next batch, unless that is over.
    pub epoch: u64,
    /// The number of the next batch in its epoch.
    pub batch: u64,
    /// The window in which it begins.
    pub window: u64,
    /// How many positions of the window come before it.
    pub offset: u64,
    /// A number that other data or other settings hardly have.
    pub fingerprint: u64,
}

/// Gives batches, without end: after the last epoch comes the next.
pub struct Loader<S = PackedPosition> {
    batch: usize,
    point: Point,
    crew: Crew<S>,
    /// The window that is used, if it was begun.
    window: Option<Window<S>>,
    /// How many positions the epoch had up to here.
    positions: u64,
    counts: FilterCounts,
}

impl<S: Sample> Loader<S> {
    /// Opens the files and begins to read.
    pub fn open(settings: Settings) -> Result<Self, LoaderError> {
        let chunks = Chunks::open(&settings)?;
        let point = Point {
            epoch: 0,
            batch: 0,
            window: 0,
            offset: 0,
            fingerprint: chunks.fingerprint(&settings),
        };
        Ok(Self {
            batch: settings.batch.max(1),
            point,
            crew: Crew::start(settings, chunks),
            window: None,
            positions: 0,
            counts: FilterCounts::default(),
        })
    }

    /// Where the loader stands.
    pub fn point(&self) -> Point {
        self.point
    }

    /// Goes to a point of a loader with the same files and settings; threads do
    /// not matter.
    pub fn go_to(&mut self, point: Point) -> Result<(), LoaderError> {
        if point.fingerprint != self.point.fingerprint {
            return Err(LoaderError::OtherData);
        }
        self.point = point;
        self.window = None;
        // An epoch that was begun in the midst has had positions.
        self.positions = point.batch;
        self.crew.go_to(point.epoch, point.window);
        Ok(())
    }

    /// Gives the next batch.
    pub fn next(&mut self, batch: &mut Batch<S>) -> Result<(), LoaderError> {
        batch.positions.clear();
        while batch.positions.len() < self.batch {
            let wanted = self.batch - batch.positions.len();
            let offset = self.point.offset as usize;
            let window = self.window()?;
            let rest = &window.samples[offset.min(window.samples.len())..];
            let taken = &rest[..rest.len().min(wanted)];
            batch.positions.extend_from_slice(taken);
            let (taken, is_last) = (taken.len(), window.is_last);
            self.point.offset += taken as u64;
            self.positions += taken as u64;
            if taken == wanted {
                break;
            }
            if !is_last {
                self.begin_window(self.point.window + 1);
            } else if !batch.positions.is_empty() {
                break;
            } else {
                self.begin_epoch()?;
            }
        }
        batch.epoch = self.point.epoch;
        batch.index = self.point.batch;
        self.point.batch += 1;
        Ok(())
    }

    /// What the filters removed since the loader was opened, in all windows that
    /// were begun.
    pub fn counts(&self) -> &FilterCounts {
        &self.counts
    }

    fn window(&mut self) -> Result<&Window<S>, LoaderError> {
        if self.window.is_none() {
            let window = self.crew.take(self.point.epoch, self.point.window)?;
            self.counts += &window.counts;
            self.window = Some(window);
        }
        self.window.as_ref().ok_or(LoaderError::Stopped)
    }

    fn begin_window(&mut self, number: u64) {
        self.window = None;
        self.point.window = number;
        self.point.offset = 0;
    }

    fn begin_epoch(&mut self) -> Result<(), LoaderError> {
        if self.positions == 0 {
            return Err(LoaderError::NothingLeft);
        }
        self.positions = 0;
        self.point.epoch += 1;
        self.point.batch = 0;
        self.begin_window(0);
        Ok(())
    }
}

/// All positions of one epoch, or the first `most` of them: a set to judge what
/// was learned, always the same for the same settings.
pub fn load<S: Sample>(settings: Settings, most: usize) -> Result<Vec<S>, LoaderError> {
    let mut loader = Loader::open(settings)?;
    let mut all = Vec::new();
    let mut batch = Batch::default();
    loop {
        loader.next(&mut batch)?;
        if batch.epoch > 0 || all.len() >= most {
            all.truncate(most);
            return Ok(all);
        }
        all.append(&mut batch.positions);
    }
}
