//! How long games may be, generation by generation.

use super::by_generation::ByGeneration;
use data::range::Range;
use serde::{Deserialize, Serialize};

/// The number of plies after which games end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(
    untagged,
    expecting = "a number of plies, { start = 20, step = 10 }, or a list with a number for each generation"
)]
#[schemars(rename = "horizon")]
pub enum Horizon {
    // Before the other variant, which could be read from a list of two.
    /// A given number.
    Said(#[schemars(with = "ByGeneration")] ByGeneration<u32>),
    /// Growing with each generation.
    Growing(Growth),
}

/// A horizon that grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "growth")]
pub struct Growth {
    /// Number of plies in the first generation.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub start: u32,
    /// Additional plies per further generation.
    pub step: u32,
}

impl Horizon {
    /// The horizon of a generation; generations are numbered from 1.
    pub fn plies(&self, generation: u32) -> u32 {
        let before = generation.saturating_sub(1);
        match self {
            Horizon::Said(plies) => plies.of(generation),
            Horizon::Growing(growth) => growth
                .start
                .saturating_add(growth.step.saturating_mul(before)),
        }
    }

    /// Whether every generation has at least one ply.
    pub(super) fn makes_sense(&self) -> bool {
        match self {
            Horizon::Said(plies) => plies.makes_sense(),
            Horizon::Growing(growth) => growth.start > 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Result<Horizon, String> {
        #[derive(Deserialize)]
        struct File {
            horizon: Horizon,
        }
        toml::from_str::<File>(&format!("horizon = {value}"))
            .map(|file| file.horizon)
            .map_err(|error| error.message().to_owned())
    }

    fn generations(value: &str) -> Vec<u32> {
        let horizon = read(value).expect("a horizon");
        (1..=7).map(|number| horizon.plies(number)).collect()
    }

    #[test]
    fn every_way_to_say_it() {
        assert_eq!(generations("250"), [250; 7]);
        assert_eq!(
            generations("{ start = 20, step = 10 }"),
            [20, 30, 40, 50, 60, 70, 80]
        );
        assert_eq!(generations("[20, 30]"), [20, 30, 30, 30, 30, 30, 30]);
        assert_eq!(
            generations("[20, 20, 40, 50, 60, 70]"),
            [20, 20, 40, 50, 60, 70, 70]
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for wrong in ["0", "[]", "[20, 0]", "{ start = 0, step = 10 }"] {
            assert!(!read(wrong).expect("a horizon").makes_sense(), "{wrong}");
        }
        for unreadable in ["-3", "'long'", "{ start = 20 }", "{ start = 1, steps = 1 }"] {
            let error = read(unreadable).expect_err(unreadable);
            assert!(error.starts_with("a number of plies, { start"), "{error}");
        }
    }
}
