//! Numbers that change from ply to ply.

use data::range::Range;
use serde::{Deserialize, Serialize};

/// A temperature per ply: a list of plies with the temperature from there on, such as `[[0, 1.0],
/// [30, 0.0]]`, or a single number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(
    untagged,
    expecting = "a temperature, or a list of plies with the temperature from there on, such as [[0, 1.0], [30, 0.0]]"
)]
#[schemars(rename = "number-by-ply")]
pub enum OverPlies {
    /// A constant.
    Same(f64),
    /// From each ply on.
    Points(Vec<(u32, f64)>),
}

impl OverPlies {
    /// The temperature at a ply of the game; before the first listed ply it is that one's.
    pub fn of(&self, ply: u32) -> f64 {
        match self {
            OverPlies::Same(number) => *number,
            OverPlies::Points(points) => {
                let passed = points.iter().rev().find(|(from, _)| *from <= ply);
                passed.or(points.first()).map_or(0.0, |(_, number)| *number)
            }
        }
    }

    pub(super) fn problem(&self, range: Range) -> Option<String> {
        match self {
            OverPlies::Same(number) => range.problem(*number),
            OverPlies::Points(points) if points.is_empty() => {
                Some("give at least one ply".to_owned())
            }
            OverPlies::Points(points) if points.windows(2).any(|pair| pair[0].0 >= pair[1].0) => {
                Some("plies must be increasing".to_owned())
            }
            OverPlies::Points(points) => {
                points.iter().find_map(|(_, number)| range.problem(*number))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temperature_holds_from_its_ply_on() {
        let points = OverPlies::Points(vec![(1, 1.2), (4, 1.0), (20, 0.0)]);
        let at = [0, 1, 3, 4, 19, 20, 300].map(|ply| points.of(ply));
        assert_eq!(at, [1.2, 1.2, 1.2, 1.0, 1.0, 0.0, 0.0]);
        let wrong = OverPlies::Points(vec![(4, 1.0), (4, 0.5)]);
        assert_eq!(
            wrong.problem(Range::closed(0.0, 10.0)).as_deref(),
            Some("plies must be increasing")
        );
    }
}
