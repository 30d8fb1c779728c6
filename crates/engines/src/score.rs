//! Values inside a search, and scores as people and protocols read them.
//!
//! A value is in centipawns for the side to move. Values near the top of the
//! scale are proofs: mates, counted in plies from the root, and tablebase wins
//! below them.

use std::fmt;

/// The deepest line that a search follows.
pub const MAX_PLY: usize = 246;

/// Above every value.
pub const INFINITE: i32 = 32_001;
/// The value of mating now.
pub const MATE: i32 = 32_000;
/// The lowest value that is a mate.
pub const MATE_BOUND: i32 = MATE - MAX_PLY as i32;
/// The value of a tablebase win at the root.
pub const TABLEBASE_WIN: i32 = MATE_BOUND - 1;
/// The lowest value that is a proof of a win.
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

/// Whether a value is a proof of a win.
#[inline(always)]
pub const fn is_win(value: i32) -> bool {
    value >= WIN_BOUND
}

/// Whether a value is a proof of a loss.
#[inline(always)]
pub const fn is_loss(value: i32) -> bool {
    value <= -WIN_BOUND
}

/// Whether a value is a proof of a win or a loss.
#[inline(always)]
pub const fn is_decisive(value: i32) -> bool {
    is_win(value) || is_loss(value)
}

/// The value at which a win is as likely as not, in centipawns.
const EVEN_WIN: f64 = 130.0;
/// How many centipawns change the odds of a win by the factor e.
const WIN_SPREAD: f64 = 75.0;

/// The chances of win, draw and loss of a value, in thousandths.
pub fn win_draw_loss(value: i32) -> [u32; 3] {
    if is_decisive(value) {
        return if value > 0 {
            [1000, 0, 0]
        } else {
            [0, 0, 1000]
        };
    }
    let win_of = |value: f64| (1000.0 / (1.0 + ((EVEN_WIN - value) / WIN_SPREAD).exp())) as u32;
    let win = win_of(f64::from(value));
    let loss = win_of(-f64::from(value));
    [win, 1000 - win - loss, loss]
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

/// As UCI writes it: `cp 31` or `mate -2`.
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
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::of(mate_in(1)), Score::Mate(1));
        assert_eq!(Score::of(mate_in(3)), Score::Mate(2));
        assert_eq!(Score::of(mated_in(2)), Score::Mate(-1));
        assert_eq!(Score::of(mated_in(0)), Score::Mate(0));
        assert_eq!(Score::of(-31), Score::Centipawns(-31));
        assert_eq!(Score::of(TABLEBASE_WIN), Score::Centipawns(TABLEBASE_WIN));
    }
}
