//! The rank of the played move among others.

use crate::functions::{exp, ln};

/// Sums over moves of how well they were predicted among some moves: all legal ones, or all moves
/// of the vocabulary.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Ranking {
    /// The cross-entropy of the move played.
    pub cross_entropy: f64,
    /// How often it was ranked first, and among the first three, five and ten.
    pub top: [f64; 4],
    /// The reciprocal of its rank.
    pub reciprocal_rank: f64,
}

impl Ranking {
    /// The ranking of the move at index `place`, by the logits of all moves.
    pub(super) fn of(logits: &[f32], place: usize) -> Ranking {
        let rank = rank_of(logits, place);
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = logits.iter().map(|logit| exp(logit - most)).sum();
        Ranking {
            cross_entropy: f64::from(most) + f64::from(ln(sum)) - f64::from(logits[place]),
            top: [1, 3, 5, 10].map(|first| f64::from(u8::from(rank <= f64::from(first)))),
            reciprocal_rank: 1.0 / rank,
        }
    }

    pub(super) fn and(&self, other: &Ranking) -> Ranking {
        let mut both = *self;
        both.cross_entropy += other.cross_entropy;
        both.reciprocal_rank += other.reciprocal_rank;
        for (sum, other) in both.top.iter_mut().zip(other.top) {
            *sum += other;
        }
        both
    }
}

/// The rank of a move by its logit, from 1. Equal logits share the mean of their ranks, so a
/// constant model gets no credit. NaN comes last.
fn rank_of(logits: &[f32], place: usize) -> f64 {
    let own = logits[place];
    if own.is_nan() {
        return logits.len() as f64;
    }
    let above = logits.iter().filter(|&&logit| logit > own).count();
    let equal = logits.iter().filter(|&&logit| logit == own).count();
    above as f64 + 0.5 * (equal + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_moves_share_the_middle_of_their_ranks() {
        let rank = |logits: &[f32]| rank_of(logits, 0);
        assert_eq!(rank(&[2.0, 1.0, 0.0]), 1.0);
        assert_eq!(rank(&[1.0, 2.0, 0.0]), 2.0);
        assert_eq!(rank(&[0.0; 20]), 10.5);
        assert_eq!(rank(&[0.0, 0.0, 5.0]), 2.5);
        assert_eq!(rank(&[f32::NAN, 0.0, f32::NAN]), 3.0);
        assert_eq!(rank(&[0.0, f32::NAN, f32::NAN]), 1.0);
    }

    #[test]
    fn a_model_that_says_nothing_hits_nothing() {
        let found = Ranking::of(&[0.0; 30], 0);
        assert_eq!(found.top, [0.0; 4]);
        assert!((found.cross_entropy - 30f64.ln()).abs() < 1e-5);
        assert_eq!(Ranking::of(&[3.0, 0.0], 0).top, [1.0; 4]);
    }
}
