//! FEN in all its castling dialects: standard, X-FEN and Shredder-FEN.

use crate::board::{BoardWarning, Wing, back_rank};
use crate::{Board, BoardBuilder, BoardError, Color, File, Piece, PieceKind, Rank, Square};
use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr;
use std::sync::LazyLock;

/// The start of an ordinary game.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The names of the clocks in messages.
pub(super) const HALFMOVE_CLOCK: &str = "halfmove clock";
pub(super) const MOVE_NUMBER: &str = "move number";

/// A position read from FEN, and what had to be dropped from it.
#[derive(Clone, Debug)]
pub struct Fen {
    /// The position.
    pub board: Board,
    /// Details that were dropped because they do not fit the pieces.
    pub warnings: Vec<BoardWarning>,
}

/// Why a FEN is invalid: which field, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FenError {
    /// A field is missing.
    MissingField(&'static str),
    /// There is text after the last field.
    TrailingText(String),
    /// There are not eight ranks between slashes.
    RankCount(usize),
    /// A rank does not have eight squares.
    RankLength {
        /// The rank.
        rank: Rank,
        /// How many squares it has.
        squares: u32,
    },
    /// A rank has a character that is neither a piece nor a digit 1 to 8.
    BadPiece {
        /// The rank.
        rank: Rank,
        /// The character.
        found: char,
    },
    /// The side to move is neither `w` nor `b`.
    BadSide(String),
    /// The castling field has an unknown character.
    BadCastling(char),
    /// The en-passant field is neither `-` nor a square.
    BadEnPassant(String),
    /// A clock is not a number, or out of range.
    BadClock {
        /// Which clock.
        name: &'static str,
        /// What was found.
        found: String,
    },
    /// The fields are readable but not a valid position.
    Board(BoardError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::MissingField(name) => write!(f, "the {name} is missing"),
            FenError::TrailingText(text) => write!(f, "unexpected text after the clocks: '{text}'"),
            FenError::RankCount(count) => {
                write!(
                    f,
                    "the placement must have 8 ranks between slashes, found {count}"
                )
            }
            FenError::RankLength { rank, squares } => {
                write!(f, "rank {} has {squares} squares, not 8", rank.digit())
            }
            FenError::BadPiece { rank, found } => write!(
                f,
                "rank {} has '{}' instead of a piece or a number from 1 to 8",
                rank.digit(),
                found.escape_default()
            ),
            FenError::BadSide(found) => {
                write!(f, "the side to move is '{found}', expected w or b")
            }
            FenError::BadCastling(found) => write!(
                f,
                "the castling field has '{}', expected letters of KQkq, files A to H or a to h, or -",
                found.escape_default()
            ),
            FenError::BadEnPassant(found) => {
                write!(
                    f,
                    "the en-passant field is '{found}', expected - or a square"
                )
            }
            FenError::BadClock { name, found } => {
                write!(
                    f,
                    "the {name} is '{found}', expected a number from 0 to 9999"
                )
            }
            FenError::Board(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FenError {}

impl From<BoardError> for FenError {
    fn from(error: BoardError) -> FenError {
        FenError::Board(error)
    }
}

impl FromStr for Fen {
    type Err = FenError;

    /// Reads a FEN. Any white space separates fields, and the clocks may be missing.
    fn from_str(text: &str) -> Result<Fen, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let (mut builder, mut wing_warnings) = parse_position_fields(&mut fields)?;
        if let Some(field) = fields.next() {
            builder.halfmove_clock = parse_clock(HALFMOVE_CLOCK, field)?;
        }
        if let Some(field) = fields.next() {
            builder.fullmove_number = parse_clock(MOVE_NUMBER, field)?;
        }
        if let Some(extra) = fields.next() {
            return Err(FenError::TrailingText(excerpt(extra)));
        }
        let (board, warnings) = builder.build()?;
        wing_warnings.extend(warnings);
        Ok(Fen {
            board,
            warnings: wing_warnings,
        })
    }
}

/// Reads the four fields that FEN and EPD share.
pub(super) fn parse_position_fields<'a>(
    fields: &mut impl Iterator<Item = &'a str>,
) -> Result<(BoardBuilder, Vec<BoardWarning>), FenError> {
    let mut next = |name| fields.next().ok_or(FenError::MissingField(name));
    let mut builder = BoardBuilder::new();
    parse_placement(next("piece placement")?, &mut builder)?;
    builder.side_to_move = match next("side to move")? {
        "w" | "W" => Color::White,
        "b" | "B" => Color::Black,
        other => return Err(FenError::BadSide(excerpt(other))),
    };
    let warnings = parse_castling(next("castling field")?, &mut builder)?;
    builder.en_passant = match next("en-passant field")? {
        "-" => None,
        text => Some(
            text.parse()
                .map_err(|_| FenError::BadEnPassant(excerpt(text)))?,
        ),
    };
    Ok((builder, warnings))
}

fn parse_placement(field: &str, builder: &mut BoardBuilder) -> Result<(), FenError> {
    let count = field.split('/').count();
    if count != 8 {
        return Err(FenError::RankCount(count));
    }
    for (text, rank) in field.split('/').zip(Rank::ALL.into_iter().rev()) {
        parse_rank(text, rank, builder)?;
    }
    Ok(())
}

fn parse_rank(text: &str, rank: Rank, builder: &mut BoardBuilder) -> Result<(), FenError> {
    let mut squares = 0;
    for found in text.chars() {
        let piece = u8::try_from(found).ok().and_then(Piece::from_letter);
        match (piece, found) {
            (Some(piece), _) => {
                if squares < 8 {
                    let square = Square::new(File::from_index(squares as u8), rank);
                    builder.pieces[square.index()] = Some(piece);
                }
                squares += 1;
            }
            (None, '1'..='8') => squares += u32::from(found) - u32::from('0'),
            _ => return Err(FenError::BadPiece { rank, found }),
        }
    }
    if squares == 8 {
        Ok(())
    } else {
        Err(FenError::RankLength { rank, squares })
    }
}

/// Reads `KQkq` as the outermost rook on that side of the king (X-FEN) and file
/// letters as the rook on that file (Shredder-FEN); both may be mixed.
fn parse_castling(field: &str, builder: &mut BoardBuilder) -> Result<Vec<BoardWarning>, FenError> {
    let mut warnings = Vec::new();
    if field == "-" {
        return Ok(warnings);
    }
    for found in field.chars() {
        let color = if found.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let wing = match found {
            'K' | 'k' => Wing::King,
            'Q' | 'q' => Wing::Queen,
            _ => {
                let file = u8::try_from(found).ok().and_then(File::from_letter);
                let file = file.ok_or(FenError::BadCastling(found))?;
                builder.castling.push((color, file));
                continue;
            }
        };
        match outermost_rook(&builder.pieces, color, wing) {
            Some(rook) => builder.castling.push((color, rook.file())),
            None => warnings.push(BoardWarning::WingDropped { color, wing }),
        }
    }
    Ok(warnings)
}

/// The outermost rook of a side on a wing, if its king stands on the back rank.
fn outermost_rook(pieces: &[Option<Piece>; 64], color: Color, wing: Wing) -> Option<Square> {
    let on_back_rank = |kind| {
        let piece = Some(Piece::new(color, kind));
        File::ALL
            .into_iter()
            .map(move |file| Square::new(file, back_rank(color)))
            .filter(move |square| pieces[square.index()] == piece)
    };
    let king = on_back_rank(PieceKind::King).next()?;
    let mut rooks = on_back_rank(PieceKind::Rook).filter(|&rook| Wing::of(king, rook) == wing);
    match wing {
        Wing::King => rooks.next_back(),
        Wing::Queen => rooks.next(),
    }
}

pub(super) fn parse_clock(name: &'static str, field: &str) -> Result<u16, FenError> {
    let bad = || FenError::BadClock {
        name,
        found: excerpt(field),
    };
    // `parse` would accept a plus sign.
    if !field.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(bad());
    }
    field
        .parse()
        .ok()
        .filter(|&value| value <= crate::board::MAX_CLOCK)
        .ok_or_else(bad)
}

