//! Attacks of one rook or bishop by table look-up.
//!
//! The relevant occupied squares give the index of a table entry: with the PEXT
//! instruction where the build has it, with a magic multiplication elsewhere.
//! Only the index differs, so one function builds either table at compile time.

// The tables take the compiler a second or two to fill.
#![allow(long_running_const_eval)]

use crate::{Bitboard, Square};

#[cfg(not(target_feature = "bmi2"))]
mod magics;

/// Where the entries of a square start, and which occupied squares select among them.
#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    offset: u32,
    #[cfg(not(target_feature = "bmi2"))]
    magic: u64,
}

const ROOK_SIZE: usize = 102_400;
const BISHOP_SIZE: usize = 5_248;

static ROOK: ([Entry; 64], [u64; ROOK_SIZE]) = build_table(true);
static BISHOP: ([Entry; 64], [u64; BISHOP_SIZE]) = build_table(false);

/// The squares a rook attacks when `occupied` squares stop it.
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let entry = &ROOK.0[square.index()];
    // SAFETY: the builder filled the table for every subset of every mask, so
    // any index that `entry_index` can give lies inside it.
    Bitboard(unsafe { *ROOK.1.get_unchecked(entry_index(entry, occupied.0)) })
}

/// The squares a bishop attacks when `occupied` squares stop it.
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let entry = &BISHOP.0[square.index()];
    // SAFETY: as for the rook.
    Bitboard(unsafe { *BISHOP.1.get_unchecked(entry_index(entry, occupied.0)) })
}

/// The squares a queen attacks when `occupied` squares stop it.
#[inline(always)]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

#[cfg(target_feature = "bmi2")]
#[inline(always)]
fn entry_index(entry: &Entry, occupied: u64) -> usize {
    // SAFETY: this function exists only where the build has BMI2.
    let packed = unsafe { std::arch::x86_64::_pext_u64(occupied, entry.mask) };
    entry.offset as usize + packed as usize
}

#[cfg(not(target_feature = "bmi2"))]
#[inline(always)]
const fn entry_index(entry: &Entry, occupied: u64) -> usize {
    let packed =
        (occupied & entry.mask).wrapping_mul(entry.magic) >> (64 - entry.mask.count_ones());
    entry.offset as usize + packed as usize
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const RANK_1: u64 = 0xff;
const RANK_8: u64 = RANK_1 << 56;

/// The two lines through a square along which the piece moves, without the square itself.
const fn lines(square: u32, is_rook: bool) -> [u64; 2] {
    let bit = 1u64 << square;
    let (file, rank) = (square & 7, square >> 3);
    if is_rook {
        [FILE_A << file & !bit, RANK_1 << (rank * 8) & !bit]
    } else {
        let from = Square::from_index(square as u8);
        [diagonal_through(from, 1), diagonal_through(from, -1)]
    }
}

const fn diagonal_through(from: Square, ranks: i8) -> u64 {
    let mut squares = 0;
    let mut step = -7;
    while step <= 7 {
        if step != 0
            && let Some(to) = from.offset(step, step * ranks)
        {
            squares |= 1 << to.index();
        }
        step += 1;
    }
    squares
}

/// The squares whose occupation matters: those on the lines, except at the far edges.
const fn relevant(square: u32, is_rook: bool) -> u64 {
    let (file, rank) = (square & 7, square >> 3);
    let edges =
        ((FILE_A | FILE_H) & !(FILE_A << file)) | ((RANK_1 | RANK_8) & !(RANK_1 << (rank * 8)));
    let lines = lines(square, is_rook);
    (lines[0] | lines[1]) & !edges
}

/// Attacks in both directions of one line, by subtraction from the blockers: the
/// borrow runs from the piece to the first blocker and flips every bit on its way.
const fn along(line: u64, square: u32, occupied: u64) -> u64 {
    let bit = 1u64 << square;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(bit << 1);
    let down = blockers
        .reverse_bits()
        .wrapping_sub(bit.reverse_bits() << 1)
        .reverse_bits();
    (up ^ down) & line
}

/// Fills the table by walking through every subset of every mask once.
const fn build_table<const SIZE: usize>(is_rook: bool) -> ([Entry; 64], [u64; SIZE]) {
    let mut entries = [Entry {
        mask: 0,
        offset: 0,
        #[cfg(not(target_feature = "bmi2"))]
        magic: 0,
    }; 64];
    let mut table = [0; SIZE];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        let mask = relevant(square, is_rook);
        let entry = Entry {
            mask,
            offset,
            #[cfg(not(target_feature = "bmi2"))]
            magic: if is_rook {
                magics::ROOK[square as usize]
            } else {
                magics::BISHOP[square as usize]
            },
        };
        let lines = lines(square, is_rook);
        // Subtracting the mask (carry-rippler) visits the subsets in PEXT's order.
        let mut subset = 0u64;
        let mut order = 0;
        loop {
            let attacks = along(lines[0], square, subset) | along(lines[1], square, subset);
            table[builder_index(&entry, subset, order)] = attacks;
            order += 1;
            subset = subset.wrapping_sub(mask) & mask;
            if subset == 0 {
                break;
            }
        }
        entries[square as usize] = entry;
        offset += 1 << mask.count_ones();
        square += 1;
    }
    (entries, table)
}

#[cfg(target_feature = "bmi2")]
const fn builder_index(entry: &Entry, _subset: u64, order: usize) -> usize {
    entry.offset as usize + order
}

#[cfg(not(target_feature = "bmi2"))]
const fn builder_index(entry: &Entry, subset: u64, _order: usize) -> usize {
    entry_index(entry, subset)
}
