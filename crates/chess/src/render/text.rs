//! The board as text.

use crate::{Board, Color, File, Rank, Square};

/// How pieces are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Letters {
    /// Letters as in FEN.
    #[default]
    Ascii,
    /// Unicode figurines.
    Figurines,
}

/// The board in nine lines, with the side `below` at the bottom.
///
/// ```
/// use chess::{Board, Color, render};
/// let text = render::board_text(&Board::start(), Color::White, render::Letters::Ascii);
/// assert!(text.starts_with("8  r n b q k b n r\n"));
/// assert!(text.ends_with("\n   a b c d e f g h\n"));
/// ```
pub fn board_text(board: &Board, below: Color, letters: Letters) -> String {
    let mut text = String::new();
    let upside_down = below == Color::Black;
    let mut ranks = Rank::ALL;
    let mut files = File::ALL;
    if upside_down {
        files.reverse();
    } else {
        ranks.reverse();
    }
    for rank in ranks {
        text.push(rank.digit());
        text.push(' ');
        for file in files {
            text.push(' ');
            text.push(match (board.piece_at(Square::new(file, rank)), letters) {
                (None, _) => '.',
                (Some(piece), Letters::Ascii) => piece.letter(),
                (Some(piece), Letters::Figurines) => piece.figurine(),
            });
        }
        text.push('\n');
    }
    text.push_str("  ");
    for file in files {
        text.push(' ');
        text.push(file.letter());
    }
    text.push('\n');
    text
}