/// The start of a text for an error message, so that garbage stays short.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = text
        .chars()
        .take(LONGEST)
        .flat_map(char::escape_default)
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

impl Board {
    /// The start of an ordinary game.
    pub fn start() -> Board {
        static BOARD: LazyLock<Board> =
            LazyLock::new(|| Board::from_fen(START).expect("the start is a position"));
        *BOARD
    }

    /// Reads a FEN; details that do not fit the pieces are dropped silently.
    /// Parse a [`Fen`] to get them as warnings.
    ///
    /// ```
    /// let board = chess::Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
    /// assert_eq!(board.legal_moves().len(), 6);
    /// assert!(chess::Board::from_fen("4k3/8/8/8/8/8/4P3/8 w - - 0 1").is_err());
    /// ```
    pub fn from_fen(text: &str) -> Result<Board, FenError> {
        text.parse().map(|fen: Fen| fen.board)
    }

    /// The FEN. Castling is written as X-FEN: `KQkq` where that is unambiguous, the
    /// rook's file where another rook stands farther out. The en-passant square
    /// is given only if a legal move captures there.
    pub fn fen(&self) -> String {
        self.write_fen(false)
    }

    /// The FEN with castling rights by the rooks' files, as many Chess960 programs expect it.
    pub fn shredder_fen(&self) -> String {
        self.write_fen(true)
    }

