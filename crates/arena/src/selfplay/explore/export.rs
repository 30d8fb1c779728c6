//! The games of an exploration as PGN and as lines of JSON, for people and other programs.
//!
//! Both have the games of the shard in the order of their numbers, and nothing that depends on
//! clocks or threads: the same games give the same bytes.

use super::resignation::Resignation;
use crate::game::{Outcome, Reason};
use crate::selfplay::record::GameRecord;
use crate::selfplay::run::{SelfPlay, SelfPlayError};
use crate::selfplay::totals::Totals;
use chess::{Board, Color};
use data::file;
use data::pgn::{Game, GameResult, PlayedMove, Tags};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;

/// A game of exploration as a line of JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameSummary {
    /// Its number, from 0.
    pub game: u64,
    /// Who won.
    pub result: Outcome,
    /// Why it ended.
    pub reason: Reason,
    /// The number of plies after the opening.
    pub plies: u32,
    /// The number of recorded positions.
    pub positions: u64,
    /// The number of positions that the policy learns from.
    pub full_rows: u32,
    /// Whether moves were searched, rather than drawn from the policy alone.
    pub searched: bool,
    /// The number of plies of the opening.
    pub opening: u32,
    /// The number of simulations of all searches.
    pub simulations: u64,
    /// The first resignation, whether or not it ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resignation: Option<Resignation>,
    /// The position before its first move, if it is not the standard start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// All its moves; castling is written as the king taking its rook.
    pub moves: String,
}

impl GameSummary {
    /// The summary of a line of the record; `None` if it is not a game of exploration.
    fn of(record: &GameRecord) -> Option<GameSummary> {
        let explored = record.explored.as_ref()?;
        Some(GameSummary {
            game: record.game,
            result: record.result,
            reason: record.reason,
            plies: record.plies,
            positions: record.positions,
            full_rows: explored.full_rows,
            searched: explored.searched,
            opening: explored.opening,
            simulations: explored.simulations,
            resignation: explored.resignation,
            fen: explored.fen.clone(),
            moves: explored.moves.clone(),
        })
    }

    /// The game as PGN; `None` if its moves are not legal.
    fn pgn(&self, event: &str) -> Option<Game> {
        let start = match &self.fen {
            Some(fen) => Board::from_fen(fen).ok()?,
            None => Board::start(),
        };
        let tags: Tags = [
            ("Event", event.to_owned()),
            ("Round", (self.game + 1).to_string()),
            ("White", "explorer".to_owned()),
            ("Black", "explorer".to_owned()),
            ("Result", self.result.to_string()),
            (
                "PlyCount",
                self.moves.split_whitespace().count().to_string(),
            ),
            ("Termination", self.reason.pgn_termination().to_owned()),
        ]
        .into_iter()
        .collect();
        let mut game = Game::new(start, tags);
        game.result = match self.result.winner() {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        };
        let mut board = start;
        for text in self.moves.split_whitespace() {
            let mv = board.parse_uci(text).ok()?;
            game.moves.moves.push(PlayedMove::new(Some(mv)));
            board = board.after(mv);
        }
        let end = self.reason.in_words(self.result);
        match game.moves.moves.last_mut() {
            Some(last) => last.comments.push(end),
            None => game.moves.comments.push(end),
        }
        Some(game)
    }
}

/// The files to which games are exported.
#[derive(Clone, Copy, Debug)]
pub struct ExportPaths<'a> {
    /// The file for the lines of JSON.
    pub lines: &'a Path,
    /// The PGN file.
    pub pgn: &'a Path,
    /// The event's name in the PGN.
    pub event: &'a str,
}

impl SelfPlay<'_> {
    /// Writes the games of a shard that was just made; the record must still exist.
    ///
    /// # Errors
    /// If the record cannot be read, or a file cannot be written.
    pub fn export(&self, paths: &ExportPaths<'_>) -> Result<(), SelfPlayError> {
        let work = self.open()?;
        let write = |path: &Path, text: &dyn Fn(&GameSummary) -> Option<String>| {
            let mut failed = None;
            let written = file::write_with(path, |output: &mut dyn Write| -> io::Result<()> {
                let all = work.each_game(&mut Totals::default(), |record, _, _| {
                    let text = GameSummary::of(record).as_ref().and_then(text);
                    let text = text.unwrap_or_default();
                    output
                        .write_all(text.as_bytes())
                        .map_err(|cause| cannot_write(path, cause))
                });
                all.map_err(|error| {
                    failed = Some(error);
                    io::Error::other("a game cannot be used")
                })
            });
            written.map_err(|cause| failed.unwrap_or_else(|| cannot_write(path, cause)))
        };
        write(paths.lines, &|game| {
            Some(serde_json::to_string(game).ok()? + "\n")
        })?;
        write(paths.pgn, &|game| Some(game.pgn(paths.event)?.to_string()))
    }
}

fn cannot_write(path: &Path, cause: io::Error) -> SelfPlayError {
    SelfPlayError::Shard {
        path: path.to_owned(),
        cause,
    }
}
