//! Building a position from parts: every position from outside is checked here.

use super::{Board, CastlingRights, EMPTY_SLOT, Keys, NO_SQUARE, Wing, back_rank};
use crate::attacks::pawn_attacks;
use crate::zobrist;
use crate::{Bitboard, Color, File, Piece, PieceKind, Rank, Square};
use std::fmt;

/// The largest clock and move number that a position may carry: four digits,
/// longer than any game.
pub(crate) const MAX_CLOCK: u16 = 9_999;

/// The most men a side may have.
const MAX_MEN: u32 = 16;

/// The parts of a position, not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardBuilder {
    /// The piece on each square, a1 first.
    pub pieces: [Option<Piece>; 64],
    /// The side to move.
    pub side_to_move: Color,
    /// The rooks that may castle, each by its side and file.
    pub castling: Vec<(Color, File)>,
    /// The square that a pawn has just passed with a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move.
    pub fullmove_number: u16,
}

/// Why the parts are not a valid position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BoardError {
    /// A side has no king, or more than one.
    Kings {
        /// The side.
        color: Color,
        /// How many kings it has.
        count: u32,
    },
    /// A side has more than 16 men.
    TooManyMen {
        /// The side.
        color: Color,
        /// How many men it has.
        count: u32,
    },
    /// A pawn stands on the first or eighth rank.
    PawnOnBackRank(Square),
    /// The side that is not to move is in check.
    OpponentInCheck {
        /// The side in check.
        color: Color,
    },
    /// A clock is larger than accepted.
    ClockOutOfRange {
        /// Which clock.
        name: &'static str,
        /// Its value.
        value: u16,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardError::Kings { color, count: 0 } => write!(f, "{color} has no king"),
            BoardError::Kings { color, count } => {
                write!(f, "{color} has {count} kings, not one")
            }
            BoardError::TooManyMen { color, count } => {
                write!(f, "{color} has {count} men, more than {MAX_MEN}")
            }
            BoardError::PawnOnBackRank(square) => write!(f, "a pawn is on {square}"),
            BoardError::OpponentInCheck { color } => {
                write!(f, "{color} is in check but {} is to move", !*color)
            }
            BoardError::ClockOutOfRange { name, value } => {
                write!(f, "the {name} is {value}, not from 0 to {MAX_CLOCK}")
            }
        }
    }
}

impl std::error::Error for BoardError {}

/// A detail that was dropped because it does not fit the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BoardWarning {
    /// A castling right without its king or rook in place.
    CastlingDropped {
        /// Whose right.
        color: Color,
        /// The file of the rook that is missing or cannot castle.
        file: File,
    },
    /// A right to castle on a wing where no rook stands.
    WingDropped {
        /// Whose right.
        color: Color,
        /// The wing without a rook.
        wing: Wing,
    },
    /// An en-passant square where no pawn has just passed.
    EnPassantImpossible(Square),
    /// An en-passant square where no legal move captures.
    EnPassantUnusable(Square),
}

impl fmt::Display for BoardWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardWarning::CastlingDropped { color, file } => write!(
                f,
                "castling right of {color} with the rook on the {}-file dropped: king or rook is not in place",
                file.letter()
            ),
            BoardWarning::WingDropped { color, wing } => write!(
                f,
                "{} castling right of {color} dropped: king or rook is not in place",
                match wing {
                    Wing::King => "short",
                    Wing::Queen => "long",
                }
            ),
            BoardWarning::EnPassantImpossible(square) => write!(
                f,
                "en-passant square {square} dropped: no pawn has just passed it"
            ),
            BoardWarning::EnPassantUnusable(square) => write!(
                f,
                "en-passant square {square} dropped: no legal move captures there"
            ),
        }
    }
}

