//! The source of positions for trainings of policies: binpack files with played moves, or policy
//! shards with searched moves.

use crate::error::wrong;
use crate::feed::{Feed, Mark};
use crate::records::{Records, is_shard};
use crate::settings::CourseSettings;
use crate::{Counters, Measured, Schedule, TrainError};
use data::loader::{LoaderError, Sample};
use data::policy::PolicyRecord;

/// Training and validation positions.
pub(crate) enum Source<S: Sample> {
    Binpack(Box<Feed<S>>),
    Shards(Box<Records>),
}

/// Positions of either kind.
pub(crate) enum Given<'a, S> {
    Positions(&'a [S]),
    Records(Vec<PolicyRecord>),
}

impl<S> Given<'_, S> {
    /// Parts of at most `size` positions.
    pub(crate) fn chunks(&self, size: usize) -> Vec<Given<'_, S>> {
        match self {
            Given::Positions(all) => all.chunks(size).map(Given::Positions).collect(),
            Given::Records(all) => {
                let owned = all.chunks(size).map(<[PolicyRecord]>::to_vec);
                owned.map(Given::Records).collect()
            }
        }
    }
}

impl<S: Sample> Source<S> {
    pub(crate) fn open(course: &CourseSettings, threads: usize) -> Result<Source<S>, TrainError> {
        let files = course.data.iter().chain(&course.validation);
        let shards = files.clone().filter(|path| is_shard(path)).count();
        match shards {
            0 => Ok(Source::Binpack(Box::new(Feed::open(course, threads)?))),
            count if count == files.count() => Ok(Source::Shards(Box::new(Records::open(course)?))),
            _ => Err(wrong(
                "data",
                "give either binpack files or policy shards, not both",
            )
            .into()),
        }
    }

    pub(crate) fn counters(&self) -> &Counters {
        match self {
            Source::Binpack(feed) => &feed.counters,
            Source::Shards(records) => &records.counters,
        }
    }

    /// The positions of the next step.
    pub(crate) fn next(&mut self) -> Result<Given<'_, S>, TrainError> {
        Ok(match self {
            Source::Binpack(feed) => Given::Positions(feed.next()?),
            Source::Shards(records) => Given::Records(records.next()),
        })
    }

    /// The validation positions.
    pub(crate) fn validation(&self) -> Given<'_, S> {
        match self {
            Source::Binpack(feed) => Given::Positions(&feed.validation),
            Source::Shards(records) => Given::Records(records.validation()),
        }
    }

    /// A schedule's value for the next step.
    pub(crate) fn now(&self, schedule: &Schedule) -> f64 {
        let counters = self.counters();
        let passed = counters.steps as f64 / counters.epoch_steps as f64;
        schedule.value(passed, counters.epochs as f64)
    }

    /// Counts a step on the positions that were returned last.
    pub(crate) fn count(&mut self, loss: f64, learning_rate: f64, positions: usize) -> Measured {
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

    /// A hash that identifies the data.
    pub(crate) fn fingerprint(&self) -> u64 {
        match self {
            Source::Binpack(feed) => feed.fingerprint(),
            Source::Shards(records) => records.fingerprint,
        }
    }

    pub(crate) fn mark(&self, settings: String) -> Mark {
        match self {
            Source::Binpack(feed) => feed.mark(settings),
            Source::Shards(records) => records.mark(settings),
        }
    }

    pub(crate) fn go_to(&mut self, mark: &Mark) -> Result<(), LoaderError> {
        match self {
            Source::Binpack(feed) => feed.go_to(mark),
            Source::Shards(records) => records.go_to(mark),
        }
    }
}
