//! The ranges of values in settings, and the errors for values outside of them.

use crate::error::wrong;
use crate::{Loss, Schedule, WrongSetting};
use data::range::Range;

/// The number of points at which schedules are checked: no kind of schedule has more extremes.
const MOMENTS: u32 = 200;

/// Rejects a value outside of its range.
pub(crate) fn within(key: &str, value: f64, range: Range) -> Result<(), WrongSetting> {
    match range.problem(value) {
        None => Ok(()),
        Some(problem) => Err(WrongSetting {
            key: key.to_owned().into(),
            problem,
        }),
    }
}

/// Rejects a schedule that leaves its range within these epochs.
pub(crate) fn schedule_within(
    key: &str,
    schedule: &Schedule,
    epochs: u64,
    range: Range,
) -> Result<(), WrongSetting> {
    let all = epochs as f64;
    for moment in 0..=MOMENTS {
        let passed = all * f64::from(moment) / f64::from(MOMENTS);
        let value = schedule.value(passed, all);
        // A warm-up begins at 0.
        let begins = moment == 0 && value == 0.0;
        if begins || range.contains(value) {
            continue;
        }
        let when = match schedule {
            Schedule::Constant(_) => String::new(),
            Schedule::Changing(_) => format!(" after {passed:.1} epochs"),
        };
        return Err(WrongSetting {
            key: key.to_owned().into(),
            problem: format!("it is {value}{when}, but must {}", range.in_words()),
        });
    }
    Ok(())
}

/// The share of the score in the target.
pub(crate) const LAMBDA: Range = Range::closed(0.0, 1.0);
/// The share of games held out for validation.
pub(crate) const VALIDATION_SHARE: Range = Range::below(0.0, 0.5);
/// The decay of moving averages.
pub(crate) const FORGETTING: Range = Range::below(0.0, 1.0);
/// The weight of a loss.
pub(crate) const WEIGHT: Range = Range::closed(0.0, 100.0);
/// Positions per step (batch size).
pub(crate) const BATCH: Range = Range::closed(1.0, 1_048_576.0);
/// The search depth of a training: each further ply takes several times as long.
pub(crate) const TRAINING_DEPTH: Range = Range::closed(1.0, 6.0);

impl Loss {
    /// Rejects parameters with which errors are meaningless.
    pub(crate) fn check(&self) -> Result<(), WrongSetting> {
        use crate::loss::{ASYMMETRY, BOOST, BOOST_EXPONENT, EXPONENT, OFFSET, SCALING};
        for (key, value, range) in [
            ("loss.in_offset", self.in_offset, OFFSET),
            ("loss.in_scaling", self.in_scaling, SCALING),
            ("loss.out_offset", self.out_offset, OFFSET),
            ("loss.out_scaling", self.out_scaling, SCALING),
            ("loss.exponent", self.exponent, EXPONENT),
            ("loss.asymmetry", self.asymmetry, ASYMMETRY),
            ("loss.boost", self.boost, BOOST),
            ("loss.boost_exponent", self.boost_exponent, BOOST_EXPONENT),
        ] {
            within(key, f64::from(value), range)?;
        }
        Ok(())
    }
}

/// Rejects a count of 0.
pub(crate) fn at_least_one(key: &'static str, number: u64) -> Result<(), WrongSetting> {
    match number {
        0 => Err(wrong(key, "must be at least 1")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Changing;

    #[test]
    fn numbers_outside_of_their_range_are_told_with_their_key() {
        assert_eq!(within("lambda", 0.5, LAMBDA), Ok(()));
        let refused = within("lambda", 7.0, LAMBDA).expect_err("too large");
        let words = "lambda: it is 7, but must be from 0 to 1";
        assert_eq!(refused.to_string(), words);
    }

    #[test]
    fn schedules_are_looked_at_from_end_to_end() {
        let range = Range::above(0.0, 1.0);
        let told = |schedule: Schedule| {
            let checked = schedule_within("learning_rate", &schedule, 10, range);
            checked.err().map(|error| error.to_string())
        };
        assert_eq!(told(Schedule::Constant(0.5)), None);
        assert_eq!(
            told(Schedule::Constant(-0.5)).as_deref(),
            Some("learning_rate: it is -0.5, but must be above 0, at most 1")
        );
        let falling = Schedule::Changing(Changing::Linear {
            from: 1.0,
            to: -1.0,
        });
        let words = told(falling).expect("it falls below 0");
        assert!(words.contains(" after 5.0 epochs"), "{words}");
        let warm = Schedule::Changing(Changing::Warmup {
            epochs: 2.0,
            then: Box::new(Schedule::Constant(1.0)),
        });
        assert_eq!(told(warm), None);
    }
}