impl BoardBuilder {
    /// An empty board with White to move.
    pub fn new() -> BoardBuilder {
        BoardBuilder {
            pieces: [None; 64],
            side_to_move: Color::White,
            castling: Vec::new(),
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// Checks the parts and builds the position. An invalid position is an error;
    /// details that are merely unusable are dropped and returned as warnings.
    pub fn build(&self) -> Result<(Board, Vec<BoardWarning>), BoardError> {
        self.check_clocks()?;
        let mut board = self.place_pieces();
        check_men(&board)?;
        let mut warnings = Vec::new();
        self.give_castling(&mut board, &mut warnings);
        board.update_checks();
        self.give_en_passant(&mut board, &mut warnings);
        Ok((board, warnings))
    }

    fn check_clocks(&self) -> Result<(), BoardError> {
        for (name, value) in [
            ("halfmove clock", self.halfmove_clock),
            ("move number", self.fullmove_number),
        ] {
            if value > MAX_CLOCK {
                return Err(BoardError::ClockOutOfRange { name, value });
            }
        }
        Ok(())
    }

    fn place_pieces(&self) -> Board {
        let mut board = Board {
            sets: [Bitboard::EMPTY; 8],
            slots: [EMPTY_SLOT; 64],
            keys: Keys::default(),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling: CastlingRights::NONE,
            side: self.side_to_move,
            en_passant: NO_SQUARE,
            halfmove_clock: self.halfmove_clock,
            // Some programs count from 0.
            fullmove_number: self.fullmove_number.max(1),
        };
        for square in Square::all() {
            if let Some(piece) = self.pieces[square.index()] {
                board.toggle_piece(piece.color, piece.kind as u8, square);
                board.slots[square.index()] = piece.kind as u8;
            }
        }
        if board.side == Color::Black {
            board.keys.position ^= zobrist::BLACK_TO_MOVE;
        }
        board
    }

    fn give_castling(&self, board: &mut Board, warnings: &mut Vec<BoardWarning>) {
        for &(color, file) in &self.castling {
            if has_castling_men(board, color, file) {
                board.castling.insert(color, file);
            } else {
                warnings.push(BoardWarning::CastlingDropped { color, file });
            }
        }
        for color in Color::ALL {
            board.keys.position ^=
                zobrist::CASTLING[color.index()][board.castling.files(color) as usize];
        }
    }

    fn give_en_passant(&self, board: &mut Board, warnings: &mut Vec<BoardWarning>) {
        let Some(square) = self.en_passant else {
            return;
        };
        if !could_have_passed(board, square) {
            warnings.push(BoardWarning::EnPassantImpossible(square));
        } else if has_legal_en_passant(board, square) {
            board.set_en_passant(square);
        } else {
            warnings.push(BoardWarning::EnPassantUnusable(square));
        }
    }
}

impl Default for BoardBuilder {
    fn default() -> BoardBuilder {
        BoardBuilder::new()
    }
}

fn check_men(board: &Board) -> Result<(), BoardError> {
    for color in Color::ALL {
        let count = board.pieces(color, PieceKind::King).count();
        if count != 1 {
            return Err(BoardError::Kings { color, count });
        }
        let count = board.color(color).count();
        if count > MAX_MEN {
            return Err(BoardError::TooManyMen { color, count });
        }
    }
    let back_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
    if let Some(square) = (board.kind(PieceKind::Pawn) & back_ranks)
        .into_iter()
        .next()
    {
        return Err(BoardError::PawnOnBackRank(square));
    }
    let (us, them) = (board.side, !board.side);
    let king = board.king(them);
    if board
        .attackers_to(king, board.occupied())
        .meets(board.color(us))
    {
        return Err(BoardError::OpponentInCheck { color: them });
    }
    Ok(())
}

/// Whether king and rook stand where they can castle, and no second rook
/// claims the same wing.
fn has_castling_men(board: &Board, color: Color, file: File) -> bool {
    let rook = Square::new(file, back_rank(color));
    let king = board.king(color);
    king.rank() == back_rank(color)
        && board.pieces(color, PieceKind::Rook).contains(rook)
        && board
            .castling
            .rook(color, Wing::of(king, rook), king)
            .is_none_or(|other| other == rook)
}

/// Whether a pawn of the side not to move can just have passed this square.
fn could_have_passed(board: &Board, square: Square) -> bool {
    let them = !board.side;
    let passed = Bitboard::from(square);
    square.rank().relative_to(them) == Rank::Third
        && !passed.meets(board.occupied())
        && !passed.forward(!them).meets(board.occupied())
        && passed
            .forward(them)
            .meets(board.pieces(them, PieceKind::Pawn))
}

/// Whether a pawn can capture here without leaving its king in check by any man:
/// positions from outside may have checks that no double step can give.
fn has_legal_en_passant(board: &Board, square: Square) -> bool {
    let us = board.side;
    let passer = Bitboard::from(square).forward(!us);
    let capturers = pawn_attacks(!us, square) & board.pieces(us, PieceKind::Pawn);
    board
        .checkers
        .without(passer)
        .without(sliders(board))
        .is_empty()
        && capturers
            .into_iter()
            .any(|from| board.en_passant_keeps_king_safe(us, from, square))
}

fn sliders(board: &Board) -> Bitboard {
    board.kind(PieceKind::Bishop) | board.kind(PieceKind::Rook) | board.kind(PieceKind::Queen)
}
