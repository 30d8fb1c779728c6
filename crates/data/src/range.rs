//! The ranges of numbers in settings, and how one outside of its range is told.
//!
//! It must not know what is being set.

/// Where a number must lie.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    low: f64,
    high: f64,
    /// Whether the ends themselves are allowed.
    closed: [bool; 2],
}

impl Range {
    /// From one number to another, both included.
    pub const fn closed(low: f64, high: f64) -> Range {
        Range {
            low,
            high,
            closed: [true, true],
        }
    }

    /// Above a number, up to another.
    pub const fn above(low: f64, high: f64) -> Range {
        Range {
            low,
            high,
            closed: [false, true],
        }
    }

    /// From a number to below another.
    pub const fn below(low: f64, high: f64) -> Range {
        Range {
            low,
            high,
            closed: [true, false],
        }
    }

    /// Whether a number lies inside.
    pub fn contains(self, value: f64) -> bool {
        let [low, high] = self.closed;
        let is_above = value > self.low || low && value == self.low;
        let is_below = value < self.high || high && value == self.high;
        is_above && is_below
    }

    /// What is wrong with a number that lies outside, with the range.
    pub fn problem(self, value: f64) -> Option<String> {
        (!self.contains(value)).then(|| format!("it is {value}, and must {}", self.in_words()))
    }

    /// What a number must do, in words.
    pub fn in_words(self) -> String {
        let Range { low, high, closed } = self;
        match closed {
            [true, true] => format!("lie from {low} to {high}"),
            [false, true] => format!("lie above {low}, up to {high}"),
            [true, false] => format!("lie from {low} to below {high}"),
            [false, false] => format!("lie between {low} and {high}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_outside_is_told_with_its_range() {
        let told = |range: Range, value| range.problem(value).unwrap_or_default();
        let share = Range::closed(0.0, 1.0);
        assert_eq!(told(share, 0.0), "");
        assert_eq!(told(share, 1.0), "");
        assert_eq!(told(share, 7.0), "it is 7, and must lie from 0 to 1");
        assert_eq!(told(share, -1.0), "it is -1, and must lie from 0 to 1");
        assert_ne!(told(share, f64::NAN), "");
        let above = Range::above(0.0, 1.0);
        assert_eq!(told(above, 0.0), "it is 0, and must lie above 0, up to 1");
        let below = Range::below(0.0, 1.0);
        assert_eq!(told(below, 1.0), "it is 1, and must lie from 0 to below 1");
    }
}
