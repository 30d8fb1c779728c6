//! The probability of each player to be the strongest, from the joint fit.
//!
//! Ratings are drawn many times from their normal distribution, with its covariance, and the
//! leaders are counted: there is no formula for more than a few players. The seed is fixed, so that
//! the same fit gives the same probabilities.

use arena::ratings::JointRatings;
use data::random::{self, Generator};
use std::f64::consts::TAU;

/// With this many draws, the standard error of a probability of one half is a quarter of a percent;
/// that of others is smaller.
const DRAWS: usize = 40_000;

/// The distribution of the ratings of some players.
pub(super) struct Worlds {
    ratings: Vec<f64>,
    /// The Cholesky factor of the covariance.
    triangle: Vec<Vec<f64>>,
}

impl Worlds {
    /// The ratings of some players, by their indices in the fit.
    pub(super) fn new(joint: &JointRatings, players: &[usize]) -> Worlds {
        let covariance = |row: usize, column: usize| {
            let (one, other) = (players[row], players[column]);
            joint.covariance[one][other]
        };
        Worlds {
            ratings: players
                .iter()
                .map(|&player| joint.ratings[player])
                .collect(),
            triangle: triangle(players.len(), &covariance),
        }
    }

    /// Draws ratings; returns the leader.
    fn draw(&self, generator: &mut Generator) -> usize {
        let count = self.ratings.len();
        let normal: Vec<f64> = (0..count).map(|_| standard_normal(generator)).collect();
        let rating = |player: usize| {
            let row = &self.triangle[player];
            let noise: f64 = row.iter().zip(&normal).map(|(part, z)| part * z).sum();
            self.ratings[player] + noise
        };
        let mut best = (0, f64::NEG_INFINITY);
        for player in 0..count {
            let rating = rating(player);
            if rating > best.1 {
                best = (player, rating);
            }
        }
        best.0
    }

    /// The probability of each player to lead.
    pub(super) fn chances(&self, seed: u64) -> Vec<f64> {
        let mut generator = random::generator(seed, 0);
        let mut counts = vec![0_u32; self.ratings.len()];
        if counts.is_empty() {
            return Vec::new();
        }
        for _ in 0..DRAWS {
            counts[self.draw(&mut generator)] += 1;
        }
        let share = |count: u32| f64::from(count) / DRAWS as f64;
        counts.into_iter().map(share).collect()
    }

    /// Two players who may each be the best: the leaders of two draws, repeated until they differ.
    pub(super) fn rivals(&self, generator: &mut Generator) -> (usize, usize) {
        const MOST_DRAWS: usize = 1_000;
        let first = self.draw(generator);
        let others = (0..MOST_DRAWS).map(|_| self.draw(generator));
        let second = { others }.find(|&other| other != first);
        (first, second.unwrap_or_else(|| self.runner_up(first)))
    }

    /// The highest rated player apart from `first`.
    fn runner_up(&self, first: usize) -> usize {
        let others = (0..self.ratings.len()).filter(|&player| player != first);
        let best = others.max_by(|&one, &other| self.ratings[one].total_cmp(&self.ratings[other]));
        best.unwrap_or(first)
    }
}

/// The Cholesky factor of a covariance that may be singular, because of fixed ratings.
fn triangle(size: usize, covariance: &dyn Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(size);
    for row in 0..size {
        let mut entries = vec![0.0; row + 1];
        for column in 0..=row {
            let above = match column == row {
                true => &entries,
                false => &rows[column],
            };
            let known: f64 = (0..column).map(|index| entries[index] * above[index]).sum();
            let rest = covariance(row, column) - known;
            entries[column] = match (column == row, rows.get(column).map(|row| row[column])) {
                (true, _) => rest.max(0.0).sqrt(),
                (false, Some(pivot)) if pivot > 1e-9 => rest / pivot,
                (false, _) => 0.0,
            };
        }
        rows.push(entries);
    }
    rows
}

