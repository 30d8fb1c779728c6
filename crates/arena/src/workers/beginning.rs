//! The players and the opening of a numbered game as bytes. A worker needs nothing else of the
//! schedule or the book.

use crate::schedule::Fixture;
use chess::{Board, CastlingStyle, Game};
use serde::{Deserialize, Serialize};

/// How a game begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Beginning {
    pair: usize,
    round: usize,
    white: usize,
    black: usize,
    /// The position before the first move, if it is not the standard start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// The moves of the opening; castling is written as the king taking its rook.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    moves: String,
}

impl Beginning {
    pub(super) fn new(fixture: &Fixture, opening: &Game) -> Beginning {
        let boards = opening.line().boards();
        let moves = opening.moves().iter().zip(boards);
        let moves: Vec<String> = moves
            .map(|(&mv, board)| board.uci(mv, CastlingStyle::Chess960).to_string())
            .collect();
        Beginning {
            pair: fixture.pair,
            round: fixture.round,
            white: fixture.white,
            black: fixture.black,
            start: (boards[0] != Board::start()).then(|| boards[0].fen().to_string()),
            moves: moves.join(" "),
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // Numbers and strings can always be serialised.
        serde_json::to_vec(self).unwrap_or_default()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Beginning, String> {
        serde_json::from_slice(bytes).map_err(|error| error.to_string())
    }

    /// The fixture of the game with this number; `None` if it names players that do not exist.
    pub(super) fn fixture(&self, index: usize, players: usize) -> Option<Fixture> {
        let &Beginning {
            pair,
            round,
            white,
            black,
            ..
        } = self;
        (white.max(black) < players).then_some(Fixture {
            index,
            pair,
            round,
            white,
            black,
        })
    }

    /// The game of the opening.
    pub(super) fn opening(&self) -> Result<Game, String> {
        let start = match &self.start {
            Some(fen) => Board::from_fen(fen).map_err(|error| error.to_string())?,
            None => Board::start(),
        };
        let mut game = Game::new(start);
        for word in self.moves.split_whitespace() {
            let mv = game.board().parse_uci(word);
            let mv = mv.map_err(|error| error.to_string())?;
            game.play(mv).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIXTURE: Fixture = Fixture {
        index: 7,
        pair: 3,
        round: 2,
        white: 1,
        black: 0,
    };

    #[test]
    fn a_beginning_survives_as_bytes() {
        for (fen, moves) in [
            (None, "e2e4 e7e5 g1f3"),
            (None, ""),
            (
                Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 20"),
                "e1h1 e8a8 f1e1",
            ),
            (
                Some("1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RKR1R2 w Dfb - 3 9"),
                "b2b3",
            ),
        ] {
            let start = fen.map_or_else(Board::start, |fen| Board::from_fen(fen).expect(fen));
            let mut game = Game::new(start);
            for word in moves.split_whitespace() {
                let mv = game.board().parse_uci(word).expect(word);
                game.play(mv).expect(word);
            }
            let beginning = Beginning::new(&FIXTURE, &game);
            let again = Beginning::from_bytes(&beginning.to_bytes()).expect("bytes");
            assert_eq!(again, beginning);
            assert_eq!(again.fixture(7, 2), Some(FIXTURE));
            assert_eq!(again.fixture(7, 1), None);
            let opening = again.opening().expect("an opening");
            assert_eq!(opening.moves(), game.moves());
            assert_eq!(opening.line().boards(), game.line().boards());
        }
    }

    #[test]
    fn garbage_is_refused() {
        for bytes in [&b""[..], b"\xff", b"{}", b"[1,2,3]"] {
            assert!(Beginning::from_bytes(bytes).is_err());
        }
        let opening = |json: &str| {
            let beginning = Beginning::from_bytes(json.as_bytes()).expect(json);
            beginning.opening().expect_err(json)
        };
        opening(r#"{"pair":0,"round":0,"white":0,"black":1,"start":"8/8"}"#);
        opening(r#"{"pair":0,"round":0,"white":0,"black":1,"moves":"e2e5"}"#);
    }
}
