//! The state and the record of a game: moves, sides, names and result. It must not know who thinks,
//! nor the terminal.

use chess::{ActionError, Board, Color, Game, Move};
use data::pgn::{self, GameResult, PlayedMove, Tags};
use jiff::Timestamp;

/// A game in play.
pub(super) struct Played {
    game: Game,
    start: Board,
    /// The user's side.
    pub(super) side: Color,
    names: [String; 2],
    /// The side that has resigned.
    resigned: Option<Color>,
}

impl Played {
    pub(super) fn new(start: Board, side: Color, person: &str, player: String) -> Played {
        Played {
            game: Game::new(start),
            start,
            side,
            names: [person.to_owned(), player],
            resigned: None,
        }
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn board(&self) -> &Board {
        self.game.board()
    }

    pub(super) fn is_persons_turn(&self) -> bool {
        self.board().side_to_move() == self.side
    }

    /// The legal move that a text in SAN or UCI notation stands for.
    pub(super) fn read(&self, text: &str) -> Result<Move, String> {
        let board = self.board();
        let by_san = board.parse_san(text);
        by_san.or_else(|problem| board.parse_uci(text).map_err(|_| problem))
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal, which only an external program can cause.
    pub(super) fn play(&mut self, mv: Move) -> Result<(), ActionError> {
        self.game.play(mv).map(|_| ())
    }

    /// Takes back the user's last move and the reply to it; returns whether there was one.
    pub(super) fn take_back(&mut self) -> bool {
        let plies = 1 + usize::from(self.is_persons_turn());
        let Some(left) = self.game.moves().len().checked_sub(plies) else {
            return false;
        };
        let mut game = Game::new(self.start);
        let again = self.game.moves()[..left].iter();
        let replayed = again.copied().all(|mv| game.play(mv).is_ok());
        debug_assert!(replayed, "the moves were legal before");
        self.game = game;
        true
    }

    pub(super) fn resign(&mut self) {
        self.resigned = Some(self.side);
    }

    /// The result and the reason, if the game has ended.
    pub(super) fn end(&self) -> Option<(GameResult, String)> {
        let won_by = |color: Color| match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        };
        if let Some(color) = self.resigned {
            return Some((won_by(!color), "you resigned".to_owned()));
        }
        let termination = self.game.termination()?;
        let result = termination.winner().map_or(GameResult::Draw, won_by);
        Some((result, termination.name().replace('-', " ")))
    }

    /// The number of the next move, such as `12.` or `12...`.
    pub(super) fn move_number(&self) -> String {
        let number = self.board().fullmove_number();
        match self.board().side_to_move() {
            Color::White => format!("{number}."),
            Color::Black => format!("{number}..."),
        }
    }

    /// The game as PGN.
    pub(super) fn pgn(&self) -> String {
        let end = self.end();
        let result = end
            .as_ref()
            .map_or(GameResult::Unknown, |(result, _)| *result);
        let [person, player] = &self.names;
        let (white, black) = match self.side {
            Color::White => (person, player),
            Color::Black => (player, person),
        };
        let tags: Tags = [
            ("Event", "A game in the terminal".to_owned()),
            ("Date", today()),
            ("White", white.clone()),
            ("Black", black.clone()),
            ("Result", result.to_string()),
        ]
        .into_iter()
        .collect();
        let mut game = pgn::Game::new(self.start, tags);
        game.result = result;
        let moves = self.game.moves().iter();
        game.moves.moves = moves.map(|&mv| PlayedMove::new(Some(mv))).collect();
        if let (Some((_, words)), Some(last)) = (end, game.moves.moves.last_mut()) {
            last.comments.push(words);
        }
        game.to_string()
    }
}

/// Today's date in the format of PGN.
fn today() -> String {
    // A timestamp begins with the date: 2024-05-01T12:00:00Z.
    let now = Timestamp::now().to_string();
    now.get(..10).unwrap_or("????.??.??").replace('-', ".")
}