/// A standard normal number, by the Box-Muller method.
fn standard_normal(generator: &mut Generator) -> f64 {
    const FRACTIONS: u64 = 1 << 53;
    let mut uniform = || random::below_fast(generator, FRACTIONS) as f64 / FRACTIONS as f64;
    let (radius, angle) = (1.0 - uniform(), uniform());
    (-2.0 * radius.ln()).sqrt() * (TAU * angle).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(ratings: &[f64], covariance: &[&[f64]]) -> JointRatings {
        JointRatings {
            ratings: ratings.to_vec(),
            covariance: covariance.iter().map(|row| row.to_vec()).collect(),
        }
    }

    fn chances(ratings: &[f64], covariance: &[&[f64]]) -> Vec<f64> {
        let players: Vec<usize> = (0..ratings.len()).collect();
        Worlds::new(&joint(ratings, covariance), &players).chances(1)
    }

    fn assert_near(found: &[f64], expected: &[f64]) {
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        for (found, expected) in found.iter().zip(expected) {
            // Four standard errors of a share of all draws.
            assert!((found - expected).abs() < 0.01, "{found} {expected}");
        }
    }

    #[test]
    fn two_players_are_a_normal_distribution() {
        // The difference is 10, with a standard deviation of 10, and of 20.
        let independent: &[&[f64]] = &[&[50.0, 0.0], &[0.0, 50.0]];
        assert_near(&chances(&[10.0, 0.0], independent), &[0.841_34, 0.158_66]);
        let against: &[&[f64]] = &[&[100.0, -100.0], &[-100.0, 100.0]];
        assert_near(&chances(&[10.0, 0.0], against), &[0.691_46, 0.308_54]);
        // What both have in common does not matter: 10 with a standard deviation of 5.
        let together: &[&[f64]] = &[&[1012.5, 1000.0], &[1000.0, 1012.5]];
        assert_near(&chances(&[10.0, 0.0], together), &[0.977_25, 0.022_75]);
    }

    #[test]
    fn equals_share_the_chance() {
        let covariance: &[&[f64]] = &[&[9.0, 0.0, 0.0], &[0.0, 9.0, 0.0], &[0.0, 0.0, 9.0]];
        assert_near(&chances(&[5.0; 3], covariance), &[1.0 / 3.0; 3]);
        // One rating is known exactly: it leads if the two others, which are independent, are
        // lower.
        let covariance: &[&[f64]] = &[&[0.0, 0.0, 0.0], &[0.0, 9.0, 0.0], &[0.0, 0.0, 9.0]];
        assert_near(&chances(&[5.0; 3], covariance), &[0.25, 0.375, 0.375]);
    }

    #[test]
    fn players_are_those_who_were_named() {
        let covariance: &[&[f64]] = &[&[50.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 50.0]];
        let joint = joint(&[10.0, 999.0, 0.0], covariance);
        let found = Worlds::new(&joint, &[2, 0]).chances(1);
        assert_near(&found, &[0.158_66, 0.841_34]);
        assert!(Worlds::new(&joint, &[]).chances(1).is_empty());
        assert_eq!(Worlds::new(&joint, &[1]).chances(1), [1.0]);
    }

    #[test]
    fn rivals_are_those_who_may_lead() {
        let rows: Vec<Vec<f64>> = (0..4)
            .map(|row| {
                (0..4)
                    .map(|column| if row == column { 25.0 } else { 0.0 })
                    .collect()
            })
            .collect();
        let joint = JointRatings {
            ratings: vec![10.0, -100.0, 8.0, 3.0],
            covariance: rows,
        };
        let worlds = Worlds::new(&joint, &[0, 1, 2, 3]);
        let mut generator = random::generator(3, 0);
        let mut counts = [[0_u32; 4]; 4];
        for _ in 0..2_000 {
            let (first, second) = worlds.rivals(&mut generator);
            counts[first.min(second)][first.max(second)] += 1;
        }
        assert!(counts[0][2] > 2 * counts[0][3], "{counts:?}");
        assert!(counts[0][3] > 100 && counts[2][3] > 100, "{counts:?}");
        let hopeless: u32 = counts[0][1] + counts[1].iter().sum::<u32>();
        assert_eq!(hopeless, 0, "{counts:?}");
        // If no other player can lead, the next one is the rival.
        let sure = Worlds {
            ratings: vec![0.0, 2.0, 1.0],
            triangle: vec![vec![0.0], vec![0.0; 2], vec![0.0; 3]],
        };
        assert_eq!(sure.rivals(&mut generator), (1, 2));
    }
}
