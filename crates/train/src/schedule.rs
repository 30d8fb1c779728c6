//! Values that change during a training: the learning rate, the share of the score.
//!
//! Powers and cosines come from a library of our choice: those of systems differ in the last bit,
//! and training must be reproducible bit by bit.

mod file;

use data::range::Range;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// A schedule of a number. A plain number is a constant.
#[derive(Clone, PartialEq, Debug, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "schedule")]
pub enum Schedule {
    /// A constant.
    Constant(f64),
    /// A schedule that changes.
    Changing(Changing),
}

/// The kinds of schedules.
#[derive(Clone, PartialEq, Debug, Serialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[schemars(rename = "changing-schedule", deny_unknown_fields)]
pub enum Changing {
    /// Multiplied repeatedly.
    Step {
        /// The first value.
        from: f64,
        /// The factor.
        factor: f64,
        /// Epochs between two multiplications; default: 1.
        #[schemars(with = "Option<f64>", transform = Range::POSITIVE.schema())]
        every: f64,
    },
    /// Multiplied once.
    Drop {
        /// The first value.
        from: f64,
        /// The factor.
        factor: f64,
        /// The epoch at which it is multiplied.
        #[schemars(transform = Range::POSITIVE.schema())]
        after: f64,
    },
    /// Linear.
    Linear {
        /// The first value.
        from: f64,
        /// The last value.
        to: f64,
    },
    /// Half a cosine wave.
    Cosine {
        /// The first value.
        from: f64,
        /// The last value.
        to: f64,
    },
    /// Half a cosine wave up to a peak, then another one down to the end.
    #[serde(rename = "one-cycle")]
    OneCycle {
        /// The first value; default: a 25th of the peak.
        #[schemars(with = "Option<f64>")]
        from: f64,
        /// The highest value.
        peak: f64,
        /// The last value; default: a 10,000th of the first.
        #[schemars(with = "Option<f64>")]
        to: f64,
        /// The share of the time in which it rises; default: 0.3.
        #[schemars(with = "Option<f64>", transform = Range::below(0.0, 1.0).schema())]
        rise: f64,
    },
    /// Linear warm-up from 0, followed by another schedule.
    Warmup {
        /// The number of warm-up epochs.
        #[schemars(transform = Range::POSITIVE.schema())]
        epochs: f64,
        /// The schedule after the warm-up.
        then: Box<Schedule>,
    },
    /// Several schedules in sequence.
    Sequence {
        /// The schedules with their lengths; the last one lasts to the end.
        parts: Vec<SequencePart>,
    },
}

/// A part of a sequence of schedules.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "part-of-schedule")]
pub struct SequencePart {
    /// The number of epochs.
    pub epochs: f64,
    /// The schedule.
    pub schedule: Schedule,
}

impl Schedule {
    /// The value after `passed` of `all` epochs.
    pub fn value(&self, passed: f64, all: f64) -> f64 {
        match self {
            Schedule::Constant(value) => *value,
            Schedule::Changing(changing) => changing.value(passed, all),
        }
    }

    /// The same schedule with all values multiplied by this.
    pub(crate) fn times(&self, number: f64) -> Schedule {
        match self {
            Schedule::Constant(value) => Schedule::Constant(value * number),
            Schedule::Changing(changing) => Schedule::Changing(changing.times(number)),
        }
    }
}

impl Changing {
    fn times(&self, number: f64) -> Changing {
        let mut changing = self.clone();
        match &mut changing {
            Changing::Step { from, .. } | Changing::Drop { from, .. } => *from *= number,
            Changing::Linear { from, to } | Changing::Cosine { from, to } => {
                *from *= number;
                *to *= number;
            }
            Changing::OneCycle { from, peak, to, .. } => {
                [from, peak, to]
                    .into_iter()
                    .for_each(|value| *value *= number);
            }
            Changing::Warmup { then, .. } => **then = then.times(number),
            Changing::Sequence { parts } => {
                (parts.iter_mut()).for_each(|part| part.schedule = part.schedule.times(number));
            }
        }
        changing
    }
}

