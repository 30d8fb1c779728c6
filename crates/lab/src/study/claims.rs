//! The rule by which matches decide claims, which was written before any of them was played.
//!
//! - The expected result of a match follows from the published score: above 50 per cent the first
//!   player is better, below it is worse. The settings may also expect `equal` or `nothing`.
//! - All matches with an expectation are one family. Their two-sided p-values under the hypothesis
//!   that the players are equally strong are adjusted by Holm's correction; an adjusted p-value
//!   below 0.05 counts as a difference.
//! - An expectation of better or worse is *reproduced* by a difference in that direction. It is
//!   *refuted* by one in the other direction, or if the whole interval lies below half of the
//!   published Elo. Otherwise it is *open*.
//! - An expectation of equal is reproduced if the interval lies within 20 Elo, and refuted by a
//!   difference.
//! - A claim with several matches is refuted if one of them is, and reproduced if all are.

use arena::statistics::{Estimate, Strength, elo_of_score};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Corrected p-values below this count as a difference.
pub(super) const SIGNIFICANCE: f64 = 0.05;
/// Elo within which players count as equal.
const EQUAL_WITHIN: f64 = 20.0;

/// What is expected of the first player of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// It is stronger.
    Better,
    /// It is weaker.
    Worse,
    /// Neither.
    Equal,
    /// It is only measured.
    Nothing,
}

/// The ruling on a match or a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ruling {
    /// The claim was reproduced.
    Reproduced,
    /// The claim was refuted.
    Refuted,
    /// The games do not decide it.
    Open,
    /// Nothing was expected.
    Measured,
    /// Its games were not played.
    Missing,
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Ruling::Reproduced => "reproduced",
            Ruling::Refuted => "refuted",
            Ruling::Open => "open",
            Ruling::Measured => "measured",
            Ruling::Missing => "not played",
        })
    }
}

/// The expected result of a match: as set, or by the published score.
pub(super) fn expectation(said: Option<Expectation>, published: Option<f64>) -> Expectation {
    said.unwrap_or(match published {
        Some(score) if score > 50.0 => Expectation::Better,
        Some(score) if score < 50.0 => Expectation::Worse,
        _ => Expectation::Nothing,
    })
}

/// The probability of a result at least as far from equality, if the players are equal.
pub(super) fn p_value(strength: &Strength) -> f64 {
    2.0 * strength.los.min(1.0 - strength.los)
}

/// Applies Holm's correction to the p-values of a family; missing values count as the largest.
pub(super) fn holm(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    let value = |index: usize| values[index].unwrap_or(1.0);
    order.sort_by(|&one, &other| value(one).total_cmp(&value(other)));
    let mut corrected = vec![None; values.len()];
    let mut highest: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        let left = (values.len() - rank) as f64;
        highest = highest.max((left * value(index)).min(1.0));
        corrected[index] = values[index].map(|_| highest);
    }
    corrected
}

/// The ruling on a match.
pub(super) fn rule(
    elo: &Estimate,
    corrected: f64,
    expected: Expectation,
    published: Option<f64>,
) -> Ruling {
    let differs = corrected < SIGNIFICANCE;
    let is_above = elo.value > 0.0;
    let half = published.map(|score| 0.5 * elo_of_score(score / 100.0));
    match expected {
        Expectation::Nothing => Ruling::Measured,
        Expectation::Equal if differs => Ruling::Refuted,
        Expectation::Equal if elo.lower > -EQUAL_WITHIN && elo.upper < EQUAL_WITHIN => {
            Ruling::Reproduced
        }
        Expectation::Equal => Ruling::Open,
        Expectation::Better if differs && is_above => Ruling::Reproduced,
        Expectation::Worse if differs && !is_above => Ruling::Reproduced,
        Expectation::Better | Expectation::Worse if differs => Ruling::Refuted,
        Expectation::Better if half.is_some_and(|half| elo.upper < half) => Ruling::Refuted,
        Expectation::Worse if half.is_some_and(|half| elo.lower > half) => Ruling::Refuted,
        Expectation::Better | Expectation::Worse => Ruling::Open,
    }
}

/// The ruling on several matches together.
pub(super) fn together(rulings: &[Ruling]) -> Ruling {
    let any = |wanted: Ruling| rulings.contains(&wanted);
    match () {
        () if any(Ruling::Refuted) => Ruling::Refuted,
        () if any(Ruling::Missing) => Ruling::Missing,
        () if any(Ruling::Open) => Ruling::Open,
        () if any(Ruling::Reproduced) => Ruling::Reproduced,
        () => Ruling::Measured,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::statistics::Pentanomial;

    #[test]
    fn holm_multiplies_by_what_is_left() {
        let corrected = holm(&[Some(0.01), Some(0.04), Some(0.03), Some(0.005)]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        for (found, expected) in corrected.iter().zip(expected) {
            assert!((found.expect("a value") - expected).abs() < 1e-12);
        }
        // A match that was not played yet counts as the largest p-value.
        assert_eq!(holm(&[Some(0.02), None]), [Some(0.04), None]);
        assert_eq!(holm(&[]), []);
    }

    fn strength(won: u64, lost: u64, even: u64) -> Strength {
        Strength::of(&Pentanomial {
            win_win: won,
            loss_loss: lost,
            draw_draw: even,
            ..Pentanomial::default()
        })
    }

    #[test]
    fn the_rule_knows_better_worse_and_equal() {
        use Expectation::{Better, Equal, Nothing, Worse};
        let clear = strength(300, 100, 100);
        let p = p_value(&clear);
        assert!(p < 1e-9);
        assert_eq!(rule(&clear.elo, p, Better, Some(65.0)), Ruling::Reproduced);
        assert_eq!(rule(&clear.elo, p, Worse, Some(40.0)), Ruling::Refuted);
        assert_eq!(rule(&clear.elo, p, Equal, None), Ruling::Refuted);
        assert_eq!(rule(&clear.elo, p, Nothing, None), Ruling::Measured);
        // There is no difference, although half of +112 Elo would have shown.
        let even = strength(200, 200, 1_600);
        let p = p_value(&even);
        assert_eq!(rule(&even.elo, p, Better, Some(65.5)), Ruling::Refuted);
        assert_eq!(rule(&even.elo, p, Better, Some(51.0)), Ruling::Open);
        assert_eq!(rule(&even.elo, p, Equal, None), Ruling::Reproduced);
        let few = strength(3, 2, 4);
        assert_eq!(rule(&few.elo, p_value(&few), Equal, None), Ruling::Open);
        assert_eq!(expectation(None, Some(33.8)), Worse);
        assert_eq!(expectation(Some(Equal), Some(33.8)), Equal);
        assert_eq!(expectation(None, None), Nothing);
    }

    #[test]
    fn one_refutation_is_enough() {
        use Ruling::{Measured, Missing, Open, Refuted, Reproduced};
        assert_eq!(together(&[Reproduced, Refuted, Missing]), Refuted);
        assert_eq!(together(&[Reproduced, Open]), Open);
        assert_eq!(together(&[Reproduced, Reproduced]), Reproduced);
        assert_eq!(together(&[Reproduced, Missing]), Missing);
        assert_eq!(together(&[Measured]), Measured);
    }
}
