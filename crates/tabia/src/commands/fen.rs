//! `tabia fen`: shows a position and what the rules say about it.

use crate::exit::Exit;
use crate::output::Output;
use crate::position;
use anyhow::Context;
use chess::render::{self, Letters, Picture};
use chess::{Board, Color};
use clap::Args;
use serde::Serialize;
use std::fmt::{self, Display};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia fen \\
      'r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4'
  tabia fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 --svg castling.svg";

/// The width to which moves are wrapped, as in PGN.
const COLUMNS: usize = 80;
/// The column in which the values of the report begin.
const INDENT: usize = 9;

/// Show a position: board, legal moves, checks, game state, hash key
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The position as FEN; quotes are optional
    #[arg(required = true)]
    fen: Vec<String>,
    /// Draw the board to this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let board = position::read(&options.fen.join(" "), output)?;
    output.report(&Report::new(&board))?;
    if let Some(file) = &options.svg {
        data::file::write(file, Picture::new(&board).to_svg().as_bytes())
            .with_context(|| format!("cannot write {}", file.display()))?;
        output.note(format_args!("drew {}", file.display()));
    }
    Ok(Exit::Good)
}

/// What the rules say about a position.
#[derive(Serialize)]
struct Report {
    fen: String,
    #[serde(skip)]
    board: String,
    side_to_move: &'static str,
    /// The squares of the men that give check.
    checkers: Vec<String>,
    /// `in-play`, or how the game ended.
    state: &'static str,
    #[serde(skip)]
    state_in_words: String,
    /// As in PGN; `*` while the game is in play.
    result: &'static str,
    /// In SAN, sorted.
    legal_moves: Vec<String>,
    key: String,
}

impl Report {
    fn new(board: &Board) -> Self {
        let termination = board.termination();
        let moves = board.legal_moves();
        let mut legal_moves: Vec<_> = moves.iter().map(|&mv| board.san(mv).to_string()).collect();
        legal_moves.sort_unstable();
        Self {
            fen: board.fen(),
            board: render::board_text(board, Color::White, Letters::Ascii),
            side_to_move: match board.side_to_move() {
                Color::White => "white",
                Color::Black => "black",
            },
            checkers: board
                .checkers()
                .into_iter()
                .map(|square| square.to_string())
                .collect(),
            state: termination.map_or("in-play", |termination| termination.name()),
            state_in_words: match termination {
                Some(termination) => termination.to_string(),
                None if board.is_plainly_dead() => "in play, but insufficient material to \
                    mate"
                    .to_owned(),
                None => "in play".to_owned(),
            },
            result: termination.map_or("*", |termination| termination.result()),
            legal_moves,
            key: format!("{:016x}", board.key()),
        }
    }

    fn checks_in_words(&self) -> String {
        match self.checkers.as_slice() {
            [] => "none".to_owned(),
            squares => format!("from {}", squares.join(" and ")),
        }
    }
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}", self.board)?;
        for (name, value) in [
            ("fen", &self.fen),
            ("to move", &self.side_to_move.to_owned()),
            ("check", &self.checks_in_words()),
            ("state", &self.state_in_words),
            ("key", &self.key),
            ("moves", &wrapped(&self.legal_moves)),
        ] {
            writeln!(formatter, "{name:INDENT$}{value}")?;
        }
        Ok(())
    }
}

/// The number of moves, and the moves wrapped to the width of a terminal.
fn wrapped(moves: &[String]) -> String {
    let mut text = moves.len().to_string();
    let mut column = COLUMNS;
    for mv in moves {
        if column + 1 + mv.len() > COLUMNS {
            text += &format!("\n{:INDENT$}{mv}", "");
            column = INDENT + mv.len();
        } else {
            text += &format!(" {mv}");
            column += 1 + mv.len();
        }
    }
    text
}
