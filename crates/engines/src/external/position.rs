//! The game as a `position` command, extended move by move instead of rewritten.

use chess::{Board, CastlingStyle, Color, File, Game, Move};
use std::fmt::Write as _;

/// The text of the last command, and the game that it describes.
#[derive(Default)]
pub(super) struct PositionText {
    text: String,
    start: Option<Board>,
    moves: Vec<Move>,
    castling: CastlingStyle,
}

impl PositionText {
    /// The command for a game, without the line end.
    pub(super) fn of(&mut self, game: &Game, castling: CastlingStyle) -> &mut String {
        let boards = game.line().boards();
        if !self.is_beginning_of(game, castling) {
            self.begin(&boards[0], castling);
        }
        while let Some(mv) = move_at(game, self.moves.len()) {
            if self.moves.is_empty() {
                self.text.push_str(" moves");
            }
            let board = &boards[self.moves.len()];
            // Writing to a String cannot fail.
            let _ = write!(self.text, " {}", board.uci(mv, castling));
            self.moves.push(mv);
        }
        &mut self.text
    }

    /// Whether the text can be extended to describe the game.
    fn is_beginning_of(&self, game: &Game, castling: CastlingStyle) -> bool {
        // Moves made by a search are not recorded; they may differ each time.
        let has_all_moves = game.moves().len() == game.line().length();
        self.castling == castling
            && self.start.as_ref() == game.line().boards().first()
            && has_all_moves
            && game.moves().starts_with(&self.moves)
    }

    fn begin(&mut self, start: &Board, castling: CastlingStyle) {
        self.text.clear();
        self.moves.clear();
        self.start = Some(*start);
        self.castling = castling;
        if *start == Board::start() {
            self.text.push_str("position startpos");
            return;
        }
        let fen = match castling {
            CastlingStyle::Standard => start.fen(),
            CastlingStyle::Chess960 => start.shredder_fen(),
        };
        let _ = write!(self.text, "position fen {fen}");
    }
}

/// A move of the game, or of a search that continues it.
fn move_at(game: &Game, index: usize) -> Option<Move> {
    if let Some(&mv) = game.moves().get(index) {
        return Some(mv);
    }
    let boards = game.line().boards();
    let (before, after) = (boards.get(index)?, boards.get(index + 1)?);
    let legal = before.legal_moves();
    legal.iter().copied().find(|&mv| before.after(mv) == *after)
}

/// Whether the castling of a game with this start can be written only in Chess960 notation.
pub(super) fn is_chess960(start: &Board) -> bool {
    Color::ALL.into_iter().any(|color| {
        let mut rooks = start.castling().rooks(color).into_iter();
        rooks.any(|rook| {
            start.king(color).file() != File::E || !matches!(rook.file(), File::A | File::H)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(game: &mut Game, moves: &str) {
        for text in moves.split_whitespace() {
            let mv = game.board().parse_uci(text).expect(text);
            game.play(mv).expect(text);
        }
    }

    #[test]
    fn the_text_grows_with_the_game() {
        let mut text = PositionText::default();
        let mut game = Game::new(Board::start());
        let style = CastlingStyle::Standard;
        assert_eq!(text.of(&game, style), "position startpos");
        play(&mut game, "e2e4 e7e5");
        assert_eq!(text.of(&game, style), "position startpos moves e2e4 e7e5");
        play(&mut game, "g1f3 b8c6 f1c4 f8c5 e1g1");
        let all = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1";
        assert_eq!(text.of(&game, style), all);
        assert_eq!(text.of(&game, style), all);
    }

    #[test]
    fn another_game_is_another_text() {
        let mut text = PositionText::default();
        let style = CastlingStyle::Standard;
        let mut game = Game::new(Board::start());
        play(&mut game, "e2e4 e7e5");
        text.of(&game, style);
        let mut other = Game::new(Board::start());
        play(&mut other, "e2e4 c7c5 g1f3");
        let expected = "position startpos moves e2e4 c7c5 g1f3";
        assert_eq!(text.of(&other, style), expected);
        assert_eq!(text.of(&game, style), "position startpos moves e2e4 e7e5");
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 9";
        let mut game = Game::new(Board::from_fen(fen).expect(fen));
        play(&mut game, "e1g1");
        let expected = format!("position fen {fen} moves e1g1");
        assert_eq!(*text.of(&game, style), expected);
    }

    #[test]
    fn moves_of_a_search_are_told_too() {
        let mut text = PositionText::default();
        let mut game = Game::new(Board::start());
        play(&mut game, "e2e4");
        for other in ["e7e5", "c7c5"] {
            let mv = game.board().parse_uci(other).expect(other);
            game.push(mv);
            assert_eq!(
                *text.of(&game, CastlingStyle::Standard),
                format!("position startpos moves e2e4 {other}")
            );
            game.pop();
        }
    }

    #[test]
    fn chess960_is_written_in_its_own_way() {
        let fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
        let board = Board::from_fen(fen).expect(fen);
        assert!(is_chess960(&board));
        let mut game = Game::new(board);
        play(&mut game, "e1g1");
        assert_eq!(
            *PositionText::default().of(&game, CastlingStyle::Chess960),
            format!("position fen {fen} moves e1g1")
        );
        assert!(!is_chess960(&Board::start()));
        let without_castling = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w - - 0 1";
        let board = Board::from_fen(without_castling).expect(without_castling);
        assert!(!is_chess960(&board));
    }
}
