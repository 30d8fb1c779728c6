//! A table of all reversible moves by the change they make to a key.
//!
//! Two positions whose keys differ by a value in this table are one move of a
//! piece apart. The table is a cuckoo hash: each entry lies in one of two places,
//! so a look-up takes two comparisons.

use crate::attacks::{self, between};
use crate::zobrist;
use crate::{Bitboard, Board, Color, PieceKind, Square};
use std::sync::LazyLock;

/// More than twice the 3,668 reversible moves, so that every one finds a place.
const SIZE: usize = 8_192;

#[derive(Clone, Copy, Default)]
struct Entry {
    difference: u64,
    squares: Option<(Square, Square)>,
}

static TABLE: LazyLock<Box<[Entry; SIZE]>> = LazyLock::new(build);

/// Whether a difference of keys stands for a reversible move that the side to
/// move can make here: the piece is its own and the way is free.
pub(super) fn is_reversible_move(board: &Board, difference: u64) -> bool {
    let table = &*TABLE;
    let found = [first_place(difference), second_place(difference)]
        .into_iter()
        .map(|place| table[place])
        .find(|entry| entry.difference == difference);
    let Some((a, b)) = found.and_then(|entry| entry.squares) else {
        return false;
    };
    let ends = Bitboard::from(a) | b.into();
    board.color(board.side_to_move()).meets(ends) && !between(a, b).meets(board.occupied())
}

fn first_place(difference: u64) -> usize {
    difference as usize % SIZE
}

fn second_place(difference: u64) -> usize {
    (difference >> 32) as usize % SIZE
}

fn build() -> Box<[Entry; SIZE]> {
    let mut table = Box::new([Entry::default(); SIZE]);
    for color in Color::ALL {
        for kind in PieceKind::ALL.into_iter().skip(1) {
            for a in Square::all() {
                for b in attacks::attacks(kind, color, a, Bitboard::EMPTY) {
                    if a < b {
                        insert(&mut table, entry_of(color, kind, a, b));
                    }
                }
            }
        }
    }
    table
}

fn entry_of(color: Color, kind: PieceKind, a: Square, b: Square) -> Entry {
    let difference = zobrist::piece(color, kind as u8, a)
        ^ zobrist::piece(color, kind as u8, b)
        ^ zobrist::BLACK_TO_MOVE;
    Entry {
        difference,
        squares: Some((a, b)),
    }
}

/// Puts an entry into its place and moves the entry found there to its other place.
fn insert(table: &mut [Entry; SIZE], mut entry: Entry) {
    let mut place = first_place(entry.difference);
    while entry.squares.is_some() {
        std::mem::swap(&mut table[place], &mut entry);
        place ^= first_place(entry.difference) ^ second_place(entry.difference);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reversible_move_has_its_place() {
        let filled = TABLE.iter().filter(|entry| entry.squares.is_some()).count();
        assert_eq!(filled, 3_668);
    }
}
