//! Positions as inputs for learners: a signed array, and planes of numbers.
//!
//! In both, row 0 is White's back rank and column 0 is the a-file.

use crate::{Bitboard, Board, Color, PieceKind, Rank, Square, Wing};

/// How many planes [`Board::write_planes`] fills.
///
/// 0 to 5 are White's pawns, knights, bishops, rooks, queens and king, 6 to 11
/// Black's; 12 is all ones if White is to move; 13 to 16 are all ones if White may
/// castle short, White long, Black short, Black long; 17 has ones on the whole
/// file of a legal en-passant capture.
pub const PLANES: usize = 18;

/// How many numbers the planes have in all.
pub const PLANE_VALUES: usize = PLANES * 64;

const SIDE_PLANE: usize = 12;
const CASTLING_PLANE: usize = 13;
const EN_PASSANT_PLANE: usize = 17;

impl Board {
    /// The board as rows of signed numbers: 0 empty, pawn 1, knight 2, bishop 3,
    /// rook 4, queen 5, king 6, White positive, Black negative.
    ///
    /// ```
    /// let rows = chess::Board::start().signed_array();
    /// assert_eq!(rows[0], [4, 2, 3, 5, 6, 3, 2, 4]);
    /// assert_eq!(rows[6], [-1; 8]);
    /// ```
    pub fn signed_array(&self) -> [[i8; 8]; 8] {
        let mut rows = [[0; 8]; 8];
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                let value = piece.kind as i8 + 1;
                rows[square.rank().index()][square.file().index()] = match piece.color {
                    Color::White => value,
                    Color::Black => -value,
                };
            }
        }
        rows
    }

    /// Writes the [`PLANES`] planes of 8 rows by 8 columns into a caller's buffer,
    /// without allocating.
    ///
    /// # Panics
    /// If the buffer does not have [`PLANE_VALUES`] places.
    pub fn write_planes(&self, buffer: &mut [f32]) {
        assert_eq!(
            buffer.len(),
            PLANE_VALUES,
            "the buffer must hold all planes"
        );
        buffer.fill(0.0);
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let plane = color.index() * 6 + kind.index();
                for square in self.pieces(color, kind) {
                    buffer[plane * 64 + square.index()] = 1.0;
                }
            }
        }
        let mut fill = |plane: usize, value: f32| {
            buffer[plane * 64..(plane + 1) * 64].fill(value);
        };
        if self.side_to_move() == Color::White {
            fill(SIDE_PLANE, 1.0);
        }
        for color in Color::ALL {
            for (index, wing) in Wing::ALL.into_iter().enumerate() {
                if self
                    .castling()
                    .rook(color, wing, self.king(color))
                    .is_some()
                {
                    fill(CASTLING_PLANE + color.index() * 2 + index, 1.0);
                }
            }
        }
        if let Some(square) = self.en_passant() {
            for square in Bitboard::file(square.file()) {
                buffer[EN_PASSANT_PLANE * 64 + square.index()] = 1.0;
            }
        }
    }
}

/// The square in a row and column of the signed array, if it is on the board.
pub(super) fn square_at(row: i32, column: i32) -> Option<Square> {
    let row = u8::try_from(row).ok().filter(|&row| row < 8)?;
    let column = u8::try_from(column).ok().filter(|&column| column < 8)?;
    Some(Square::new(
        crate::File::from_index(column),
        Rank::from_index(row),
    ))
}
