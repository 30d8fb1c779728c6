//! The random numbers of which Zobrist keys are made.

use crate::{Color, Square};

/// The kinds of pieces and then the empty square, whose numbers are 0: making a
/// move can then remove "the piece on the target" without asking if there is one.
const ROWS: usize = 8;

pub(crate) static PIECES: [[[u64; 64]; ROWS]; 2] = build_pieces();
pub(crate) static EN_PASSANT: [u64; 8] = build_en_passant();
/// One number for each set of files whose rooks may castle, for each side.
pub(crate) static CASTLING: [[u64; 256]; 2] = build_castling();
/// Part of the key when Black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = random(0x4000);

/// The number of a piece, given by the index of its kind, on a square.
#[inline(always)]
pub(crate) fn piece(color: Color, kind_index: u8, square: Square) -> u64 {
    PIECES[color.index()][(kind_index & 7) as usize][square.index()]
}

/// The `index`-th number of the SplitMix64 sequence.
const fn random(index: u64) -> u64 {
    const SEED: u64 = 0x7ab1_a5ee_d000_0000;
    let mut z = SEED.wrapping_add((index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn build_pieces() -> [[[u64; 64]; ROWS]; 2] {
    let mut table = [[[0; 64]; ROWS]; 2];
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < 6 {
            let mut square = 0;
            while square < 64 {
                table[color][kind][square] = random((color * 6 + kind) as u64 * 64 + square as u64);
                square += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    table
}

const fn build_en_passant() -> [u64; 8] {
    let mut table = [0; 8];
    let mut file = 0;
    while file < 8 {
        table[file] = random(0x1000 + file as u64);
        file += 1;
    }
    table
}

const fn build_castling() -> [[u64; 256]; 2] {
    let mut table = [[0; 256]; 2];
    let mut color = 0;
    while color < 2 {
        let mut files = 0;
        while files < 256 {
            let mut file = 0;
            while file < 8 {
                if files >> file & 1 == 1 {
                    table[color][files] ^= random(0x2000 + color as u64 * 8 + file);
                }
                file += 1;
            }
            files += 1;
        }
        color += 1;
    }
    table
}
