//! A value for the opening and one for the endgame in one machine word.
//!
//! Adding packed pairs costs one addition instead of two, and an evaluation is
//! hundreds of additions. This module must not know what is evaluated.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// How many bits the half with the opening value has.
const HALF: u32 = 16;

/// The value of a term in the opening and in the endgame, in centipawns.
///
/// Each half must stay within 16 bits. Addition carries between the halves; reading
/// a half undoes the carry.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Score(i32);

impl Score {
    /// Zero in both stages.
    pub const ZERO: Score = Score(0);

    /// Packs the two values.
    #[inline(always)]
    pub const fn new(opening: i32, endgame: i32) -> Score {
        Score((endgame << HALF).wrapping_add(opening))
    }

    /// The value in the opening.
    #[inline(always)]
    pub const fn opening(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value in the endgame.
    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        self.0.wrapping_add(1 << (HALF - 1)) >> HALF
    }
}

impl Add for Score {
    type Output = Score;

    #[inline(always)]
    fn add(self, other: Score) -> Score {
        Score(self.0.wrapping_add(other.0))
    }
}

impl Sub for Score {
    type Output = Score;

    #[inline(always)]
    fn sub(self, other: Score) -> Score {
        Score(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline(always)]
    fn neg(self) -> Score {
        Score(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn mul(self, factor: i32) -> Score {
        Score(self.0.wrapping_mul(factor))
    }
}

impl AddAssign for Score {
    #[inline(always)]
    fn add_assign(&mut self, other: Score) {
        *self = *self + other;
    }
}

impl SubAssign for Score {
    #[inline(always)]
    fn sub_assign(&mut self, other: Score) {
        *self = *self - other;
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.opening(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for opening in [-9000, -1, 0, 1, 77, 9000] {
            for endgame in [-9000, -1, 0, 1, 77, 9000] {
                let score = Score::new(opening, endgame);
                assert_eq!((score.opening(), score.endgame()), (opening, endgame));
                let sum = score * -3 + Score::new(5, -6) - Score::new(-1, 2);
                assert_eq!(sum.opening(), -3 * opening + 6);
                assert_eq!(sum.endgame(), -3 * endgame - 8);
            }
        }
    }
}
