//! The stem of a chain: its first position in full, in 32 bytes.
//!
//! | bytes | what |
//! |---|---|
//! | 0 to 7 | the occupied squares |
//! | 8 to 23 | four bits for each man, from a1 to h8, low bits first |
//! | 24, 25 | the move |
//! | 26, 27 | the score, folded |
//! | 28, 29 | the ply in 14 bits, the result in the highest two, folded |
//! | 30, 31 | the clock of the fifty-move rule |
//!
//! All numbers have their highest byte first.

use chess::{
    Bitboard, Board, BoardBuilder, BoardError, BoardWarning, Color, File, Move, Piece, PieceKind,
    Rank, Square, Wing, attacks,
};

use super::{
    bits::{fold, unfold},
    ways::is_ordinary,
};
use crate::position::{Outcome, Position};

/// The length of a stem.
pub(super) const LENGTH: usize = 32;
/// The largest ply that fits.
pub(super) const MOST_PLIES: u16 = (1 << 14) - 1;

/// The codes of men with a special state.
const PASSED_PAWN: u8 = 12;
const WHITE_CASTLING_ROOK: u8 = 13;
const BLACK_CASTLING_ROOK: u8 = 14;
const BLACK_KING_TO_MOVE: u8 = 15;

/// The kinds of moves.
const PROMOTION: u16 = 1 << 14;
const CASTLING: u16 = 2 << 14;
const EN_PASSANT: u16 = 3 << 14;
const KIND_MASK: u16 = 3 << 14;

/// Why the bytes of a stem are not a valid position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StemProblem {
    /// There are more men than the format has room for.
    #[error("it has {0} men, more than 32")]
    TooManyMen(u32),
    /// A man has a code that is impossible on its square.
    #[error("the man on {0} has a flag that is only valid on other squares")]
    MisplacedMark(Square),
    /// A code does not fit the other men.
    #[error("a flag does not match the men: {0}")]
    UnfitMark(BoardWarning),
    /// The men are not a valid position.
    #[error("{0}")]
    Board(BoardError),
    /// The result is invalid.
    #[error("its result is neither win, draw nor loss")]
    Result,
}

/// Why a position cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// A castling right is not one of ordinary chess.
    #[error("a binpack cannot hold the castling rights of Chess960: {0}; write plain text instead")]
    Chess960(String),
    /// The game is too long.
    #[error("a binpack cannot hold ply {0}: the maximum is {MOST_PLIES}")]
    Ply(u16),
    /// The move is not legal.
    #[error("the move {mv:?} is not legal in {fen}")]
    IllegalMove {
        /// The move.
        mv: Move,
        /// The position in which it should be played.
        fen: String,
    },
}

/// Writes a position as a stem.
pub(super) fn write(position: &Position, output: &mut Vec<u8>) -> Result<(), EncodeError> {
    let board = &position.board;
    if position.ply > MOST_PLIES {
        return Err(EncodeError::Ply(position.ply));
    }
    if !is_ordinary(board) {
        return Err(EncodeError::Chess960(board.fen()));
    }
    output.extend(board.occupied().0.to_be_bytes());
    let mut men = [0; 16];
    for (index, square) in board.occupied().into_iter().enumerate() {
        men[index / 2] |= mark(board, square) << (index % 2 * 4);
    }
    output.extend(men);
    output.extend(position.mv.map_or(0, move_word).to_be_bytes());
    output.extend(fold(position.score).to_be_bytes());
    let result = fold(i16::from(position.result.number())) << 14;
    output.extend((result | position.ply).to_be_bytes());
    output.extend(board.halfmove_clock().to_be_bytes());
    Ok(())
}

/// The code of a man, four bits.
fn mark(board: &Board, square: Square) -> u8 {
    let Some(Piece { color, kind }) = board.piece_at(square) else {
        return 0;
    };
    let has_passed = || {
        let behind = Bitboard::from(square).forward(!color);
        let passed = board.en_passant().map_or(Bitboard::EMPTY, Bitboard::from);
        color != board.side_to_move() && passed == behind
    };
    match (kind, color) {
        (PieceKind::Pawn, _) if has_passed() => PASSED_PAWN,
        (PieceKind::Rook, Color::White) if board.castling().rooks(color).contains(square) => {
            WHITE_CASTLING_ROOK
        }
        (PieceKind::Rook, Color::Black) if board.castling().rooks(color).contains(square) => {
            BLACK_CASTLING_ROOK
        }
        (PieceKind::King, Color::Black) if board.side_to_move() == Color::Black => {
            BLACK_KING_TO_MOVE
        }
        _ => (kind.index() * 2 + color.index()) as u8,
    }
}

