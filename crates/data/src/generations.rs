//! Settings whose numbers may change from generation to generation of a run.

use crate::range::Range;
use serde::{Deserialize, Serialize};

/// A number per generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(
    untagged,
    expecting = "a number, a list with a number for each generation, or { from = 0.25, to = 0.1, hold = 3, until = 16 }"
)]
#[schemars(rename = "number-by-generation")]
pub enum OverGenerations {
    /// A constant.
    Same(f64),
    /// One number per generation; the last one applies to all later generations.
    List(Vec<f64>),
    /// A linear ramp from one number to another.
    Ramp(Ramp),
}

/// A number that changes in equal steps.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ramp")]
pub struct Ramp {
    /// The first value.
    pub from: f64,
    /// The last value.
    pub to: f64,
    /// For how many generations it keeps the first value.
    #[serde(default = "one")]
    pub hold: u32,
    /// The generation from which on it has the last value.
    pub until: u32,
}

fn one() -> u32 {
    1
}

impl OverGenerations {
    /// The number of a generation; generations are numbered from 1.
    pub fn of(&self, generation: u32) -> f64 {
        match self {
            OverGenerations::Same(number) => *number,
            OverGenerations::List(list) => {
                let place = generation.saturating_sub(1) as usize;
                list.get(place).or(list.last()).copied().unwrap_or_default()
            }
            OverGenerations::Ramp(ramp) => {
                let steps = f64::from(ramp.until.saturating_sub(ramp.hold).max(1));
                let passed = f64::from(generation.saturating_sub(ramp.hold));
                ramp.from + (ramp.to - ramp.from) * (passed / steps).min(1.0)
            }
        }
    }

    /// What is wrong with the first number that lies outside of a range.
    pub fn problem(&self, range: Range) -> Option<String> {
        let all = match self {
            OverGenerations::Same(number) => vec![*number],
            OverGenerations::List(list) if list.is_empty() => {
                return Some("give at least one number".to_owned());
            }
            OverGenerations::List(list) => list.clone(),
            OverGenerations::Ramp(ramp) => vec![ramp.from, ramp.to],
        };
        all.into_iter().find_map(|number| range.problem(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_holds_falls_and_holds() {
        let read = |text: &str| -> OverGenerations { serde_json::from_str(text).expect(text) };
        // As published: 0.25 for three cycles, then down to 0.1 at the sixteenth.
        let ramp = read(r#"{"from": 0.25, "to": 0.1, "hold": 3, "until": 16}"#);
        let at = [1, 3, 16, 32].map(|generation| (1e6 * ramp.of(generation)).round());
        assert_eq!(at, [250_000.0, 250_000.0, 100_000.0, 100_000.0]);
        assert!((ramp.of(4) - (0.25 - 0.15 / 13.0)).abs() < 1e-12);
        let list = read("[0.5, 0.2]");
        assert_eq!(
            [1, 2, 9].map(|generation| list.of(generation)),
            [0.5, 0.2, 0.2]
        );
        assert_eq!(read("0.3").of(7), 0.3);
    }
}
