//! The loader: batches of samples for any learner, from many binpack files.
//!
//! The [`Sample`] type of a learner defines what it needs from a position and from those
//! before it in its game. Shards have every position that was played, including marked
//! and filtered ones; filters are applied here, while reading, so that one shard serves
//! learners with different filters, and every sample can see the whole chain before it.
//!
//! In each epoch, all chunks of all files are shuffled by the seed. Some consecutive
//! chunks form a *window*: threads read, filter and shuffle it as a whole, and batches
//! are cut from one window after another. Each chunk and each window has its own random
//! generator, so that a batch depends only on the seed, its epoch and its number, not on
//! the number of threads. Only two windows are in memory: the one being used and the
//! next.
//!
//! `chunks` handles the files, `decode` turns chunks into samples and windows, `sample`
//! defines samples, `crew` has the threads.
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
    /// How many positions a batch has; the last one of an epoch may have fewer.
    pub batch: usize,
    /// Decides the order of positions and every random choice.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// How many chunks are shuffled together. A full chunk takes about 14 MB before
    /// filtering; with the default of four and two threads, a loader without filters
    /// takes at most about 165 MB.
    pub window: usize,
    /// Which positions are left out.
    pub filters: Filters,
    /// Which games are read.
    pub part: Part,
    /// Whose labels the files have.
    pub labels: Labels,
}

impl Settings {
    /// All positions of these files, with default settings.
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

/// Which games are read, if some are held out for validation. Whole games are
/// chosen, always the same ones, whatever the seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// All games.
    All,
    /// All except held-out games, which are about this share.
    Training(f64),
    /// Only held-out games, which are about this share.
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

/// A batch of samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch<S = PackedPosition> {
    /// How often all files were read before.
    pub epoch: u64,
    /// The number of the batch in its epoch, from 0.
    pub index: u64,
    /// The samples of its positions.
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

/// The state of a loader: its next batch. It can be stored in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// The epoch of the next batch, or the one that has just ended.
    pub epoch: u64,
    /// The number of the next batch in its epoch.
    pub batch: u64,
    /// The window in which it begins.
    pub window: u64,
    /// How many positions of the window precede it.
    pub offset: u64,
    /// A hash of data and settings, to recognise other ones.
    pub fingerprint: u64,
}

/// Gives batches without end, one epoch after another.
pub struct Loader<S = PackedPosition> {
    batch: usize,
    point: Point,
    crew: Crew<S>,
    /// The current window, if one was begun.
    window: Option<Window<S>>,
    /// How many positions of the epoch were given so far.
    positions: u64,
    counts: FilterCounts,
}

impl<S: Sample> Loader<S> {
    /// Opens the files and starts reading.
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

    /// The current point.
    pub fn point(&self) -> Point {
        self.point
    }

    /// Goes to a point of a loader with the same files and settings; the number of
    /// threads may differ.
    pub fn go_to(&mut self, point: Point) -> Result<(), LoaderError> {
        if point.fingerprint != self.point.fingerprint {
            return Err(LoaderError::OtherData);
        }
        self.point = point;
        self.window = None;
        // An epoch that is resumed in the middle has had positions.
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

    /// The counts of the filters since the loader was opened, for all windows that were
    /// begun.
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

/// All positions of one epoch, or the first `most` of them: a validation set, always the
/// same for the same settings.
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
