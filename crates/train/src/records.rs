//! Searched positions and their training targets: from policy shards to the trainings of policies.
//!
//! It must not know which net is trained.

use crate::error::wrong;
use crate::feed::Mark;
use crate::functions::power;
use crate::settings::CourseSettings;
use crate::{Counters, TrainError, WrongSetting};
use chess::Move;
use data::loader::{LoaderError, Point};
use data::policy::{PackedRecords, PolicyRecord};
use data::position::Outcome;
use data::random;
use data::range::Range;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The extension of policy shards.
const ENDING: &str = "policy";
/// Selects the held-out records; independent of the seed of a training.
const HELD_OUT_SEED: u64 = 0x7AB1_A001;

/// Whether a file is a policy shard, by its name.
pub(crate) fn is_shard(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == ENDING)
}

const WORTH: Range = Range::closed(0.0, 1.0);
const PAWNS: Range = Range::above(0.0, 100.0);

/// The training target of drawn games. By default a draw is worth 0 to both sides, as a negamax
/// search requires.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "draws")]
pub struct DrawSettings {
    /// Penalty for draws: how far below 0 a draw is valued for both sides, as published. The game
    /// is then not zero-sum: what one side loses, the other does not win.
    #[schemars(transform = WORTH.schema())]
    pub penalty: f32,
    /// The maximum value of a draw for the side with more material in the last position, as
    /// published: it is multiplied by the hyperbolic tangent of the lead in pawns divided by
    /// `pawns`.
    #[schemars(transform = WORTH.schema())]
    pub material: f32,
    /// The lead, in pawns, that counts as large; see `material`.
    #[schemars(transform = PAWNS.schema())]
    pub pawns: f32,
}

impl Default for DrawSettings {
    fn default() -> DrawSettings {
        DrawSettings::PLAIN
    }
}

impl DrawSettings {
    /// A draw is worth 0 to both sides.
    pub(crate) const PLAIN: DrawSettings = DrawSettings {
        penalty: 0.0,
        material: 0.0,
        pawns: 4.0,
    };

    /// Checks what deserialisation cannot.
    pub(crate) fn check(&self) -> Result<(), WrongSetting> {
        for (key, value, range) in [
            ("draws.penalty", self.penalty, WORTH),
            ("draws.material", self.material, WORTH),
            ("draws.pawns", self.pawns, PAWNS),
        ] {
            crate::settings::within(key, f64::from(value), range)?;
        }
        Ok(())
    }

    /// The target probabilities of a game with this result for the side to move.
    fn chances(&self, result: Outcome, final_balance: i8) -> [f32; 3] {
        match result {
            Outcome::Win => [1.0, 0.0, 0.0],
            Outcome::Loss => [0.0, 0.0, 1.0],
            Outcome::Draw => {
                let pawns = f32::from(final_balance) / self.pawns;
                let value = self.material * libm::tanhf(pawns) - self.penalty;
                [value.max(0.0), 1.0 - value.abs(), (-value).max(0.0)]
            }
        }
    }
}

/// The settings of targets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct RecordAim {
    /// The share of the search's value in the value target; the rest is the result.
    pub(crate) lambda: f32,
    /// The share of the policy target that is spread evenly over all legal moves.
    pub(crate) smoothing: f32,
    /// The exponent applied to visit shares.
    pub(crate) target_power: f32,
    pub(crate) draws: DrawSettings,
}

impl RecordAim {
    /// The target win, draw and loss probabilities.
    pub(crate) fn chances(&self, record: &PolicyRecord) -> [f32; 3] {
        let ended = self.draws.chances(record.result, record.final_balance);
        let found = record.chances;
        std::array::from_fn(|at| self.lambda * found[at] + (1.0 - self.lambda) * ended[at])
    }

    /// The target probability of each of these legal moves, uniform if there are no visits; and
    /// whether there are any.
    pub(crate) fn shares(&self, record: &PolicyRecord, legal: &[Move]) -> (Vec<f32>, bool) {
        let most = record.moves.iter().map(|&(_, visits)| visits).max();
        let most = most.filter(|&most| most > 0);
        let alike = 1.0 / legal.len().max(1) as f32;
        let Some(most) = most else {
            return (vec![alike; legal.len()], false);
        };
        let share = |mv: &Move| {
            let found = record.moves.iter().find(|(other, _)| other == mv);
            let visits = found.map_or(0, |&(_, visits)| visits);
            power(visits as f32 / most as f32, self.target_power)
        };
        let mut shares: Vec<f32> = legal.iter().map(share).collect();
        let sum: f32 = shares.iter().sum();
        let rest = self.smoothing * alike;
        for share in &mut shares {
            *share = (1.0 - self.smoothing) * *share / sum + rest;
        }
        (shares, true)
    }
}

