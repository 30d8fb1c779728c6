//! The game that a client describes.

use super::parse::PositionWords;
use chess::{Board, Game};

/// The game of a `position` command. After an error the old position remains.
pub(super) fn set_up(words: &PositionWords) -> Result<Game, String> {
    let board = match &words.fen {
        None => Board::start(),
        Some(fen) => Board::from_fen(fen)
            .map_err(|error| format!("invalid FEN: {error}; the old position is kept"))?,
    };
    let mut game = Game::new(board);
    for (index, text) in words.moves.iter().enumerate() {
        let mv = game.board().parse_uci(text).map_err(|error| {
            format!(
                "invalid move {} of the position: {error}; the old position is kept",
                index + 1
            )
        })?;
        // Not played but pushed: a client may continue after a draw by the rules.
        game.push(mv);
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::super::parse::{Command, parse};
    use super::*;
    use chess::Color;

    fn position(line: &str) -> Result<Game, String> {
        match parse(line) {
            Command::Position(words) => set_up(&words),
            other => panic!("{line} is {other:?}"),
        }
    }

    #[test]
    fn moves_are_played() {
        let game = position("position startpos moves e2e4 e7e5 g1f3").expect("a position");
        assert_eq!(game.line().length(), 3);
        assert_eq!(game.board().side_to_move(), Color::Black);
    }

    #[test]
    fn the_game_goes_on_after_a_draw_by_repetition() {
        let there_and_back = "g1f3 g8f6 f3g1 f6g8 ".repeat(3);
        let line = format!("position startpos moves {there_and_back}e2e4");
        let game = position(&line).expect("a position");
        assert_eq!(game.line().length(), 13);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = position("position startpos moves e2e4 e2e4").expect_err("illegal");
        assert!(
            error.starts_with("invalid move 2 of the position: "),
            "{error}"
        );
        let error = position("position fen 8/8 w - - 0 1").expect_err("broken");
        assert!(error.starts_with("invalid FEN: "), "{error}");
    }
}
