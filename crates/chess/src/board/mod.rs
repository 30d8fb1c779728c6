//! The board: one small value with everything the rules need, except the
//! history of the game.
//!
//! A `Board` is copied, not undone: a search keeps the parent and makes the
//! move on a copy, which measured faster than undoing ([`Line`](crate::Line)
//! does that behind push and pop). The board must not know repetitions, the
//! players' clocks or how moves are written.

mod castling;
mod check_map;
mod checks;
mod generate;
mod keys;
mod legality;
mod make;
mod see;
mod setup;

pub(crate) use castling::back_rank;
pub use castling::{CastlingRights, Wing};
pub use check_map::CheckMap;
pub use generate::MoveFilter;
pub use keys::Keys;
pub use see::EXCHANGE_VALUES;
pub(crate) use setup::MAX_CLOCK;
pub use setup::{BoardBuilder, BoardError, BoardWarning};

use crate::attacks;
use crate::{Bitboard, Color, Piece, PieceKind, Square};

/// The mailbox's mark for an empty square: the index after the last kind.
const EMPTY_SLOT: u8 = 6;
/// Stands for "no en-passant square".
const NO_SQUARE: u8 = 64;
/// The index of the first colour's set, after those of the six kinds.
const COLOR_SETS: usize = 6;

/// A position: pieces, side to move, castling rights, en passant and clocks,
/// with its keys, the checkers and the pinned men always up to date.
///
/// Three cache lines, cheap to copy. Two boards are equal when every field is,
/// clocks included; positions that are the same for the repetition rule have
/// the same [`key`](Board::key).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct Board {
    /// The squares of each kind, pawns to kings, then of each colour.
    sets: [Bitboard; 8],
    /// The index of the kind on each square, or [`EMPTY_SLOT`].
    slots: [u8; 64],
    keys: Keys,
    /// Enemy men that give check to the side to move.
    checkers: Bitboard,
    /// Men of the side to move that may not leave a line to their king.
    pinned: Bitboard,
    castling: CastlingRights,
    side: Color,
    /// The square behind a pawn that has just moved two steps, but only if a legal
    /// move captures it there; else [`NO_SQUARE`].
    en_passant: u8,
    halfmove_clock: u16,
    fullmove_number: u16,
}

impl Board {
    /// The side to move.
    #[inline(always)]
    pub const fn side_to_move(&self) -> Color {
        self.side
    }

    /// The men of one side.
    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.sets[COLOR_SETS + color.index()]
    }

    /// The men of one kind, of both sides.
    #[inline(always)]
    pub const fn kind(&self, kind: PieceKind) -> Bitboard {
        self.sets[kind.index()]
    }

    /// The men of one kind and side.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// Rooks and queens of one side.
    #[inline(always)]
    pub fn straight_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen))
    }

    /// Bishops and queens of one side.
    #[inline(always)]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen))
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.color(Color::White) | self.color(Color::Black)
    }

    /// The square of a side's king.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceKind::King).first()
    }

    /// The kind of piece on a square.
    #[inline(always)]
    pub const fn kind_at(&self, square: Square) -> Option<PieceKind> {
        PieceKind::from_index(self.slots[square.index()])
    }

    /// The colour of the piece on a square.
    #[inline(always)]
    pub fn color_at(&self, square: Square) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.color(color).contains(square))
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let kind = self.kind_at(square)?;
        let color = self.color_at(square)?;
        Some(Piece { color, kind })
    }

    /// The key of the position: equal for positions that count as repetitions.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.keys.position
    }

    /// The keys of the position and of parts of it.
    #[inline(always)]
    pub const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The enemy men that give check.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The men of the side to move that are pinned to their king.
    #[inline(always)]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Which rooks may still castle.
    #[inline(always)]
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The en-passant square, if a legal move captures there.
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        if self.en_passant == NO_SQUARE {
            None
        } else {
            Some(Square::from_index(self.en_passant))
        }
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move: 1 at the start, increased after each move of Black.
    #[inline(always)]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// All men of both sides that attack a square when `occupied` squares stop sliders.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let straight = self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen);
        let diagonal = self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen);
        attacks::rook_attacks(square, occupied) & straight
            | attacks::bishop_attacks(square, occupied) & diagonal
            | attacks::knight_attacks(square) & self.kind(PieceKind::Knight)
            | attacks::king_attacks(square) & self.kind(PieceKind::King)
            | attacks::pawn_attacks(Color::Black, square)
                & self.pieces(Color::White, PieceKind::Pawn)
            | attacks::pawn_attacks(Color::White, square)
                & self.pieces(Color::Black, PieceKind::Pawn)
    }

    /// Every square that `color` attacks when `occupied` squares stop sliders.
    #[inline(always)]
    pub fn attacked_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        attacks::slider_attacks_of_all(
            self.straight_sliders(color),
            self.diagonal_sliders(color),
            occupied,
        ) | attacks::knight_attacks_of_all(self.pieces(color, PieceKind::Knight))
            | attacks::pawn_attacks_of_all(self.pieces(color, PieceKind::Pawn), color)
            | attacks::king_attacks(self.king(color))
    }
}

/// The start of an ordinary game.
impl Default for Board {
    fn default() -> Board {
        Board::start()
    }
}

/// The FEN of the position, so that test failures can be read and replayed.
impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Board({})", self.fen())
    }
}
