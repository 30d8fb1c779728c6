//! Positions, moves and ends of games as the page needs them: it knows no rules itself.

use crate::answer::{Answer, Problem, answer};
use axum::routing::post;
use axum::{Json, Router};
use chess::{Board, CastlingStyle, Color, Game, Move};
use data::pgn::{self, GameResult, PlayedMove, Tags};
use serde::{Deserialize, Serialize};

/// No game that people look at is longer.
const MOST_PLIES: usize = 2000;
/// No name of a player is longer in a PGN.
const LONGEST_NAME: usize = 80;

/// A game up to a position.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Moves {
    /// The first position as FEN; the usual one by default.
    pub(crate) start: Option<String>,
    /// Moves in coordinates.
    pub(crate) moves: Vec<String>,
}

/// A request about a game.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Asked {
    game: Moves,
    /// Names of the players for the PGN.
    white: Option<String>,
    black: Option<String>,
    /// Who resigned: white or black.
    resigned: Option<String>,
}

/// A position with all that can be done in it, and how it came about.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Position {
    /// The positions of the game, the first one first.
    fens: Vec<String>,
    /// The moves as people write them.
    sans: Vec<String>,
    /// The moves in coordinates.
    moves: Vec<String>,
    /// The side to move: white or black.
    turn: &'static str,
    check: bool,
    /// What the side to move can do; nothing when the game has ended.
    legal: Vec<Legal>,
    /// How the game ended, if it has.
    end: Option<End>,
    pgn: String,
}

/// A legal move.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Legal {
    uci: String,
    san: String,
}

/// The end of a game.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct End {
    result: String,
    words: String,
}

impl Moves {
    /// The game.
    pub(crate) fn game(&self) -> Result<Game, Problem> {
        let start = match &self.start {
            Some(fen) => board(fen)?,
            None => Board::start(),
        };
        if self.moves.len() > MOST_PLIES {
            return Err(Problem::wrong("the game is too long"));
        }
        let mut game = Game::new(start);
        for (ply, word) in self.moves.iter().enumerate() {
            let illegal = || Problem::wrong(format!("move {} is not legal", ply + 1));
            let mv = game.board().parse_uci(word).map_err(|_| illegal())?;
            game.play(mv).map_err(|_| illegal())?;
        }
        Ok(game)
    }
}

/// The position of a FEN.
pub(crate) fn board(fen: &str) -> Result<Board, Problem> {
    if fen.len() > 200 {
        return Err(Problem::wrong("not a valid FEN: it is too long"));
    }
    Board::from_fen(fen.trim()).map_err(|error| Problem::wrong(format!("not a valid FEN: {error}")))
}

/// A move in coordinates.
pub(crate) fn uci(board: &Board, mv: Move) -> String {
    board.uci(mv, CastlingStyle::Standard).to_string()
}

/// A line of moves as people write them, as far as they are legal.
pub(crate) fn sans(board: &Board, line: &[Move]) -> Vec<String> {
    let mut board = *board;
    let mut words = Vec::new();
    for &mv in line {
        if !board.is_legal(mv) {
            break;
        }
        words.push(board.san(mv).to_string());
        board.make(mv);
    }
    words
}

pub(crate) fn color_word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

async fn position(Json(asked): Json<Asked>) -> Answer<Position> {
    answer(move || {
        let game = asked.game.game()?;
        let resigned = match asked.resigned.as_deref() {
            None => None,
            Some("white") => Some(Color::White),
            Some("black") => Some(Color::Black),
            Some(_) => return Err(Problem::wrong("resigned must be white or black")),
        };
        let end = end(&game, resigned);
        let names = [asked.white, asked.black].map(|name| {
            let name = name.unwrap_or_else(|| "?".to_owned());
            name.chars().take(LONGEST_NAME).collect::<String>()
        });
        Ok(shown(&game, end, names))
    })
    .await
}

fn end(game: &Game, resigned: Option<Color>) -> Option<(GameResult, String)> {
    let won_by = |color: Color| match color {
        Color::White => GameResult::WhiteWins,
        Color::Black => GameResult::BlackWins,
    };
    if let Some(color) = resigned {
        return Some((won_by(!color), format!("{} resigned", color_word(color))));
    }
    let termination = game.termination()?;
    let result = termination.winner().map_or(GameResult::Draw, won_by);
    Some((result, termination.name().replace('-', " ")))
}

fn shown(game: &Game, end: Option<(GameResult, String)>, names: [String; 2]) -> Position {
    let boards = game.line().boards();
    let board = game.board();
    let moves = board.legal_moves();
    let legal = moves.iter().filter(|_| end.is_none()).map(|&mv| Legal {
        uci: uci(board, mv),
        san: board.san(mv).to_string(),
    });
    let played = || game.moves().iter().zip(boards);
    Position {
        fens: boards.iter().map(Board::fen).collect(),
        sans: played()
            .map(|(&mv, board)| board.san(mv).to_string())
            .collect(),
        moves: played().map(|(&mv, board)| uci(board, mv)).collect(),
        turn: color_word(board.side_to_move()),
        check: board.in_check(),
        legal: legal.collect(),
        pgn: written(game, end.as_ref(), names),
        end: end.map(|(result, words)| End {
            result: result.to_string(),
            words,
        }),
    }
}

fn written(game: &Game, end: Option<&(GameResult, String)>, [white, black]: [String; 2]) -> String {
    let result = end.map_or(GameResult::Unknown, |(result, _)| *result);
    let now = jiff::Timestamp::now().to_string();
    // A timestamp begins with the date: 2024-05-01T12:00:00Z.
    let date = now.get(..10).unwrap_or("????.??.??").replace('-', ".");
    let tags: Tags = [
        ("Event", "A game on the page".to_owned()),
        ("Date", date),
        ("White", white),
        ("Black", black),
        ("Result", result.to_string()),
    ]
    .into_iter()
    .collect();
    let mut written = pgn::Game::new(game.line().boards()[0], tags);
    written.result = result;
    let moves = game.moves().iter();
    written.moves.moves = moves.map(|&mv| PlayedMove::new(Some(mv))).collect();
    if let (Some((_, words)), Some(last)) = (end, written.moves.moves.last_mut()) {
        last.comments.push(words.clone());
    }
    written.to_string()
}

/// What can be asked of positions.
pub(crate) fn routes() -> Router {
    Router::new().route("/position", post(position))
}
