//! Attacks of many pieces at once.
//!
//! With AVX-512 the eight directions of the sliders are the eight lanes of one
//! register, so all rays of a side cost about as much as one look-up and take
//! no branch. Without it the pieces are looked up one by one. A build for
//! AVX-512 decides this at compile time, any other when it runs.

use crate::attacks::{bishop_attacks, rook_attacks};
use crate::{Bitboard, Color, File};

const NOT_A: u64 = !Bitboard::file(File::A).0;
const NOT_H: u64 = !Bitboard::file(File::H).0;
const NOT_AB: u64 = NOT_A & NOT_A << 1;
const NOT_GH: u64 = NOT_H & NOT_H >> 1;

/// Every square that any of these pawns of `color` attacks.
#[inline(always)]
pub fn pawn_attacks_of_all(pawns: Bitboard, color: Color) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.west() | ahead.east()
}

/// Every square that any of these knights attacks.
#[inline(always)]
pub fn knight_attacks_of_all(knights: Bitboard) -> Bitboard {
    let set = knights.0;
    let one = (set & NOT_A) >> 1 | (set & NOT_H) << 1;
    let two = (set & NOT_AB) >> 2 | (set & NOT_GH) << 2;
    Bitboard(one << 16 | one >> 16 | two << 8 | two >> 8)
}

/// Every square that any of these sliders attacks, including the first blockers.
///
/// `straight` are the rooks and queens, `diagonal` the bishops and queens.
#[inline(always)]
pub fn slider_attacks_of_all(
    straight: Bitboard,
    diagonal: Bitboard,
    occupied: Bitboard,
) -> Bitboard {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the machine has AVX-512F.
        return unsafe { avx512::slider_attacks(straight, diagonal, occupied) };
    }
    one_by_one(straight, diagonal, occupied)
}

#[inline]
fn one_by_one(straight: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
    let mut attacked = Bitboard::EMPTY;
    for square in straight {
        attacked |= rook_attacks(square, occupied);
    }
    for square in diagonal {
        attacked |= bishop_attacks(square, occupied);
    }
    attacked
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use crate::{Bitboard, File, Rank};
    use std::arch::x86_64::{
        __m512i, _mm512_and_si512, _mm512_loadu_si512, _mm512_mask_blend_epi64,
        _mm512_reduce_or_epi64, _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_ternarylogic_epi64,
    };

    /// By how many bits each direction rotates a bitboard left: north, north-east, on clockwise.
    static STEPS: [u64; 8] = [8, 9, 1, 57, 56, 55, 63, 7];

    /// For each direction, the squares that one step can reach without leaving the board.
    static REACHABLE: [u64; 8] = {
        let not_a = !Bitboard::file(File::A).0;
        let not_h = !Bitboard::file(File::H).0;
        let not_first = !Bitboard::rank(Rank::First).0;
        let not_eighth = !Bitboard::rank(Rank::Eighth).0;
        [
            not_first,
            not_first & not_a,
            not_a,
            not_a & not_eighth,
            not_eighth,
            not_eighth & not_h,
            not_h,
            not_h & not_first,
        ]
    };

    /// The lanes of the diagonal directions.
    const DIAGONAL_LANES: u8 = 0b1010_1010;

    /// `a | (b & c)` as a truth table for the three-way logic instruction.
    const OR_AND: i32 = 0b1111_1000;

    /// All rays of all sliders: a parallel-prefix (Kogge-Stone) fill, one lane per direction.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn slider_attacks(
        straight: Bitboard,
        diagonal: Bitboard,
        occupied: Bitboard,
    ) -> Bitboard {
        let sliders = _mm512_mask_blend_epi64(
            DIAGONAL_LANES,
            _mm512_set1_epi64(straight.0 as i64),
            _mm512_set1_epi64(diagonal.0 as i64),
        );
        let rays = fill(sliders, occupied);
        Bitboard(_mm512_reduce_or_epi64(rays) as u64)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn fill(sliders: __m512i, occupied: Bitboard) -> __m512i {
        let one = load(&STEPS);
        let reachable = load(&REACHABLE);
        let mut open = _mm512_and_si512(_mm512_set1_epi64(!occupied.0 as i64), reachable);
        let mut filled = sliders;
        // Twice the step each time: one, two, then four squares.
        let mut step = one;
        for _ in 0..2 {
            let moved = _mm512_rolv_epi64(filled, step);
            filled = _mm512_ternarylogic_epi64::<OR_AND>(filled, open, moved);
            open = _mm512_and_si512(open, _mm512_rolv_epi64(open, step));
            step = double(step);
        }
        let moved = _mm512_rolv_epi64(filled, step);
        filled = _mm512_ternarylogic_epi64::<OR_AND>(filled, open, moved);
        _mm512_and_si512(_mm512_rolv_epi64(filled, one), reachable)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn double(step: __m512i) -> __m512i {
        std::arch::x86_64::_mm512_add_epi64(step, step)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn load(lanes: &[u64; 8]) -> __m512i {
        // SAFETY: the reference covers the 64 bytes that are read.
        unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a machine with AVX-512 no other test runs the portable code.
    #[test]
    fn both_ways_attack_the_same_squares() {
        let mut state = 1u64;
        let mut few = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            Bitboard(state & state.rotate_left(21) & state.rotate_left(42))
        };
        for _ in 0..10_000 {
            let (straight, diagonal) = (few(), few());
            let occupied = few() | few() | straight | diagonal;
            assert_eq!(
                slider_attacks_of_all(straight, diagonal, occupied),
                one_by_one(straight, diagonal, occupied)
            );
        }
    }
}