fn move_word(mv: Move) -> u16 {
    let squares = (mv.from().index() as u16) << 8 | (mv.to().index() as u16) << 2;
    if let Some(kind) = mv.promotes_to() {
        squares | PROMOTION | (kind.index() - PieceKind::Knight.index()) as u16
    } else if mv.is_castling() {
        squares | CASTLING
    } else if mv.is_en_passant() {
        squares | EN_PASSANT
    } else {
        squares
    }
}

/// The move encoded in a word; `None` if there is no move.
fn word_move(word: u16) -> Option<Move> {
    let from = Square::from_index((word >> 8) as u8);
    let to = Square::from_index((word >> 2) as u8);
    Some(match word & KIND_MASK {
        _ if word == 0 => return None,
        PROMOTION => Move::promotion(from, to, PieceKind::PROMOTIONS[usize::from(word & 3)]),
        CASTLING => Move::castling(from, to),
        EN_PASSANT => Move::en_passant(from, to),
        _ => Move::normal(from, to),
    })
}

/// Reads a stem. It does not check whether the move is legal.
pub(super) fn read(stem: &[u8; LENGTH]) -> Result<Position, StemProblem> {
    let word = |at: usize| u16::from_be_bytes([stem[at], stem[at + 1]]);
    let ply_and_result = word(28);
    let ply = ply_and_result & MOST_PLIES;
    let result = unfold(ply_and_result >> 14);
    let board = read_board(stem, ply, word(30))?;
    Ok(Position {
        board,
        mv: word_move(word(24)),
        score: unfold(word(26)),
        result: Outcome::from_number(i64::from(result)).ok_or(StemProblem::Result)?,
        ply,
    })
}

fn read_board(stem: &[u8; LENGTH], ply: u16, clock: u16) -> Result<Board, StemProblem> {
    let mut occupied = [0; 8];
    occupied.copy_from_slice(&stem[..8]);
    let occupied = Bitboard(u64::from_be_bytes(occupied));
    if occupied.count() > 32 {
        return Err(StemProblem::TooManyMen(occupied.count()));
    }
    let mut builder = BoardBuilder::new();
    builder.halfmove_clock = clock;
    builder.fullmove_number = ply / 2 + 1;
    for (index, square) in occupied.into_iter().enumerate() {
        let mark = stem[8 + index / 2] >> (index % 2 * 4) & 0xF;
        place(&mut builder, square, mark).ok_or(StemProblem::MisplacedMark(square))?;
    }
    let (board, warnings) = builder.build().map_err(StemProblem::Board)?;
    if let Some(&warning) = warnings.iter().find(|warning| matters(**warning, &board)) {
        return Err(StemProblem::UnfitMark(warning));
    }
    let unfit = Color::ALL
        .into_iter()
        .find(|&color| board.castling().any_of(color) && board.king(color).file() != File::E);
    match unfit {
        Some(color) => {
            let wing = Wing::King;
            let warning = BoardWarning::WingDropped { color, wing };
            Err(StemProblem::UnfitMark(warning))
        }
        None => Ok(board),
    }
}

/// Puts a man on the board; `None` if its code is impossible there.
fn place(builder: &mut BoardBuilder, square: Square, mark: u8) -> Option<()> {
    let piece = match mark {
        PASSED_PAWN => {
            let (color, behind) = match square.rank() {
                Rank::Fourth => (Color::White, square.offset(0, -1)),
                Rank::Fifth => (Color::Black, square.offset(0, 1)),
                _ => return None,
            };
            builder.en_passant = behind;
            Piece::new(color, PieceKind::Pawn)
        }
        WHITE_CASTLING_ROOK => castling_rook(builder, square, Color::White)?,
        BLACK_CASTLING_ROOK => castling_rook(builder, square, Color::Black)?,
        BLACK_KING_TO_MOVE => {
            builder.side_to_move = Color::Black;
            Piece::new(Color::Black, PieceKind::King)
        }
        _ => Piece {
            kind: PieceKind::from_index(mark / 2)?,
            color: Color::ALL[usize::from(mark % 2)],
        },
    };
    builder.pieces[square.index()] = Some(piece);
    Some(())
}

fn castling_rook(builder: &mut BoardBuilder, square: Square, color: Color) -> Option<Piece> {
    let is_home = square.rank().relative_to(color) == Rank::First
        && matches!(square.file(), File::A | File::H);
    builder.castling.push((color, square.file()));
    is_home.then_some(Piece::new(color, PieceKind::Rook))
}

/// Whether the dropped detail would change the numbers of the following moves. An
/// en-passant square that no pawn attacks, which some writers give, does not.
fn matters(warning: BoardWarning, board: &Board) -> bool {
    match warning {
        BoardWarning::EnPassantUnusable(square) => {
            let us = board.side_to_move();
            attacks::pawn_attacks(!us, square).meets(board.pieces(us, PieceKind::Pawn))
        }
        _ => true,
    }
}

#[cfg(test)]
#[path = "stem_tests.rs"]
mod tests;
