//! The 960 starting positions of Chess960 by their usual numbers.

use crate::{Board, BoardBuilder, Color, File, Piece, PieceKind, Rank, Square};

/// How many starting positions there are; number 518 is the ordinary one.
const STARTS: u16 = 960;
const ORDINARY_START: u16 = 518;

impl Board {
    /// The Chess960 starting position with a number from 0 to 959, the same for both sides.
    ///
    /// ```
    /// use chess::Board;
    /// assert_eq!(Board::chess960(518), Some(Board::start()));
    /// assert_eq!(Board::chess960(960), None);
    /// ```
    pub fn chess960(number: u16) -> Option<Board> {
        Board::double_chess960(number, number)
    }

    /// The starting position in which each side has its own number from 0 to 959.
    pub fn double_chess960(white: u16, black: u16) -> Option<Board> {
        if white >= STARTS || black >= STARTS {
            return None;
        }
        if (white, black) == (ORDINARY_START, ORDINARY_START) {
            return Some(Board::start());
        }
        let mut builder = BoardBuilder::new();
        for (color, number) in [(Color::White, white), (Color::Black, black)] {
            place(&mut builder, color, back_row(number));
        }
        builder.build().ok().map(|(board, _)| board)
    }
}

fn place(builder: &mut BoardBuilder, color: Color, row: [PieceKind; 8]) {
    for (file, kind) in File::ALL.into_iter().zip(row) {
        for (rank, kind) in [(Rank::First, kind), (Rank::Second, PieceKind::Pawn)] {
            let square = Square::new(file, rank.relative_to(color));
            builder.pieces[square.index()] = Some(Piece::new(color, kind));
        }
        if kind == PieceKind::Rook {
            builder.castling.push((color, file));
        }
    }
}

/// The back rank with a number in Scharnagl's scheme: bishops, queen and knights
/// by successive division, then rook, king, rook on the squares left.
fn back_row(number: u16) -> [PieceKind; 8] {
    const KNIGHTS: [(usize, usize); 10] = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 4),
    ];
    let mut row = [None; 8];
    let number = usize::from(number);
    let (number, light) = (number / 4, number % 4);
    let (number, dark) = (number / 4, number % 4);
    let (knights, queen) = (number / 6, number % 6);
    row[light * 2 + 1] = Some(PieceKind::Bishop);
    row[dark * 2] = Some(PieceKind::Bishop);
    put_on_free(&mut row, queen, PieceKind::Queen);
    let (first, second) = KNIGHTS[knights];
    put_on_free(&mut row, second, PieceKind::Knight);
    put_on_free(&mut row, first, PieceKind::Knight);
    for kind in [PieceKind::Rook, PieceKind::King, PieceKind::Rook] {
        put_on_free(&mut row, 0, kind);
    }
    row.map(|kind| kind.unwrap_or(PieceKind::Rook))
}

/// Puts a piece on a free square, given by its number among the free ones.
fn put_on_free(row: &mut [Option<PieceKind>; 8], number: usize, kind: PieceKind) {
    if let Some(place) = row.iter_mut().filter(|place| place.is_none()).nth(number) {
        *place = Some(kind);
    }
}
