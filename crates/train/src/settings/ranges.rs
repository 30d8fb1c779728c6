//! The ranges of the numbers in settings, and how one outside of its range is told.

use crate::error::wrong;
use crate::{Loss, Schedule, WrongSetting};

/// So many moments of a schedule are looked at: no kind of schedule has more turns.
const MOMENTS: u32 = 200;

/// Where a number must lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    low: f64,
    high: f64,
    /// Whether the ends themselves are allowed.
    closed: [bool; 2],
}

impl Range {
    /// From one number to another, both included.
    pub(crate) const fn closed(low: f64, high: f64) -> Range {
        Range {
            low,
            high,
            closed: [true, true],
        }
    }

    /// Above a number, up to another.
    pub(crate) const fn above(low: f64, high: f64) -> Range {
        Range {
            low,
            high,
            closed: [false, true],
        }
    }

    /// From a number to below another.
    pub(crate) const fn below(low: f64, high: f64) -> Range {
        Range {
            low,
            high,
            closed: [true, false],
        }
    }

    fn contains(self, value: f64) -> bool {
        let [low, high] = self.closed;
        let is_above = value > self.low || low && value == self.low;
        let is_below = value < self.high || high && value == self.high;
        is_above && is_below
    }

    /// In words.
    fn in_words(self) -> String {
        let low = if self.closed[0] { "from" } else { "above" };
        let high = if self.closed[1] { "to" } else { "to below" };
        format!("lie {low} {} {high} {}", self.low, self.high)
    }

    /// Refuses a number that lies outside.
    pub(crate) fn check(self, key: &str, value: f64) -> Result<(), WrongSetting> {
        match self.contains(value) {
            true => Ok(()),
            false => Err(self.refusal(key, value, "")),
        }
    }

    /// Refuses a schedule that leaves the range within so many epochs.
    pub(crate) fn check_schedule(
        self,
        key: &str,
        schedule: &Schedule,
        epochs: u64,
    ) -> Result<(), WrongSetting> {
        let all = epochs as f64;
        for moment in 0..=MOMENTS {
            let passed = all * f64::from(moment) / f64::from(MOMENTS);
            let value = schedule.value(passed, all);
            // A warm-up begins with nothing.
            let begins = moment == 0 && value == 0.0;
            if !self.contains(value) && !begins {
                let when = match schedule {
                    Schedule::Constant(_) => String::new(),
                    Schedule::Changing(_) => format!(" after {passed:.1} epochs"),
                };
                return Err(self.refusal(key, value, &when));
            }
        }
        Ok(())
    }

    fn refusal(self, key: &str, value: f64, when: &str) -> WrongSetting {
        WrongSetting {
            key: key.to_owned().into(),
            problem: format!("it is {value}{when}, and must {}", self.in_words()),
        }
    }
}

/// The share of the score in what is learned.
pub(crate) const LAMBDA: Range = Range::closed(0.0, 1.0);

impl Loss {
    /// Refuses numbers with which errors mean nothing.
    pub(crate) fn check(&self) -> Result<(), WrongSetting> {
        const OFFSET: Range = Range::closed(-10_000.0, 10_000.0);
        const SCALING: Range = Range::above(0.0, 10_000.0);
        for (key, value, range) in [
            ("loss.in_offset", self.in_offset, OFFSET),
            ("loss.in_scaling", self.in_scaling, SCALING),
            ("loss.out_offset", self.out_offset, OFFSET),
            ("loss.out_scaling", self.out_scaling, SCALING),
            ("loss.exponent", self.exponent, Range::closed(1.0, 10.0)),
            ("loss.asymmetry", self.asymmetry, Range::above(-1.0, 10.0)),
            ("loss.boost", self.boost, Range::closed(0.0, 100.0)),
            (
                "loss.boost_exponent",
                self.boost_exponent,
                Range::above(0.0, 10.0),
            ),
        ] {
            range.check(key, f64::from(value))?;
        }
        Ok(())
    }
}

/// Refuses a number of things that is 0.
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
    fn numbers_outside_of_their_range_are_told_with_it() {
        let told = |range: Range, value| match range.check("lambda", value) {
            Ok(()) => String::new(),
            Err(error) => error.to_string(),
        };
        assert_eq!(told(LAMBDA, 0.0), "");
        assert_eq!(
            told(LAMBDA, 7.0),
            "lambda: it is 7, and must lie from 0 to 1"
        );
        assert_eq!(
            told(LAMBDA, -1.0),
            "lambda: it is -1, and must lie from 0 to 1"
        );
        assert_ne!(told(LAMBDA, f64::NAN), "");
        assert_eq!(
            told(Range::above(0.0, 1.0), 0.0),
            "lambda: it is 0, and must lie above 0 to 1"
        );
        assert_ne!(told(Range::below(0.0, 1.0), 1.0), "");
    }

    #[test]
    fn schedules_are_looked_at_from_end_to_end() {
        let range = Range::above(0.0, 1.0);
        let told = |schedule: Schedule| {
            let checked = range.check_schedule("learning_rate", &schedule, 10);
            checked.err().map(|error| error.to_string())
        };
        assert_eq!(told(Schedule::Constant(0.5)), None);
        assert_eq!(
            told(Schedule::Constant(-0.5)).as_deref(),
            Some("learning_rate: it is -0.5, and must lie above 0 to 1")
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
