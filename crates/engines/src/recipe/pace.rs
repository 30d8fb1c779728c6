//! How long a player may think: a clock, or a time, nodes or a depth for each move.
//!
//! Only notation and values; the clock of a running game is kept elsewhere.

use crate::words::{parsed, read_from_text, written, written_if_any};
use crate::{Clock, Limits};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// Why a time is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PaceError {
    /// Not a number of seconds.
    #[error("'{0}' is not a time: give seconds such as 0.5, or 500ms, or 1:30")]
    Time(String),
    /// Not a time control.
    #[error("'{0}' is not a time control: give moves/minutes:seconds+increment, such as 10+0.1")]
    TimeControl(String),
}

/// The longest time accepted, in seconds.
const MOST_SECONDS: f64 = 1e7;

/// A time in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seconds(pub Duration);

impl JsonSchema for Seconds {
    fn schema_name() -> Cow<'static, str> {
        "seconds".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["number", "string"],
            "minimum": 0,
            "maximum": MOST_SECONDS as u64,
            "x-values": "seconds such as `0.5`, or `\"500ms\"`, or `\"1:30\"`",
        })
    }
}

impl FromStr for Seconds {
    type Err = PaceError;

    /// `0.5`, `500ms` or `1:30`.
    fn from_str(text: &str) -> Result<Seconds, PaceError> {
        let number = |digits: &str| digits.parse::<f64>().ok();
        let seconds = if let Some(digits) = text.strip_suffix("ms") {
            number(digits).map(|milliseconds| milliseconds / 1000.0)
        } else if let Some((minutes, seconds)) = text.split_once(':') {
            let minutes: Option<u32> = minutes.parse().ok();
            minutes
                .zip(number(seconds))
                .map(|(minutes, seconds)| f64::from(minutes) * 60.0 + seconds)
        } else {
            number(text)
        };
        seconds
            .filter(|seconds| (0.0..=MOST_SECONDS).contains(seconds))
            .map(|seconds| Seconds(Duration::from_secs_f64(seconds)))
            .ok_or_else(|| PaceError::Time(text.to_owned()))
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0.as_secs_f64())
    }
}

/// A time control, as it is set before a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// The number of moves for which the time must last; `None` for the whole game.
    pub moves: Option<NonZeroU32>,
    /// The time.
    pub base: Duration,
    /// What each move adds.
    pub increment: Duration,
}

impl JsonSchema for TimeControl {
    fn schema_name() -> Cow<'static, str> {
        "time-control".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["number", "string"],
            "exclusiveMinimum": 0,
            "x-values": "`\"10+0.1\"`, `\"40/2:00\"`, or seconds for the whole game",
        })
    }
}

impl FromStr for TimeControl {
    type Err = PaceError;

    /// `10+0.1`, `40/2:00`, `0.5`.
    fn from_str(text: &str) -> Result<TimeControl, PaceError> {
        let wrong = || PaceError::TimeControl(text.to_owned());
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().map_err(|_| wrong())?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let time = |text: &str| text.parse::<Seconds>().map_err(|_| wrong());
        let control = TimeControl {
            moves,
            base: time(base)?.0,
            increment: time(increment)?.0,
        };
        if control.base.is_zero() {
            return Err(wrong());
        }
        Ok(control)
    }
}

/// In seconds, as PGN writes it: `40/120+0.5`.
impl fmt::Display for TimeControl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(formatter, "{moves}/")?;
        }
        write!(formatter, "{}", Seconds(self.base))?;
        if !self.increment.is_zero() {
            write!(formatter, "+{}", Seconds(self.increment))?;
        }
        Ok(())
    }
}

/// How long a player may think.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// A clock.
    #[serde(rename = "tc", serialize_with = "written_if_any")]
    #[serde(default, deserialize_with = "parsed")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Time for each move.
    #[serde(rename = "st", serialize_with = "written_if_any")]
    #[serde(default, deserialize_with = "parsed")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_time: Option<Seconds>,
    /// Nodes per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Soft node limit: no new iteration starts after this many nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soft_nodes: Option<u64>,
    /// Search depth per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Tolerance for moves that come too late.
    #[serde(serialize_with = "written", deserialize_with = "read_from_text")]
    pub margin: Seconds,
}

impl Pace {
    /// The default margin.
    pub const MARGIN: Seconds = Seconds(Duration::from_millis(100));

    /// A pace of this many nodes for each move.
    pub fn nodes(nodes: u64) -> Pace {
        Pace {
            clock: None,
            move_time: None,
            nodes: Some(nodes),
            soft_nodes: None,
            depth: None,
            margin: Pace::MARGIN,
        }
    }

    /// Whether time limits the thinking, so that games cannot be repeated exactly.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }

    /// The limits of one move, given the state of the clock.
    pub fn limits(&self, clock: Option<Clock>) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            soft_nodes: self.soft_nodes,
            move_time: self.move_time.map(|time| time.0),
            clock,
            ..Limits::default()
        }
    }
}

/// As written in a player's settings: `tc=10+0.1 nodes=5000`.
impl fmt::Display for Pace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.clock.map(|control| format!("tc={control}")),
            self.move_time.map(|time| format!("st={time}")),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.soft_nodes.map(|nodes| format!("soft_nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        formatter.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> Result<String, String> {
        let control = text.parse::<TimeControl>();
        control
            .map(|control| control.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn time_controls_are_read_and_written_in_seconds() {
        for (text, written) in [
            ("10+0.1", "10+0.1"),
            ("40/2:00", "40/120"),
            ("0.5", "0.5"),
            ("1:30.5+0", "90.5"),
            ("40/1:00:00", ""),
            ("40/500ms+10ms", "40/0.5+0.01"),
        ] {
            match control(text) {
                Ok(control) => assert_eq!(control, written),
                Err(error) => assert!(written.is_empty(), "{text}: {error}"),
            }
        }
    }

    #[test]
    fn what_is_no_time_control_is_named() {
        for text in [
            "", "0", "0+1", "10+", "+1", "-1", "inf", "NaN", "1e9", "0/10", "x/10", "10 + 1",
        ] {
            let error = control(text).expect_err(text);
            assert!(error.contains(&format!("'{text}'")), "{error}");
        }
    }

    #[test]
    fn times_have_several_spellings() {
        let milliseconds = |text: &str| text.parse::<Seconds>().map(|time| time.0.as_millis());
        assert_eq!(milliseconds("0.25"), Ok(250));
        assert_eq!(milliseconds("250ms"), Ok(250));
        assert_eq!(milliseconds("2:00.5"), Ok(120_500));
        for wrong in ["", "ms", "1:", ":1", "-1:30", "1s"] {
            assert!(wrong.parse::<Seconds>().is_err(), "{wrong}");
        }
    }
}
