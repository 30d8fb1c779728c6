//! The board as an SVG picture; only the coordinates need a font.

use super::pieces::shape;
use crate::{Board, Color, File, Move, Piece, PieceKind, Rank, Square, Wing};
use std::fmt::Write as _;

/// The width of a square in the picture's own units.
const SQUARE: i32 = 45;
/// The width of the frame with the coordinates.
const MARGIN: i32 = 20;

const LIGHT: &str = "#f0e4cf";
const DARK: &str = "#b08968";
const MARKED_LIGHT: &str = "#e6df7f";
const MARKED_DARK: &str = "#c3ad3e";
const CHECK: &str = "#d9534f";
const FRAME: &str = "#5b4636";
const WHITE_MAN: &str = "#ffffff";
const BLACK_MAN: &str = "#3a3a3a";
const INK: &str = "#1d1d1d";
/// The colour of the lines inside black men, which must stand out from their filling.
const LIGHT_INK: &str = "#e8e8e8";

/// An arrow between two squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Where it starts.
    pub from: Square,
    /// Where it points.
    pub to: Square,
    /// Its colour, as CSS writes it.
    pub color: String,
}

impl Arrow {
    /// A green arrow.
    pub fn new(from: Square, to: Square) -> Arrow {
        Arrow {
            from,
            to,
            color: "#2e7d32".to_owned(),
        }
    }
}

/// The pieces as SVG symbols on squares of 45 units, for pages with many boards:
/// `<use href="#wK">` is White's king.
pub fn piece_symbols() -> String {
    let mut svg = String::new();
    for color in [Color::White, Color::Black] {
        for kind in PieceKind::ALL {
            let piece = Piece { color, kind };
            let side = match color {
                Color::White => 'w',
                Color::Black => 'b',
            };
            let letter = kind.letter();
            let _ = writeln!(
                svg,
                "<symbol id=\"{side}{letter}\" viewBox=\"0 0 {SQUARE} {SQUARE}\">"
            );
            draw_man(piece, (0, 0), &mut svg);
            svg.push_str("</symbol>\n");
        }
    }
    svg
}

/// What a picture of a board shows.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// The position.
    pub board: &'a Board,
    /// The side at the bottom.
    pub below: Color,
    /// Whether to show letters and digits around the board.
    pub coordinates: bool,
    /// The move that led to the position; its squares are marked.
    pub last_move: Option<Move>,
    /// Arrows over the board.
    pub arrows: Vec<Arrow>,
}

