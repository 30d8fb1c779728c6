//! The share of solved positions by rating band.

use super::Outcome;
use super::judge::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// The width of a band.
const WIDTH: u16 = 200;
/// The quantile of the 95 % confidence interval.
const DEVIATIONS: f64 = 1.959_964;

/// Positions of similar ratings.
#[derive(Serialize)]
pub(super) struct Band {
    /// The lowest rating of the band.
    from: u16,
    /// The lowest rating above the band.
    to: u16,
    positions: usize,
    solved: usize,
    /// The share that was solved, and its 95 % confidence interval by Wilson's method.
    share: f64,
    interval: [f64; 2],
}

/// All bands that contain positions; empty if no position has a rating.
pub(super) fn by_rating(outcomes: &[Outcome]) -> Vec<Band> {
    let mut counts = BTreeMap::<u16, [usize; 2]>::new();
    for outcome in outcomes {
        if let Some(rating) = outcome.rating {
            let [positions, solved] = counts.entry(rating / WIDTH).or_default();
            *positions += 1;
            *solved += usize::from(outcome.verdict == Verdict::Solved);
        }
    }
    let bands = counts.into_iter().map(|(band, [positions, solved])| Band {
        from: band * WIDTH,
        to: (band + 1).saturating_mul(WIDTH),
        positions,
        solved,
        share: solved as f64 / positions as f64,
        interval: wilson(solved, positions),
    });
    bands.collect()
}

/// The Wilson interval of `count` successes of `of`, which must be at least one.
fn wilson(count: usize, of: usize) -> [f64; 2] {
    let of = of as f64;
    let share = count as f64 / of;
    let square = DEVIATIONS * DEVIATIONS;
    let center = share + square / (2.0 * of);
    let margin = DEVIATIONS * (share * (1.0 - share) / of + square / (4.0 * of * of)).sqrt();
    let ends = [center - margin, center + margin];
    ends.map(|end| (end / (1.0 + square / of)).clamp(0.0, 1.0))
}

impl fmt::Display for Band {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| 100.0 * share;
        let [low, high] = self.interval.map(percent);
        write!(
            f,
            "{:4} to {:4}  {:5} of {:5} solved, {:5.1} % [{low:.1}, {high:.1}]",
            self.from,
            self.to - 1,
            self.solved,
            self.positions,
            percent(self.share),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_tables() {
        let near = |found: [f64; 2], wanted: [f64; 2]| {
            let is_near = |at: usize| (found[at] - wanted[at]).abs() < 1e-3;
            assert!(is_near(0) && is_near(1), "{found:?}");
        };
        near(wilson(5, 10), [0.2366, 0.7634]);
        near(wilson(0, 10), [0.0, 0.2775]);
        near(wilson(10, 10), [0.7225, 1.0]);
    }
}
