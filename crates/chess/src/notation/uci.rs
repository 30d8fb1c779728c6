//! Moves as UCI writes them: `e2e4`, `e7e8q`, castling in either style.

use super::fen::excerpt;
use crate::board::{Wing, back_rank};
use crate::{Board, Color, Move, PieceKind, Square};
use std::fmt;

/// How castling is written in coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingStyle {
    /// By the king's move: `e1g1`. Only right for ordinary chess.
    #[default]
    Standard,
    /// The king takes its rook: `e1h1`, as with `UCI_Chess960`.
    Chess960,
}

/// A move in coordinates, ready to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciText {
    from: Square,
    to: Square,
    promotion: Option<PieceKind>,
}

impl fmt::Display for UciText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

/// Why a text is not a legal move in coordinates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UciMoveError {
    /// The text is not of the form `e2e4` or `e7e8q`.
    Malformed(String),
    /// The move is not legal in this position.
    Illegal(String),
}

impl fmt::Display for UciMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciMoveError::Malformed(text) => {
                write!(
                    f,
                    "'{text}' is not a move in coordinates such as e2e4 or e7e8q"
                )
            }
            UciMoveError::Illegal(text) => write!(f, "the move {text} is not legal here"),
        }
    }
}

impl std::error::Error for UciMoveError {}

impl Board {
    /// The move in coordinates.
    ///
    /// ```
    /// use chess::{Board, CastlingStyle};
    /// let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    /// let castling = board.parse_uci("e1g1").unwrap();
    /// assert_eq!(board.uci(castling, CastlingStyle::Standard).to_string(), "e1g1");
    /// assert_eq!(board.uci(castling, CastlingStyle::Chess960).to_string(), "e1h1");
    /// ```
    pub fn uci(&self, mv: Move, style: CastlingStyle) -> UciText {
        let to = if mv.is_castling() && style == CastlingStyle::Standard {
            castling_target(self.side_to_move(), mv.from(), mv.to())
        } else {
            mv.to()
        };
        UciText {
            from: mv.from(),
            to,
            promotion: mv.promotes_to(),
        }
    }

    /// Reads a legal move in coordinates, castling in either style.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let malformed = || UciMoveError::Malformed(excerpt(text));
        let (squares, promotion) = match text.as_bytes() {
            [squares @ .., letter] if squares.len() == 4 => {
                let kind = PieceKind::from_letter(*letter)
                    .filter(|kind| PieceKind::PROMOTIONS.contains(kind));
                (squares, Some(kind.ok_or_else(malformed)?))
            }
            squares => (squares, None),
        };
        let &[from_file, from_rank, to_file, to_rank] = squares else {
            return Err(malformed());
        };
        let from = Square::from_ascii(from_file, from_rank).ok_or_else(malformed)?;
        let to = Square::from_ascii(to_file, to_rank).ok_or_else(malformed)?;
        self.move_of_squares(from, to, promotion)
            .ok_or_else(|| UciMoveError::Illegal(excerpt(text)))
    }

    /// The legal move between two squares, castling in either style, if there is one.
    pub(crate) fn move_of_squares(
        &self,
        from: Square,
        to: Square,
        promotion: Option<PieceKind>,
    ) -> Option<Move> {
        let us = self.side_to_move();
        if let Some(kind) = promotion {
            return Some(Move::promotion(from, to, kind)).filter(|&mv| self.is_legal(mv));
        }
        // A step of the king takes precedence over castling with the same target:
        // in Chess960 such castling is written as the king taking its rook.
        let mut candidates = [None; 4];
        candidates[0] = Some(Move::normal(from, to));
        candidates[1] = Some(Move::en_passant(from, to));
        candidates[2] = Some(Move::castling(from, to));
        if self.king(us) == from {
            candidates[3] = self
                .castling()
                .rooks(us)
                .into_iter()
                .find(|&rook| castling_target(us, from, rook) == to)
                .map(|rook| Move::castling(from, rook));
        }
        candidates
            .into_iter()
            .flatten()
            .find(|&mv| self.is_legal(mv))
    }

    /// Whether a pawn may go from one square to the other and promote.
    pub(crate) fn is_legal_promotion(&self, from: Square, to: Square) -> bool {
        self.is_legal(Move::promotion(from, to, PieceKind::Queen))
    }
}

fn castling_target(us: Color, king: Square, rook: Square) -> Square {
    Square::new(Wing::of(king, rook).king_file(), back_rank(us))
}
