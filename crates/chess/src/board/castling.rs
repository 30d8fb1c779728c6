//! The right to castle, for ordinary chess and Chess960 alike.

use crate::{Color, File, Rank, Square};

/// The two sides of the board on which to castle, named by where the king ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wing {
    /// Short castling: the king goes to the g-file.
    King,
    /// Long castling: the king goes to the c-file.
    Queen,
}

impl Wing {
    /// Both wings, the king's first.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// The file on which the king ends.
    pub const fn king_file(self) -> File {
        match self {
            Wing::King => File::G,
            Wing::Queen => File::C,
        }
    }

    /// The file on which the rook ends.
    pub const fn rook_file(self) -> File {
        match self {
            Wing::King => File::F,
            Wing::Queen => File::D,
        }
    }

    /// The wing on which a rook stands, seen from its king.
    #[inline(always)]
    pub fn of(king: Square, rook: Square) -> Wing {
        if rook > king { Wing::King } else { Wing::Queen }
    }
}

/// Which rooks may still castle: for each side, a bit for each file of its back rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct CastlingRights {
    files: [u8; 2],
}

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: CastlingRights = CastlingRights { files: [0; 2] };

    /// Whether any rook may castle.
    #[inline(always)]
    pub const fn any(self) -> bool {
        u16::from_le_bytes(self.files) != 0
    }

    /// Whether a rook of `color` may castle.
    #[inline(always)]
    pub const fn any_of(self, color: Color) -> bool {
        self.files[color.index()] != 0
    }

    /// The rooks of `color` that may castle.
    #[inline(always)]
    pub fn rooks(self, color: Color) -> crate::Bitboard {
        crate::Bitboard((self.files[color.index()] as u64) << (56 * color as u32))
    }

    /// The rook of `color` that may castle on a wing, given the king's square.
    pub fn rook(self, color: Color, wing: Wing, king: Square) -> Option<Square> {
        self.rooks(color)
            .into_iter()
            .find(|&rook| Wing::of(king, rook) == wing)
    }

    /// One bit for each file whose rook may castle; the index into the Zobrist keys.
    #[inline(always)]
    pub(crate) const fn files(self, color: Color) -> u8 {
        self.files[color.index()]
    }

    /// Lets the rook of `color` on `file` castle.
    pub(crate) const fn insert(&mut self, color: Color, file: File) {
        self.files[color.index()] |= 1 << file as u8;
    }

    /// Removes the rights of rooks on any of these squares.
    #[inline(always)]
    pub(crate) const fn remove_squares(&mut self, squares: crate::Bitboard) {
        self.files[0] &= !(squares.0 as u8);
        self.files[1] &= !((squares.0 >> 56) as u8);
    }

    /// Removes all rights of a side.
    #[inline(always)]
    pub(crate) const fn remove_all(&mut self, color: Color) {
        self.files[color.index()] = 0;
    }
}

/// The back rank of a side.
#[inline(always)]
pub(crate) const fn back_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::First,
        Color::Black => Rank::Eighth,
    }
}
