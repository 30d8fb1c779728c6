//! Where examples come from: binpack files, whose moves were played, or policy shards,
//! whose moves were searched.

use super::example::{Aim, Example, PolicySample, examples};
use crate::error::wrong;
use crate::feed::{Feed, Mark};
use crate::settings::CourseSettings;
use crate::{Counters, Measured, Schedule, TrainError};
use data::loader::{LoaderError, Point};
use data::policy::{PolicyReader, PolicyRecord};
use data::random;
use rayon::prelude::*;
use std::path::Path;

/// What the names of policy shards end with.
const ENDING: &str = "policy";
/// The share of records held out is chosen by this, never by the seed of a training.
const HELD_OUT_SEED: u64 = 0x7AB1_A001;

/// Positions to learn from and to judge by.
pub(super) enum Source {
    Binpack(Box<Feed<PolicySample>>),
    Shards(Box<Records>),
}

impl Source {
    pub(super) fn open(course: &CourseSettings, threads: usize) -> Result<Source, TrainError> {
        let files = course.data.iter().chain(&course.validation);
        let shards = files.clone().filter(|path| is_shard(path)).count();
        match shards {
            0 => Ok(Source::Binpack(Box::new(Feed::open(course, threads)?))),
            count if count == files.count() => Ok(Source::Shards(Box::new(Records::open(course)?))),
            _ => Err(wrong(
                "data",
                "name either binpack files or policy shards, not both",
            )
            .into()),
        }
    }

    pub(super) fn counters(&self) -> &Counters {
        match self {
            Source::Binpack(feed) => &feed.counters,
            Source::Shards(records) => &records.counters,
        }
    }

    /// The examples of the next step.
    pub(super) fn next(&mut self, aim: &Aim) -> Result<Vec<Example>, TrainError> {
        Ok(match self {
            Source::Binpack(feed) => examples(feed.next()?, aim),
            Source::Shards(records) => records.next(aim),
        })
    }

    /// The examples to judge by.
    pub(super) fn validation(&self, aim: &Aim) -> Vec<Example> {
        match self {
            Source::Binpack(feed) => examples(&feed.validation, aim),
            Source::Shards(records) => records.examples(&records.validation, aim),
        }
    }

    /// A schedule's value for the next step.
    pub(super) fn now(&self, schedule: &Schedule) -> f64 {
        let counters = self.counters();
        let passed = counters.steps as f64 / counters.epoch_steps as f64;
        schedule.value(passed, counters.epochs as f64)
    }

    /// Counts a step that was made with the examples given last.
    pub(super) fn count(&mut self, loss: f64, learning_rate: f64, positions: usize) -> Measured {
        let counters = match self {
            Source::Binpack(feed) => &mut feed.counters,
            Source::Shards(records) => &mut records.counters,
        };
        counters.count(loss);
        Measured {
            step: counters.steps,
            loss,
            positions,
            learning_rate,
        }
    }

    /// A number that other data hardly have.
    pub(super) fn fingerprint(&self) -> u64 {
        match self {
            Source::Binpack(feed) => feed.fingerprint(),
            Source::Shards(records) => records.fingerprint,
        }
    }

    pub(super) fn mark(&self, settings: String) -> Mark {
        match self {
            Source::Binpack(feed) => feed.mark(settings),
            Source::Shards(records) => records.mark(settings),
        }
    }

    pub(super) fn go_to(&mut self, mark: &Mark) -> Result<(), LoaderError> {
        match self {
            Source::Binpack(feed) => feed.go_to(mark),
            Source::Shards(records) => records.go_to(mark),
        }
    }
}

fn is_shard(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == ENDING)
}

/// All records of shards, in memory; each epoch has an order of its own.
pub(super) struct Records {
    records: Vec<PolicyRecord>,
    /// Those to learn from in the order of the epoch, and those to judge by.
    order: Vec<u32>,
    training: Vec<u32>,
    validation: Vec<u32>,
    epoch: u64,
    next: usize,
    seed: u64,
    fingerprint: u64,
    counters: Counters,
}

