//! Moves in 16 bits, and the bounded list that generation fills.

use crate::{PieceKind, Square};
use std::fmt;
use std::ops::{Deref, DerefMut};

/// A move: from, to, and what is special about it, in 16 bits.
///
/// Castling is stored as the king taking its own rook, as Chess960 needs it, in
/// ordinary chess too: White's short castling is e1 to h1.
/// [`Board::uci`](crate::Board::uci) writes either style.
///
/// Bits 0 to 5 are the origin, 6 to 11 the target, 12 and 13 what a pawn
/// becomes, 14 and 15 the kind of move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(u16);

const PROMOTION: u16 = 1 << 14;
const EN_PASSANT: u16 = 2 << 14;
const CASTLING: u16 = 3 << 14;
const KIND_MASK: u16 = 3 << 14;

/// What is special about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MoveKind {
    Normal,
    Promotion(PieceKind),
    EnPassant,
    Castling,
}

impl Move {
    /// A move that neither promotes, castles nor captures en passant; other captures are normal.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// A pawn's move to the last rank. `kind` must be knight, bishop, rook or queen.
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, kind: PieceKind) -> Move {
        debug_assert!(matches!(
            kind,
            PieceKind::Knight | PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen
        ));
        let code = (kind as u16).wrapping_sub(PieceKind::Knight as u16) & 3;
        Move(Move::normal(from, to).0 | code << 12 | PROMOTION)
    }

    /// A capture en passant; `to` is the square that the captured pawn passed.
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move(Move::normal(from, to).0 | EN_PASSANT)
    }

    /// Castling of the king on `king` with the rook on `rook`.
    #[inline(always)]
    pub const fn castling(king: Square, rook: Square) -> Move {
        Move(Move::normal(king, rook).0 | CASTLING)
    }

    /// Where the piece comes from.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index(self.0 as u8)
    }

    /// Where the piece goes; for castling, the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 >> 6) as u8)
    }

    /// What the pawn becomes, if the move promotes one.
    #[inline(always)]
    pub const fn promotes_to(self) -> Option<PieceKind> {
        if self.0 & KIND_MASK == PROMOTION {
            Some(PieceKind::PROMOTIONS[(self.0 >> 12 & 3) as usize])
        } else {
            None
        }
    }

    /// Whether the move castles.
    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        self.0 & KIND_MASK == CASTLING
    }

    /// Whether the move captures en passant.
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.0 & KIND_MASK == EN_PASSANT
    }

    /// The 16 bits, for a hash table or a file; never 0 for a legal move.
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The move from its 16 bits. Any value is accepted: test one from elsewhere
    /// with [`Board::is_legal`](crate::Board::is_legal).
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    #[inline(always)]
    pub(crate) const fn kind(self) -> MoveKind {
        match self.0 & KIND_MASK {
            0 => MoveKind::Normal,
            PROMOTION => MoveKind::Promotion(PieceKind::PROMOTIONS[(self.0 >> 12 & 3) as usize]),
            EN_PASSANT => MoveKind::EnPassant,
            _ => MoveKind::Castling,
        }
    }
}

/// Coordinates in the king-takes-rook style, for debugging; see [`Board::uci`](crate::Board::uci).
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotes_to() {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

/// More moves than any accepted position has: a side with 16 men has at most 15
/// queens with at most 27 moves each, and 8 moves of the king.
pub const MAX_MOVES: usize = 416;

/// A list of moves with a fixed capacity, so that filling it never allocates.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MAX_MOVES],
    length: usize,
}

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub const fn new() -> MoveList {
        MoveList {
            moves: [Move(0); MAX_MOVES],
            length: 0,
        }
    }

    /// Appends a move.
    ///
    /// # Panics
    /// If the list already holds [`MAX_MOVES`] moves; generation never does that.
    #[inline(always)]
    pub const fn push(&mut self, mv: Move) {
        self.moves[self.length] = mv;
        self.length += 1;
    }

    /// Empties the list.
    #[inline(always)]
    pub const fn clear(&mut self) {
        self.length = 0;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.length]
    }
}

impl DerefMut for MoveList {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.length]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
