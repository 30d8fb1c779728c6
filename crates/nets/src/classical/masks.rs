//! Sets of squares for patterns. Geometry only.

use chess::{Bitboard, Color, File, Rank, Square};

/// The four files in the middle.
pub(super) const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
/// The four squares in the middle.
pub(super) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
/// The files a to d.
pub(super) const QUEEN_SIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
/// The files e to h.
pub(super) const KING_SIDE: Bitboard = Bitboard(0xf0f0_f0f0_f0f0_f0f0);

/// The files next to a file.
#[inline(always)]
pub(super) const fn adjacent_files(file: File) -> Bitboard {
    let file = Bitboard::file(file);
    Bitboard(file.west().0 | file.east().0)
}

/// All ranks ahead of a square's rank.
#[inline(always)]
pub(super) const fn ranks_ahead(color: Color, square: Square) -> Bitboard {
    let shift = 8 * square.rank() as u32;
    Bitboard(match color {
        Color::White => !0xff << shift,
        Color::Black => !0xff_u64.swap_bytes() >> (56 - shift),
    })
}

/// The squares ahead on the same file.
#[inline(always)]
pub(super) const fn file_ahead(color: Color, square: Square) -> Bitboard {
    Bitboard(ranks_ahead(color, square).0 & Bitboard::file(square.file()).0)
}

/// The squares ahead on the neighbouring files: those that a pawn on the square may
/// one day attack, and those from which enemy pawns could capture it on its way.
#[inline(always)]
pub(super) const fn attack_span(color: Color, square: Square) -> Bitboard {
    Bitboard(ranks_ahead(color, square).0 & adjacent_files(square.file()).0)
}

/// The squares on which no enemy pawn may stand for a pawn to be passed.
#[inline(always)]
pub(super) const fn passed_span(color: Color, square: Square) -> Bitboard {
    Bitboard(file_ahead(color, square).0 | attack_span(color, square).0)
}

/// A set of squares, given from White's side, as seen from `color`'s side.
#[inline(always)]
pub(super) const fn relative(color: Color, set: Bitboard) -> Bitboard {
    match color {
        Color::White => set,
        Color::Black => set.flip_ranks(),
    }
}

/// The rank of a square counted from a side's own back rank, 0 to 7.
#[inline(always)]
pub(super) const fn relative_rank(color: Color, square: Square) -> usize {
    square.rank().relative_to(color).index()
}

/// The square ahead; on the last rank, the same square.
#[inline(always)]
pub(super) const fn ahead(color: Color, square: Square) -> Square {
    let index = square.index() as u8;
    match color {
        Color::White if index < 56 => Square::from_index(index + 8),
        Color::Black if index >= 8 => Square::from_index(index - 8),
        _ => square,
    }
}

/// How many king's moves two squares are apart on an empty board.
#[inline(always)]
pub(super) const fn distance(a: Square, b: Square) -> i32 {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    (if files > ranks { files } else { ranks }) as i32
}

/// The files of a king's flank, on which its safety is decided.
#[inline(always)]
pub(super) const fn flank(king: Square) -> Bitboard {
    const FLANKS: [u8; 8] = [0x07, 0x0f, 0x0f, 0x3c, 0x3c, 0xf0, 0xf0, 0xe0];
    Bitboard(FLANKS[king.file().index()] as u64 * 0x0101_0101_0101_0101)
}

/// The square moved off the edge, so that a king in a corner has a full ring.
#[inline(always)]
pub(super) const fn off_edge(square: Square) -> Square {
    let file = inner(square.file().index() as u8);
    let rank = inner(square.rank().index() as u8);
    Square::new(File::from_index(file), Rank::from_index(rank))
}

/// The nearest file or rank that is not on the edge.
#[inline(always)]
pub(super) const fn inner(index: u8) -> u8 {
    match index {
        0 => 1,
        7.. => 6,
        index => index,
    }
}

/// The given squares and all squares ahead of them.
#[inline(always)]
pub(super) const fn fill_ahead(color: Color, squares: Bitboard) -> Bitboard {
    let mut set = squares.0;
    match color {
        Color::White => {
            set |= set << 8;
            set |= set << 16;
            set |= set << 32;
        }
        Color::Black => {
            set |= set >> 8;
            set |= set >> 16;
            set |= set >> 32;
        }
    }
    Bitboard(set)
}

/// A bit for each file that has one of the squares.
#[inline(always)]
pub(super) const fn files_of(squares: Bitboard) -> u8 {
    fill_ahead(Color::Black, squares).0 as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::squares::*;

    #[test]
    fn spans_are_what_they_say() {
        let set = |squares: &[Square]| squares.iter().copied().collect::<Bitboard>();
        assert_eq!(file_ahead(Color::White, A6), set(&[A7, A8]));
        assert_eq!(file_ahead(Color::Black, H2), set(&[H1]));
        assert_eq!(file_ahead(Color::White, C8), Bitboard::EMPTY);
        assert_eq!(file_ahead(Color::Black, C1), Bitboard::EMPTY);
        assert_eq!(attack_span(Color::Black, B3), set(&[A2, A1, C2, C1]));
        assert_eq!(passed_span(Color::White, H6), set(&[H7, H8, G7, G8]));
        assert_eq!(relative(Color::Black, set(&[A1, C2])), set(&[A8, C7]));
        assert_eq!(files_of(set(&[A7, C2, C4])), 0b101);
        assert_eq!(distance(A1, H3), 7);
        assert_eq!(off_edge(H1), G2);
        assert_eq!(ahead(Color::Black, E4), E3);
    }
}