impl<'a> Picture<'a> {
    /// A picture with coordinates, White below, nothing marked.
    pub fn new(board: &'a Board) -> Picture<'a> {
        Picture {
            board,
            below: Color::White,
            coordinates: true,
            last_move: None,
            arrows: Vec::new(),
        }
    }

    /// The picture as an SVG document.
    pub fn to_svg(&self) -> String {
        let size = 8 * SQUARE + 2 * self.margin();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" \
             width=\"{size}\" height=\"{size}\" role=\"img\">\n\
             <title>{}</title>\n",
            self.board.fen()
        );
        self.draw_coordinates(size, &mut svg);
        for square in Square::all() {
            self.draw_square(square, &mut svg);
        }
        for square in self.board.occupied() {
            if let Some(piece) = self.board.piece_at(square) {
                self.draw_piece(piece, square, &mut svg);
            }
        }
        for arrow in &self.arrows {
            self.draw_arrow(arrow, &mut svg);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn margin(&self) -> i32 {
        if self.coordinates { MARGIN } else { 0 }
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
        let (column, row) = match self.below {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        };
        (
            self.margin() + column * SQUARE,
            self.margin() + row * SQUARE,
        )
    }

    fn draw_coordinates(&self, size: i32, svg: &mut String) {
        if !self.coordinates {
            return;
        }
        let _ = writeln!(
            svg,
            "<rect width=\"{size}\" height=\"{size}\" fill=\"{FRAME}\"/>"
        );
        svg.push_str("<g font-family=\"sans-serif\" font-size=\"12\" fill=\"#f5efe6\" text-anchor=\"middle\">\n");
        for (file, rank) in File::ALL.into_iter().zip(Rank::ALL) {
            let (x, y) = self.corner(Square::new(file, rank));
            let (middle_x, middle_y) = (x + SQUARE / 2, y + SQUARE / 2 + 4);
            let (near, far) = (MARGIN / 2, size - MARGIN / 2);
            for edge in [near, far] {
                let (letter, digit) = (file.letter(), rank.digit());
                let _ = writeln!(
                    svg,
                    "<text x=\"{middle_x}\" y=\"{}\">{letter}</text>",
                    edge + 4
                );
                let _ = writeln!(svg, "<text x=\"{edge}\" y=\"{middle_y}\">{digit}</text>");
            }
        }
        svg.push_str("</g>\n");
    }

    fn draw_square(&self, square: Square, svg: &mut String) {
        let (x, y) = self.corner(square);
        let fill = match (self.is_marked(square), square.is_light()) {
            _ if self.is_checked_king(square) => CHECK,
            (false, true) => LIGHT,
            (false, false) => DARK,
            (true, true) => MARKED_LIGHT,
            (true, false) => MARKED_DARK,
        };
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\"/>"
        );
    }

    fn is_marked(&self, square: Square) -> bool {
        self.last_move.is_some_and(|mv| {
            // Castling is stored as king takes rook: mark where the king went.
            let to = if mv.is_castling() {
                Square::new(Wing::of(mv.from(), mv.to()).king_file(), mv.to().rank())
            } else {
                mv.to()
            };
            square == mv.from() || square == to
        })
    }

    fn is_checked_king(&self, square: Square) -> bool {
        self.board.in_check() && square == self.board.king(self.board.side_to_move())
    }

    fn draw_piece(&self, piece: Piece, square: Square, svg: &mut String) {
        let (x, y) = self.corner(square);
        draw_man(piece, (x, y), svg);
    }

    fn draw_arrow(&self, arrow: &Arrow, svg: &mut String) {
        let centre = |square| {
            let (x, y) = self.corner(square);
            (
                f64::from(x) + f64::from(SQUARE) / 2.0,
                f64::from(y) + f64::from(SQUARE) / 2.0,
            )
        };
        let ((x1, y1), (x2, y2)) = (centre(arrow.from), centre(arrow.to));
        let length = (x2 - x1).hypot(y2 - y1);
        if length == 0.0 {
            return;
        }
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        // The shaft ends where the head, a triangle of 16 by 18, begins.
        let (neck_x, neck_y) = (x2 - dx * 16.0, y2 - dy * 16.0);
        let color = arrow.color.replace(['"', '<', '&'], "");
        let _ = writeln!(
            svg,
            "<g fill=\"{color}\" stroke=\"{color}\" opacity=\"0.75\">\
             <line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{neck_x:.1}\" y2=\"{neck_y:.1}\" stroke-width=\"7\"/>\
             <path stroke=\"none\" d=\"M{x2:.1} {y2:.1} L{:.1} {:.1} L{:.1} {:.1} Z\"/></g>",
            neck_x - dy * 9.0,
            neck_y + dx * 9.0,
            neck_x + dy * 9.0,
            neck_y - dx * 9.0,
        );
    }
}

fn draw_man(piece: Piece, (x, y): (i32, i32), svg: &mut String) {
    let shape = shape(piece.kind);
    let (fill, lines) = match piece.color {
        Color::White => (WHITE_MAN, INK),
        Color::Black => (BLACK_MAN, LIGHT_INK),
    };
    let _ = writeln!(
        svg,
        "<g transform=\"translate({x} {y})\" stroke-width=\"1.5\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\"><path d=\"{}\" fill=\"{fill}\" stroke=\"{INK}\"/>",
        shape.outline
    );
    if !shape.lines.is_empty() {
        let _ = writeln!(
            svg,
            "<path d=\"{}\" fill=\"none\" stroke=\"{lines}\"/>",
            shape.lines
        );
    }
    svg.push_str("</g>\n");
}
