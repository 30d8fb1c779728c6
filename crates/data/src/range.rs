//! The valid ranges of numbers in settings, and the messages about numbers outside.
//!
//! It must not know what is being set.

use schemars::Schema;
use schemars::transform::Transform;
use serde_json::Value;

/// The range in which a number must lie.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    low: f64,
    high: f64,
    /// Whether the ends themselves are allowed.
    closed: [bool; 2],
}

impl Range {
    /// 1 and above.
    pub const AT_LEAST_ONE: Range = Range::at_least(1.0);
    /// Above 0.
    pub const POSITIVE: Range = Range::above(0.0, f64::INFINITY);

    /// A number and above.
    pub const fn at_least(low: f64) -> Range {
        Range::closed(low, f64::INFINITY)
    }

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

    /// From one number to another, neither included.
    pub const fn between(low: f64, high: f64) -> Range {
        Range {
            low,
            high,
            closed: [false, false],
        }
    }

    /// Whether a number lies inside.
    pub fn contains(self, value: f64) -> bool {
        let [low, high] = self.closed;
        let is_above = value > self.low || low && value == self.low;
        let is_below = value < self.high || high && value == self.high;
        is_above && is_below
    }

    /// A message for a number that lies outside, with the range.
    pub fn problem(self, value: f64) -> Option<String> {
        (!self.contains(value)).then(|| format!("it is {value}, but must {}", self.in_words()))
    }

    /// Adds the range to the schema of a key.
    pub fn schema(self) -> impl Transform {
        move |schema: &mut Schema| {
            let [low, high] = self.closed;
            let ends = [
                (self.low, low, "minimum", "exclusiveMinimum"),
                (self.high, high, "maximum", "exclusiveMaximum"),
            ];
            for (end, is_closed, closed, open) in ends {
                schema.remove(closed);
                if end.is_finite() {
                    let key = if is_closed { closed } else { open };
                    schema.insert(key.to_owned(), number(end));
                }
            }
        }
    }

    /// Adds the range to the schema of a list whose numbers must lie in it.
    pub fn schema_of_items(self) -> impl Transform {
        move |schema: &mut Schema| {
            let items = schema.get_mut("items").map(Value::take);
            if let Some(mut items) = items.and_then(|items| Schema::try_from(items).ok()) {
                self.schema().transform(&mut items);
                schema.insert("items".to_owned(), items.to_value());
            }
        }
    }

    /// What a number must satisfy, in words.
    pub fn in_words(self) -> String {
        let Range { low, high, closed } = self;
        match closed {
            [true, _] if high.is_infinite() => format!("be at least {low}"),
            [false, _] if high.is_infinite() => format!("be above {low}"),
            [true, true] => format!("be from {low} to {high}"),
            [false, true] => format!("be above {low}, at most {high}"),
            [true, false] => format!("be at least {low} and below {high}"),
            [false, false] => format!("be above {low} and below {high}"),
        }
    }
}

/// The JSON value of a number; integers are written without a decimal point.
fn number(value: f64) -> Value {
    match value.fract() == 0.0 && value.abs() < 1e15 {
        true => Value::from(value as i64),
        false => Value::from(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_has_the_ends_of_the_range() {
        let written = |range: Range| {
            let mut schema = schemars::json_schema!({"type": "integer", "minimum": 0});
            range.schema().transform(&mut schema);
            schema.remove("type");
            schema.to_value().to_string()
        };
        assert_eq!(
            written(Range::closed(1.0, 1e12)),
            r#"{"maximum":1000000000000,"minimum":1}"#
        );
        assert_eq!(
            written(Range::above(0.0, 0.5)),
            r#"{"exclusiveMinimum":0,"maximum":0.5}"#
        );
        assert_eq!(written(Range::at_least(2.0)), r#"{"minimum":2}"#);
    }

    #[test]
    fn a_number_outside_is_told_with_its_range() {
        let told = |range: Range, value| range.problem(value).unwrap_or_default();
        let share = Range::closed(0.0, 1.0);
        assert_eq!(told(share, 0.0), "");
        assert_eq!(told(share, 1.0), "");
        assert_eq!(told(share, 7.0), "it is 7, but must be from 0 to 1");
        assert_eq!(told(share, -1.0), "it is -1, but must be from 0 to 1");
        assert_ne!(told(share, f64::NAN), "");
        let above = Range::above(0.0, 1.0);
        assert_eq!(told(above, 0.0), "it is 0, but must be above 0, at most 1");
        let below = Range::below(0.0, 1.0);
        assert_eq!(
            told(below, 1.0),
            "it is 1, but must be at least 0 and below 1"
        );
    }
}
