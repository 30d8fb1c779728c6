//! Writes records of plain text.

use std::fmt::Write;

use chess::CastlingStyle;

use crate::position::Position;

/// Appends a record. Castling is written as the king's move (`e1g1`) where that is
/// unambiguous, else in the style of Chess960.
pub fn write(position: &Position, text: &mut String) {
    let board = &position.board;
    let style = match crate::binpack::is_ordinary(board) {
        true => CastlingStyle::Standard,
        false => CastlingStyle::Chess960,
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "fen {}", board.fen());
    let _ = match position.mv {
        Some(mv) => writeln!(text, "move {}", board.uci(mv, style)),
        None => writeln!(text, "move none"),
    };
    let (score, ply, result) = (position.score, position.ply, position.result.number());
    let _ = writeln!(text, "score {score}\nply {ply}\nresult {result}\ne");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Outcome;
    use chess::Board;

    #[test]
    fn what_is_written_is_read() {
        for (fen, mv, expected) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "e1g1", "move e1g1"),
            (
                "1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w GBgb - 0 9",
                "e1g1",
                "move e1g1",
            ),
            ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8n", "move b7b8n"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "move none"),
        ] {
            let board = Board::from_fen(fen).expect("a position");
            let position = Position {
                board,
                mv: board.parse_uci(mv).ok(),
                score: -32_000,
                result: Outcome::Win,
                ply: 16,
            };
            let mut text = String::new();
            write(&position, &mut text);
            assert!(text.contains(expected), "{text}");
            assert_eq!(text.lines().count(), 6);
            let mut again = None;
            super::super::read(text.as_bytes(), |read| again = Some(*read)).expect("a record");
            assert_eq!(again, Some(position));
        }
    }
}