impl Changing {
    fn value(&self, passed: f64, all: f64) -> f64 {
        let share = (passed / all).clamp(0.0, 1.0);
        match self {
            Changing::Step {
                from,
                factor,
                every,
            } => from * libm::pow(*factor, (passed / every).floor()),
            Changing::Drop {
                from,
                factor,
                after,
            } => match passed < *after {
                true => *from,
                false => from * factor,
            },
            Changing::Linear { from, to } => from + (to - from) * share,
            Changing::Cosine { from, to } => half_wave(*from, *to, share),
            Changing::OneCycle {
                from,
                peak,
                to,
                rise,
            } => match share < *rise {
                true => half_wave(*from, *peak, share / rise),
                false => half_wave(*peak, *to, (share - rise) / (1.0 - rise)),
            },
            Changing::Warmup { epochs, then } => {
                then.value(passed, all) * (passed / epochs).clamp(0.0, 1.0)
            }
            Changing::Sequence { parts } => sequence(parts, passed, all),
        }
    }
}

/// Half a cosine wave from one value to another.
fn half_wave(from: f64, to: f64, share: f64) -> f64 {
    to + (from - to) * 0.5 * (1.0 + libm::cos(PI * share))
}

fn sequence(parts: &[SequencePart], passed: f64, all: f64) -> f64 {
    let mut begin = 0.0;
    for (index, part) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        if is_last || passed < begin + part.epochs {
            let length = if is_last { all - begin } else { part.epochs };
            return part.schedule.value(passed - begin, length);
        }
        begin += part.epochs;
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(text: &str) -> Schedule {
        #[derive(Deserialize)]
        struct File {
            learning_rate: Schedule,
        }
        toml::from_str::<File>(text)
            .expect("a schedule")
            .learning_rate
    }

    #[test]
    fn schedules_go_as_their_names_say() {
        let values =
            |text: &str, times: [f64; 4]| times.map(|time| schedule(text).value(time, 10.0));
        assert_eq!(
            values("learning_rate = 0.5", [0.0, 3.0, 9.0, 10.0]),
            [0.5; 4]
        );
        let step = r#"learning_rate = { kind = "step", from = 8, factor = 0.5, every = 2 }"#;
        assert_eq!(values(step, [0.0, 1.9, 2.0, 6.5]), [8.0, 8.0, 4.0, 1.0]);
        let drop = r#"learning_rate = { kind = "drop", from = 1, factor = 0.1, after = 6 }"#;
        assert_eq!(values(drop, [0.0, 5.9, 6.0, 9.0]), [1.0, 1.0, 0.1, 0.1]);
        let linear = r#"learning_rate = { kind = "linear", from = 1, to = 0 }"#;
        assert_eq!(values(linear, [0.0, 2.5, 5.0, 10.0]), [1.0, 0.75, 0.5, 0.0]);
        let cosine = r#"learning_rate = { kind = "cosine", from = 3, to = 1 }"#;
        let [first, middle, _, last] = values(cosine, [0.0, 5.0, 7.5, 10.0]);
        assert!((first - 3.0).abs() + (middle - 2.0).abs() + (last - 1.0).abs() < 1e-12);
        let cycle =
            r#"learning_rate = { kind = "one-cycle", from = 1, peak = 3, to = 0, rise = 0.4 }"#;
        let [first, rising, peak, last] = values(cycle, [0.0, 2.0, 4.0, 10.0]);
        assert!((first - 1.0).abs() + (rising - 2.0).abs() < 1e-12);
        assert!((peak - 3.0).abs() + last.abs() < 1e-12);
        // Missing values are those of PyTorch's OneCycleLR.
        let usual = r#"learning_rate = { kind = "one-cycle", peak = 1 }"#;
        let [first, peak, falling, last] = values(usual, [0.0, 3.0, 6.5, 10.0]);
        assert!((first - 0.04).abs() + (peak - 1.0).abs() < 1e-12);
        assert!((falling - 0.500002).abs() + (last - 4e-6).abs() < 1e-12);
        let warm = r#"learning_rate = { kind = "warmup", epochs = 2, then = { kind = "linear", from = 1, to = 0 } }"#;
        assert_eq!(values(warm, [0.0, 1.0, 2.0, 5.0]), [0.0, 0.45, 0.8, 0.5]);
        let sequence = r#"
            [learning_rate]
            kind = "sequence"
            parts = [
                { epochs = 4, schedule = 2.0 },
                { epochs = 1, schedule = { kind = "linear", from = 2, to = 1 } },
            ]"#;
        assert_eq!(values(sequence, [0.0, 3.9, 4.0, 7.0]), [2.0, 2.0, 2.0, 1.5]);
    }
}