impl Records {
    fn open(course: &CourseSettings) -> Result<Records, TrainError> {
        let mut records = Vec::new();
        let mut hasher = blake3::Hasher::new();
        for path in &course.data {
            read(path, &mut records, &mut hasher)?;
        }
        let known = records.len();
        for path in &course.validation {
            read(path, &mut records, &mut hasher)?;
        }
        let (training, mut validation) = match course.validation.is_empty() {
            true => split(&records, course.validation_share),
            false => (
                (0..known as u32).collect(),
                (known as u32..records.len() as u32).collect(),
            ),
        };
        if training.is_empty() {
            return Err(wrong("data", "the shards hold no positions to learn from").into());
        }
        validation.truncate(course.validation_positions);
        let mut number = [0; 8];
        number.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        let positions = course.epoch_positions.unwrap_or(training.len() as u64);
        let mut records = Records {
            order: Vec::new(),
            epoch: 0,
            next: 0,
            seed: course.seed,
            fingerprint: u64::from_le_bytes(number),
            counters: Counters::new(
                positions.div_ceil(course.batch as u64),
                course.epochs,
                course.batch,
                course.checkpoint_steps,
            ),
            records,
            training,
            validation,
        };
        records.begin_epoch(0);
        Ok(records)
    }

    fn begin_epoch(&mut self, epoch: u64) {
        (self.epoch, self.next) = (epoch, 0);
        self.order.clone_from(&self.training);
        let mut generator = random::generator(self.seed, epoch);
        random::shuffle_with(&mut self.order, &mut generator);
    }

    fn next(&mut self, aim: &Aim) -> Vec<Example> {
        if self.next >= self.order.len() {
            self.begin_epoch(self.epoch + 1);
        }
        let end = self.order.len().min(self.next + self.counters.batch);
        let examples = self.examples(&self.order[self.next..end], aim);
        self.next = end;
        examples
    }

    fn examples(&self, numbers: &[u32], aim: &Aim) -> Vec<Example> {
        numbers
            .par_iter()
            .filter_map(|&number| Example::of_record(&self.records[number as usize], aim))
            .collect()
    }

    fn mark(&self, settings: String) -> Mark {
        let point = Point {
            epoch: self.epoch,
            batch: 0,
            window: 0,
            offset: self.next as u64,
            fingerprint: self.fingerprint,
        };
        Mark::new(settings, &self.counters, point)
    }

    fn go_to(&mut self, mark: &Mark) -> Result<(), LoaderError> {
        if mark.point.fingerprint != self.fingerprint {
            return Err(LoaderError::OtherData);
        }
        mark.restore(&mut self.counters);
        self.begin_epoch(mark.point.epoch);
        self.next = mark.point.offset as usize;
        Ok(())
    }
}

fn read(
    path: &Path,
    records: &mut Vec<PolicyRecord>,
    hasher: &mut blake3::Hasher,
) -> Result<(), TrainError> {
    let mut reader = PolicyReader::open(path)?;
    let before = records.len();
    while let Some(mut block) = reader.next_block()? {
        records.append(&mut block);
    }
    for record in &records[before..] {
        hasher.update(&record.board.key().to_le_bytes());
        for (mv, visits) in &record.moves {
            hasher.update(&mv.to_bits().to_le_bytes());
            hasher.update(&visits.to_le_bytes());
        }
    }
    Ok(())
}

/// Holds out whole games: a game begins where plies do not grow.
fn split(records: &[PolicyRecord], share: f64) -> (Vec<u32>, Vec<u32>) {
    let (mut training, mut validation) = (Vec::new(), Vec::new());
    let (mut game, mut is_held_out, mut last) = (0, false, None);
    for (number, record) in records.iter().enumerate() {
        if last.is_none_or(|last| record.ply <= last) {
            game += 1;
            is_held_out = random::chance(&mut random::generator(HELD_OUT_SEED, game), share);
        }
        last = Some(record.ply);
        match is_held_out {
            true => validation.push(number as u32),
            false => training.push(number as u32),
        }
    }
    (training, validation)
}
