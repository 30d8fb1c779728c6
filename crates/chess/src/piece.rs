//! Kinds of pieces, and pieces with their colour.

use crate::Color;

/// What a piece is, without its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceKind {
    /// A pawn.
    Pawn = 0,
    /// A knight.
    Knight = 1,
    /// A bishop.
    Bishop = 2,
    /// A rook.
    Rook = 3,
    /// A queen.
    Queen = 4,
    /// A king.
    King = 5,
}

impl PieceKind {
    /// Every kind, from pawn to king.
    pub const ALL: [PieceKind; 6] = [
        PieceKind::Pawn,
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
        PieceKind::King,
    ];

    /// What a pawn may become, in the order of the codes inside a [`Move`](crate::Move).
    pub const PROMOTIONS: [PieceKind; 4] = [
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
    ];

    /// 0 for a pawn to 5 for a king.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind with this index, if there is one.
    #[inline(always)]
    pub const fn from_index(index: u8) -> Option<PieceKind> {
        match index {
            0 => Some(PieceKind::Pawn),
            1 => Some(PieceKind::Knight),
            2 => Some(PieceKind::Bishop),
            3 => Some(PieceKind::Rook),
            4 => Some(PieceKind::Queen),
            5 => Some(PieceKind::King),
            _ => None,
        }
    }

    /// The English letter in upper case, as in SAN: `P N B R Q K`.
    pub const fn letter(self) -> char {
        match self {
            PieceKind::Pawn => 'P',
            PieceKind::Knight => 'N',
            PieceKind::Bishop => 'B',
            PieceKind::Rook => 'R',
            PieceKind::Queen => 'Q',
            PieceKind::King => 'K',
        }
    }

    /// The kind of an English letter in either case.
    pub const fn from_letter(letter: u8) -> Option<PieceKind> {
        match letter.to_ascii_uppercase() {
            b'P' => Some(PieceKind::Pawn),
            b'N' => Some(PieceKind::Knight),
            b'B' => Some(PieceKind::Bishop),
            b'R' => Some(PieceKind::Rook),
            b'Q' => Some(PieceKind::Queen),
            b'K' => Some(PieceKind::King),
            _ => None,
        }
    }
}

/// A piece: its colour and kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Whose piece it is.
    pub color: Color,
    /// What it is.
    pub kind: PieceKind,
}

impl Piece {
    /// Joins a colour and a kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        Piece { color, kind }
    }

    /// The letter in FEN: upper case for White, lower case for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.kind.letter(),
            Color::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a FEN letter.
    pub const fn from_letter(letter: u8) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        match PieceKind::from_letter(letter) {
            Some(kind) => Some(Piece { color, kind }),
            None => None,
        }
    }

    /// The Unicode figurine, `♙` to `♚`.
    pub const fn figurine(self) -> char {
        const FIGURINES: [[char; 6]; 2] = [
            ['♙', '♘', '♗', '♖', '♕', '♔'],
            ['♟', '♞', '♝', '♜', '♛', '♚'],
        ];
        FIGURINES[self.color.index()][self.kind.index()]
    }
}
