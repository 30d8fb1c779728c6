//! Tables that do not depend on the pieces: leapers' moves and straight lines.

use crate::{Bitboard, Color, Square};

const KNIGHT_STEPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
const KING_STEPS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

static KNIGHT: [Bitboard; 64] = steps_table(&KNIGHT_STEPS);
static KING: [Bitboard; 64] = steps_table(&KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [
    steps_table(&[(-1, 1), (1, 1)]),
    steps_table(&[(-1, -1), (1, -1)]),
];
static DIAGONAL: [Bitboard; 64] = lines_table(1, 1);
static ANTIDIAGONAL: [Bitboard; 64] = lines_table(1, -1);
static BETWEEN: [[Bitboard; 64]; 64] = pairs_table(true);
static LINE: [[Bitboard; 64]; 64] = pairs_table(false);

/// The squares a knight attacks.
#[inline(always)]
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a king attacks.
#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a pawn of `color` attacks.
#[inline(always)]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The whole diagonal (parallel to a1-h8) through a square.
#[inline(always)]
pub fn diagonal(square: Square) -> Bitboard {
    DIAGONAL[square.index()]
}

/// The whole antidiagonal (parallel to a8-h1) through a square.
#[inline(always)]
pub fn antidiagonal(square: Square) -> Bitboard {
    ANTIDIAGONAL[square.index()]
}

/// The squares strictly between two squares of one rank, file or diagonal; empty for others.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two different squares; empty if there is none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

const fn bit(square: Square) -> u64 {
    1 << square.index()
}

/// The squares reached from `from` by repeating one step up to the edge of the board.
const fn ray(from: Square, files: i8, ranks: i8) -> u64 {
    let mut squares = 0;
    let mut at = from.offset(files, ranks);
    while let Some(square) = at {
        squares |= bit(square);
        at = square.offset(files, ranks);
    }
    squares
}

const fn steps_table(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::from_index(index as u8);
        let mut step = 0;
        while step < steps.len() {
            if let Some(to) = from.offset(steps[step].0, steps[step].1) {
                table[index].0 |= bit(to);
            }
            step += 1;
        }
        index += 1;
    }
    table
}

const fn lines_table(files: i8, ranks: i8) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::from_index(index as u8);
        table[index].0 = ray(from, files, ranks) | bit(from) | ray(from, -files, -ranks);
        index += 1;
    }
    table
}

/// For each pair of squares on one line, the squares between them or the whole line.
const fn pairs_table(only_between: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::from_index(index as u8);
        let mut step = 0;
        while step < 8 {
            let (files, ranks) = KING_STEPS[step];
            let forth = ray(from, files, ranks);
            let back = ray(from, -files, -ranks);
            let mut at = from.offset(files, ranks);
            while let Some(to) = at {
                table[index][to.index()].0 = if only_between {
                    forth & ray(to, -files, -ranks)
                } else {
                    forth | bit(from) | back
                };
                at = to.offset(files, ranks);
            }
            step += 1;
        }
        index += 1;
    }
    table
}
