//! Values inside a search, and scores in the form that people and protocols use.
//!
//! A value is in centipawns for the side to move. Values near the top of the scale are certain:
//! mates, counted in plies from the root, and below them tablebase wins.

use std::fmt;

/// The greatest ply that a search reaches.
pub const MAX_PLY: usize = 246;

/// Above every value.
pub const INFINITE: i32 = 32_001;
/// The value of a mate at the root.
pub const MATE: i32 = 32_000;
/// The lowest value of a mate.
pub const MATE_BOUND: i32 = MATE - MAX_PLY as i32;
/// The value of a tablebase win at the root.
pub const TABLEBASE_WIN: i32 = MATE_BOUND - 1;
/// The lowest value that means a certain win.
pub const WIN_BOUND: i32 = TABLEBASE_WIN - MAX_PLY as i32;
/// The value of a draw.
pub const DRAW: i32 = 0;
/// No value, where one may be missing.
pub const NONE: i32 = 32_002;

/// The value of being mated at this distance from the root.
#[inline(always)]
pub const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The value of mating at this distance from the root.
#[inline(always)]
pub const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

/// Whether a value means a certain win.
#[inline(always)]
pub const fn is_win(value: i32) -> bool {
    value >= WIN_BOUND
}

/// Whether a value means a certain loss.
#[inline(always)]
pub const fn is_loss(value: i32) -> bool {
    value <= -WIN_BOUND
}

/// Whether a value means a certain win or loss.
#[inline(always)]
pub const fn is_decisive(value: i32) -> bool {
    is_win(value) || is_loss(value)
}

/// Converts values to win, draw and loss probabilities; the one place for the constants of that.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinModel {
    /// The value in centipawns at which the probability of a win is one half.
    pub even_win: f64,
    /// The number of centipawns that multiplies the odds of a win by e.
    pub spread: f64,
}

impl WinModel {
    /// Fitted by `cargo run -p tabia-arena --example fit_win_model` to 24,796
    /// positions of 200 games in which Stockfish 15.1's net played with 12,000
    /// nodes a move. With 2,000 nodes it is 168 and 184, and 152 and 205 for the
    /// hand-written evaluation: both evaluations have one scale, and only the
    /// depth of the search makes values more certain.
    pub const FITTED: WinModel = WinModel {
        even_win: 136.0,
        spread: 99.0,
    };

    /// The win, draw and loss probabilities of a value.
    pub fn chances(self, value: f64) -> [f64; 3] {
        let win_of = |value: f64| 1.0 / (1.0 + ((self.even_win - value) / self.spread).exp());
        let (win, loss) = (win_of(value), win_of(-value));
        [win, 1.0 - win - loss, loss]
    }
}

/// The win, draw and loss probabilities of a value, in thousandths.
pub fn win_draw_loss(value: i32) -> [u32; 3] {
    if is_decisive(value) {
        return if value > 0 {
            [1000, 0, 0]
        } else {
            [0, 0, 1000]
        };
    }
    let [win, _, loss] = WinModel::FITTED
        .chances(f64::from(value))
        .map(|chance| (1000.0 * chance) as u32);
    [win, 1000 - win - loss, loss]
}

/// Expected results beyond this many centipawns are not distinguished.
const MOST_CENTIPAWNS: f64 = 10_000.0;

/// The centipawns for which [`WinModel`] has this expected result, so that both searches use the
/// same scale.
pub fn centipawns(value: f32) -> i32 {
    let expectation = |centipawns: f64| {
        let [win, _, loss] = WinModel::FITTED.chances(centipawns);
        win - loss
    };
    let wanted = f64::from(value.abs());
    let (mut low, mut high) = (0.0, MOST_CENTIPAWNS);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if expectation(middle) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    let centipawns = high.round() as i32;
    if value < 0.0 { -centipawns } else { centipawns }
}

/// A score for a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns for the side to move.
    Centipawns(i32),
    /// Moves to mate; negative if the side to move is mated.
    Mate(i32),
}

impl Score {
    /// The score of a value at the root.
    pub fn of(value: i32) -> Score {
        if value >= MATE_BOUND {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_BOUND {
            Score::Mate(-(MATE + value) / 2)
        } else {
            Score::Centipawns(value)
        }
    }
}

/// In UCI notation: `cp 31` or `mate -2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(value) => write!(f, "cp {value}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_follow_the_value() {
        let model = WinModel::FITTED;
        let [win, draw, loss] = model.chances(model.even_win);
        assert!((win - 0.5).abs() < 1e-9 && draw > loss && draw > 0.0);
        let mut last = 0;
        for value in (-20_000..20_000).step_by(37) {
            let chances = win_draw_loss(value);
            assert_eq!(chances.iter().sum::<u32>(), 1000);
            let mut turned = win_draw_loss(-value);
            turned.reverse();
            assert_eq!(turned, chances);
            assert!(chances[0] >= last);
            last = chances[0];
        }
        assert_eq!(win_draw_loss(mate_in(3)), [1000, 0, 0]);
    }

    #[test]
    fn expected_results_become_centipawns() {
        assert_eq!(centipawns(0.0), 0);
        for value in [1, 25, 136, 500] {
            let [win, _, loss] = WinModel::FITTED.chances(f64::from(value));
            let found = centipawns((win - loss) as f32);
            assert!((found - value).abs() <= 1, "{found}, not {value}");
            assert_eq!(centipawns((loss - win) as f32), -found);
        }
        let most = centipawns(1.0);
        assert!(most > 1_000, "{most}");
        assert_eq!(centipawns(-1.0), -most);
    }

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::of(mate_in(1)), Score::Mate(1));
        assert_eq!(Score::of(mate_in(3)), Score::Mate(2));
        assert_eq!(Score::of(mated_in(2)), Score::Mate(-1));
        assert_eq!(Score::of(mated_in(0)), Score::Mate(0));
        assert_eq!(Score::of(-31), Score::Centipawns(-31));
        assert_eq!(Score::of(TABLEBASE_WIN), Score::Centipawns(TABLEBASE_WIN));
    }
}