/// All records of shards, in memory; each epoch has its own order.
pub(crate) struct Records {
    records: PackedRecords,
    /// The training records in the order of the epoch, and the validation records.
    order: Vec<u32>,
    training: Vec<u32>,
    validation: Vec<u32>,
    epoch: u64,
    next: usize,
    seed: u64,
    pub(crate) fingerprint: u64,
    pub(crate) counters: Counters,
}

impl Records {
    pub(crate) fn open(course: &CourseSettings) -> Result<Records, TrainError> {
        if !course.filters.is_empty() || course.white_labels {
            let problem = "policy shards are not filtered";
            return Err(wrong("filters", problem).into());
        }
        let mut records = PackedRecords::default();
        for path in &course.data {
            records.add(path)?;
        }
        let known = records.len() as u32;
        for path in &course.validation {
            records.add(path)?;
        }
        let (training, mut validation) = match course.validation.is_empty() {
            true => split(&records, course.validation_share),
            false => (
                (0..known).collect(),
                (known..records.len() as u32).collect(),
            ),
        };
        if training.is_empty() {
            return Err(wrong("data", "the shards contain no positions to learn from").into());
        }
        validation.truncate(course.validation_positions);
        let mut number = [0; 8];
        number.copy_from_slice(&blake3::hash(records.bytes()).as_bytes()[..8]);
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

    /// The records of the next step.
    pub(crate) fn next(&mut self) -> Vec<PolicyRecord> {
        if self.next >= self.order.len() {
            self.begin_epoch(self.epoch + 1);
        }
        let end = self.order.len().min(self.next + self.counters.batch);
        let records = self.get(&self.order[self.next..end]);
        self.next = end;
        records
    }

    /// The validation records.
    pub(crate) fn validation(&self) -> Vec<PolicyRecord> {
        self.get(&self.validation)
    }

    fn get(&self, numbers: &[u32]) -> Vec<PolicyRecord> {
        let of = |&number: &u32| self.records.get(number as usize);
        numbers.par_iter().map(of).collect()
    }

    pub(crate) fn mark(&self, settings: String) -> Mark {
        let point = Point {
            epoch: self.epoch,
            batch: 0,
            window: 0,
            offset: self.next as u64,
            fingerprint: self.fingerprint,
        };
        Mark::new(settings, &self.counters, point)
    }

    pub(crate) fn go_to(&mut self, mark: &Mark) -> Result<(), LoaderError> {
        if mark.point.fingerprint != self.fingerprint {
            return Err(LoaderError::OtherData);
        }
        mark.restore(&mut self.counters);
        self.begin_epoch(mark.point.epoch);
        self.next = mark.point.offset as usize;
        Ok(())
    }
}

/// Holds out whole games for validation.
fn split(records: &PackedRecords, share: f64) -> (Vec<u32>, Vec<u32>) {
    let (mut training, mut validation) = (Vec::new(), Vec::new());
    for (game, numbers) in (1..).zip(records.games()) {
        let is_held_out = random::chance(&mut random::generator(HELD_OUT_SEED, game), share);
        match is_held_out {
            true => validation.extend(numbers),
            false => training.extend(numbers),
        }
    }
    (training, validation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_worth_what_the_settings_say() {
        let plain = DrawSettings::default();
        assert_eq!(plain.chances(Outcome::Draw, 9), [0.0, 1.0, 0.0]);
        assert_eq!(plain.chances(Outcome::Win, 0), [1.0, 0.0, 0.0]);
        let published = DrawSettings {
            penalty: 0.12,
            material: 0.2,
            pawns: 4.0,
        };
        let value = |balance: i8| {
            let [win, draw, loss] = published.chances(Outcome::Draw, balance);
            assert!((win + draw + loss - 1.0).abs() < 1e-6);
            win - loss
        };
        // 0.20 tanh(1) - 0.12 and -0.20 tanh(1) - 0.12: the values of both sides do not sum to 0.
        assert!((value(4) - 0.032_319).abs() < 1e-5);
        assert!((value(-4) + 0.272_319).abs() < 1e-5);
        assert!((value(0) + 0.12).abs() < 1e-6);
        assert_eq!(published.chances(Outcome::Loss, 30), [0.0, 0.0, 1.0]);
    }
}