    fn write_fen(&self, rook_files: bool) -> String {
        let mut text = String::with_capacity(90);
        self.write_position_fields(rook_files, &mut text);
        let _ = write!(
            text,
            " {} {}",
            self.halfmove_clock(),
            self.fullmove_number()
        );
        text
    }

    /// Writes the four fields that FEN and EPD share.
    pub(super) fn write_position_fields(&self, rook_files: bool, text: &mut String) {
        for rank in Rank::ALL.into_iter().rev() {
            self.write_rank(rank, text);
            if rank != Rank::First {
                text.push('/');
            }
        }
        text.push(' ');
        text.push(self.side_to_move().letter());
        text.push(' ');
        self.write_castling(rook_files, text);
        match self.en_passant() {
            // Writing to a String cannot fail.
            Some(square) => drop(write!(text, " {square}")),
            None => text.push_str(" -"),
        }
    }

    fn write_rank(&self, rank: Rank, text: &mut String) {
        let mut empty = 0u8;
        for file in File::ALL {
            match self.piece_at(Square::new(file, rank)) {
                Some(piece) => {
                    push_count(text, &mut empty);
                    text.push(piece.letter());
                }
                None => empty += 1,
            }
        }
        push_count(text, &mut empty);
    }

    fn write_castling(&self, rook_files: bool, text: &mut String) {
        if !self.castling().any() {
            text.push('-');
        }
        for color in Color::ALL {
            let king = self.king(color);
            for wing in Wing::ALL {
                if let Some(rook) = self.castling().rook(color, wing, king) {
                    let letter = if rook_files || !self.is_outermost(color, wing, rook) {
                        rook.file().letter()
                    } else if wing == Wing::King {
                        'k'
                    } else {
                        'q'
                    };
                    text.push(match color {
                        Color::White => letter.to_ascii_uppercase(),
                        Color::Black => letter,
                    });
                }
            }
        }
    }

    fn is_outermost(&self, color: Color, wing: Wing, rook: Square) -> bool {
        let king = self.king(color);
        self.pieces(color, PieceKind::Rook)
            .into_iter()
            .filter(|other| other.rank() == back_rank(color) && Wing::of(king, *other) == wing)
            .all(|other| match wing {
                Wing::King => other <= rook,
                Wing::Queen => other >= rook,
            })
    }
}

fn push_count(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}
