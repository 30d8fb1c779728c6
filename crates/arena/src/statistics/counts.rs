//! The counts of a match: results of games, and of pairs of games.
//!
//! All counts are from the point of view of one player. Nothing here knows Elo.

use super::histogram::Histogram;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Counts of scores.
pub trait Counts {
    /// The counts, by score.
    fn histogram(&self) -> Histogram;
}

/// Games by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trinomial {
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won.
    pub wins: u64,
}

/// Pairs of games with the same opening and swapped colours, by the results of both games in either
/// order.
///
/// A pair is one observation: its games share an opening that may favour one side, so their results
/// are correlated, and only the variance of pairs is unbiased.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pentanomial {
    /// Both lost.
    pub loss_loss: u64,
    /// One lost, one drawn.
    pub loss_draw: u64,
    /// Both drawn.
    pub draw_draw: u64,
    /// One won, one lost.
    pub win_loss: u64,
    /// One won, one drawn.
    pub win_draw: u64,
    /// Both won.
    pub win_win: u64,
}

impl Trinomial {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.losses + self.draws + self.wins
    }

    /// The same games from the other player's point of view.
    pub fn turned(&self) -> Trinomial {
        Trinomial {
            losses: self.wins,
            draws: self.draws,
            wins: self.losses,
        }
    }

    /// The share of the points; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let points = self.wins as f64 + 0.5 * self.draws as f64;
        (self.games() > 0).then(|| points / self.games() as f64)
    }

    /// The draw rate; `None` without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        ratio(self.draws, self.games()).filter(|_| self.games() > 0)
    }
}

impl Pentanomial {
    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.five().iter().sum()
    }

    /// The pairs by points, from none to two, as testing frameworks list them: LL, LD, WL and DD
    /// together, WD, WW.
    pub fn five(&self) -> [u64; 5] {
        [
            self.loss_loss,
            self.loss_draw,
            self.draw_draw + self.win_loss,
            self.win_draw,
            self.win_win,
        ]
    }

    /// The results of the single games.
    pub fn games(&self) -> Trinomial {
        Trinomial {
            losses: 2 * self.loss_loss + self.loss_draw + self.win_loss,
            draws: 2 * self.draw_draw + self.loss_draw + self.win_draw,
            wins: 2 * self.win_win + self.win_draw + self.win_loss,
        }
    }

    /// The ratio of pairs with one win each to pairs with two draws; a large number means openings
    /// that decide games. `None` if there are neither.
    pub fn win_loss_to_draw_draw(&self) -> Option<f64> {
        ratio(self.win_loss, self.draw_draw)
    }
}

/// The share of balanced pairs, from the counts of [`Pentanomial::five`]; `None` without pairs.
pub fn pair_draw_ratio(five: [u64; 5]) -> Option<f64> {
    let pairs = five.iter().sum();
    ratio(five[2], pairs).filter(|_| pairs > 0)
}

/// The ratio of pairs won to pairs lost, from the counts of [`Pentanomial::five`]; `None` if there
/// are neither.
pub fn pairs_ratio(five: [u64; 5]) -> Option<f64> {
    ratio(five[3] + five[4], five[0] + five[1])
}

/// The quotient, infinite if only the divisor is zero; `None` if both are.
fn ratio(dividend: u64, divisor: u64) -> Option<f64> {
    (dividend > 0 || divisor > 0).then(|| dividend as f64 / divisor as f64)
}

impl Counts for Trinomial {
    fn histogram(&self) -> Histogram {
        Histogram::of_games([self.losses, self.draws, self.wins])
    }
}

impl Counts for Pentanomial {
    fn histogram(&self) -> Histogram {
        Histogram::of_pairs(self.five())
    }
}

impl AddAssign for Trinomial {
    fn add_assign(&mut self, other: Self) {
        self.losses += other.losses;
        self.draws += other.draws;
        self.wins += other.wins;
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        self.loss_loss += other.loss_loss;
        self.loss_draw += other.loss_draw;
        self.draw_draw += other.draw_draw;
        self.win_loss += other.win_loss;
        self.win_draw += other.win_draw;
        self.win_win += other.win_win;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: Pentanomial = Pentanomial {
        loss_loss: 1,
        loss_draw: 2,
        draw_draw: 4,
        win_loss: 8,
        win_draw: 16,
        win_win: 32,
    };

    #[test]
    fn pairs_are_counted_as_pairs_and_as_games() {
        assert_eq!(PAIRS.pairs(), 63);
        assert_eq!(PAIRS.five(), [1, 2, 12, 16, 32]);
        let games = PAIRS.games();
        assert_eq!((games.losses, games.draws, games.wins), (12, 26, 88));
        assert_eq!(games.games(), 2 * PAIRS.pairs());
        assert_eq!(games.draw_ratio(), Some(26.0 / 126.0));
        assert_eq!(games.score(), Some(101.0 / 126.0));
        assert_eq!(games.turned().score(), Some(25.0 / 126.0));
    }

    #[test]
    fn ratios_of_pairs() {
        assert_eq!(pair_draw_ratio(PAIRS.five()), Some(12.0 / 63.0));
        assert_eq!(pairs_ratio(PAIRS.five()), Some(16.0));
        assert_eq!(PAIRS.win_loss_to_draw_draw(), Some(2.0));
    }

    #[test]
    fn ratios_of_nothing_are_none_and_of_one_side_infinite() {
        assert_eq!(Trinomial::default().draw_ratio(), None);
        assert_eq!(Trinomial::default().score(), None);
        assert_eq!(pair_draw_ratio([0; 5]), None);
        assert_eq!(pair_draw_ratio([1, 0, 0, 0, 0]), Some(0.0));
        assert_eq!(pairs_ratio([0, 0, 9, 0, 0]), None);
        assert_eq!(pairs_ratio([0, 0, 9, 1, 0]), Some(f64::INFINITY));
    }

    #[test]
    fn counts_add_up() {
        let mut sum = PAIRS;
        sum += PAIRS;
        assert_eq!(sum.five(), PAIRS.five().map(|count| 2 * count));
        let mut games = PAIRS.games();
        games += PAIRS.games();
        assert_eq!(games, sum.games());
    }

    #[test]
    fn counts_are_kept_in_json() {
        let text = serde_json::to_string(&PAIRS).expect("JSON");
        assert_eq!(
            text,
            r#"{"loss_loss":1,"loss_draw":2,"draw_draw":4,"win_loss":8,"win_draw":16,"win_win":32}"#
        );
        let read: Pentanomial = serde_json::from_str(&text).expect("the same");
        assert_eq!(read, PAIRS);
    }
}
