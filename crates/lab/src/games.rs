//! The games in folders of work, for display: match games with what both players reported, and
//! games of self-play as far as they can be reconstructed from positions.
//!
//! This module must not know how games are shown.

use crate::error::LabError;
use arena::journal::{self, GameLine};
use chess::{Board, Color, Move, PieceKind};
use data::pgn::{self, GameResult, PlayedMove, Tags};
use data::policy::{PolicyReader, PolicyRecord};
use data::position::{Labels, Outcome, Position};
use data::shard::{self, GameFinder, Shard};
use engines::score::Score;
use jiff::Timestamp;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

/// A move of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KeptMove {
    /// The move.
    pub mv: Move,
    /// Its score for the side that made it, if known.
    pub score: Option<Score>,
    /// The depth of the search, if known.
    pub depth: Option<u32>,
    /// The nodes of the search, if known.
    pub nodes: Option<u64>,
    /// The time it took, if known.
    pub time: Option<Duration>,
}

/// A game.
#[derive(Clone, PartialEq, Debug)]
pub struct KeptGame {
    /// Its number in its file.
    pub number: usize,
    /// The player of the white pieces.
    pub white: String,
    /// The player of the black pieces.
    pub black: String,
    /// Its result.
    pub result: GameResult,
    /// Why it ended, in words, if known.
    pub reason: Option<String>,
    /// When it began, if known.
    pub started: Option<Timestamp>,
    /// The position before the first move.
    pub start: Board,
    /// Its moves.
    pub moves: Vec<KeptMove>,
}

impl KeptGame {
    /// The position after the last move.
    pub fn end(&self) -> Board {
        let mut board = self.start;
        for kept in &self.moves {
            board.make(kept.mv);
        }
        board
    }

    /// The material left at the end, such as `KRPvKR`.
    pub fn last_material(&self) -> String {
        let board = self.end();
        let men = |color: Color| -> String {
            let kinds = PieceKind::ALL.into_iter().rev();
            kinds
                .flat_map(|kind| {
                    let count = board.pieces(color, kind).count() as usize;
                    std::iter::repeat_n(kind.letter().to_ascii_uppercase(), count)
                })
                .collect()
        };
        format!("{}v{}", men(Color::White), men(Color::Black))
    }

    /// The first position, and the positions after each of the first plies.
    pub fn first_boards(&self, plies: usize) -> Vec<Board> {
        let mut boards = vec![self.start];
        let mut board = self.start;
        for kept in self.moves.iter().take(plies) {
            board.make(kept.mv);
            boards.push(board);
        }
        boards
    }

    /// The first plies in SAN, such as `1. e4 e5 2. Nf3`.
    pub fn first_moves(&self, plies: usize) -> String {
        let mut board = self.start;
        let mut words = Vec::new();
        for kept in self.moves.iter().take(plies) {
            let number = board.fullmove_number();
            match board.side_to_move() {
                Color::White => words.push(format!("{number}.")),
                Color::Black if words.is_empty() => words.push(format!("{number}...")),
                Color::Black => {}
            }
            words.push(board.san(kept.mv).to_string());
            board.make(kept.mv);
        }
        words.join(" ")
    }

    /// The game as PGN.
    pub fn pgn(&self, event: &str) -> String {
        let date = self.started.map_or_else(
            || "????.??.??".to_owned(),
            |at| {
                at.to_string()
                    .get(..10)
                    .unwrap_or_default()
                    .replace('-', ".")
            },
        );
        let tags: Tags = [
            ("Event", event.to_owned()),
            ("Date", date),
            ("White", self.white.clone()),
            ("Black", self.black.clone()),
            ("Result", self.result.to_string()),
        ]
        .into_iter()
        .collect();
        let mut game = pgn::Game::new(self.start, tags);
        game.result = self.result;
        game.moves.moves = self.moves.iter().map(written).collect();
        if let (Some(reason), Some(last)) = (&self.reason, game.moves.moves.last_mut()) {
            last.comments.push(reason.clone());
        }
        game.to_string()
    }
}

/// A move with a comment on its search, such as `{+0.31/12}`.
fn written(kept: &KeptMove) -> PlayedMove {
    let mut played = PlayedMove::new(Some(kept.mv));
    if let Some(score) = kept.score {
        let value = match score {
            Score::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
            Score::Mate(moves) if moves < 0 => format!("-M{}", -moves),
            Score::Mate(moves) => format!("+M{moves}"),
        };
        let depth = kept.depth.map(|depth| format!("/{depth}"));
        played.comments.push(value + &depth.unwrap_or_default());
    }
    played
}

/// Passes on the games of a match's journal, in the order in which they ended.
///
/// # Errors
/// If the file cannot be read, or is damaged.
pub fn of_match(path: &Path, each: &mut dyn FnMut(KeptGame)) -> Result<(), LabError> {
    journal::look(path, &mut |line| {
        if let Some(game) = game_of(&line) {
            each(game);
        }
    })?;
    Ok(())
}

fn game_of(line: &GameLine) -> Option<KeptGame> {
    let moves = line
        .moves()
        .ok()?
        .into_iter()
        .map(|(mv, thought)| KeptMove {
            mv,
            score: thought.as_ref().and_then(|thought| thought.score),
            depth: thought.as_ref().map(|thought| thought.depth),
            nodes: thought.as_ref().map(|thought| thought.nodes),
            time: thought.as_ref().map(|thought| thought.time),
        });
    Some(KeptGame {
        number: line.index,
        white: line.white.clone(),
        black: line.black.clone(),
        result: match line.result.winner() {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        },
        reason: Some(line.end_in_words()),
        started: Some(line.started),
        start: line.start()?,
        moves: moves.collect(),
    })
}

/// Passes on the games of a shard, in file order, as far as the first `most` positions go. A game
/// is cut short where positions were left out.
///
/// # Errors
/// If the file cannot be read.
pub fn of_shard(
    path: &Path,
    most: usize,
    each: &mut (dyn FnMut(KeptGame) + Send),
) -> Result<(), LabError> {
    let mut gathered = Gathered::default();
    positions(path, most, &mut |position| {
        if let Some(game) = gathered.add(position) {
            each(game);
        }
    })?;
    if let Some(game) = gathered.finish() {
        each(game);
    }
    Ok(())
}

/// Gets positions, one after the other.
pub type Each<'a> = &'a mut (dyn FnMut(&Position) + Send);

/// Passes on the positions of a shard of any kind, at most this many; returns whether there are
/// more.
///
/// # Errors
/// If the file cannot be read.
pub fn positions(path: &Path, most: usize, each: Each<'_>) -> Result<bool, LabError> {
    match path.extension().is_some_and(|ending| ending == "policy") {
        true => searched_positions(path, most, each),
        false => scored_positions(path, most, each),
    }
}

fn scored_positions(path: &Path, most: usize, each: Each<'_>) -> Result<bool, LabError> {
    let (mut seen, mut is_cut) = (0, false);
    let read = shard::read(
        Shard::open(path)?,
        Labels::default(),
        1,
        |reading| {
            let mut positions = Vec::new();
            reading.for_each(|position, _| positions.push(*position));
            positions
        },
        |read| {
            for position in &read.made {
                if seen == most {
                    is_cut = true;
                    return ControlFlow::Break(());
                }
                each(position);
                seen += 1;
            }
            ControlFlow::Continue(())
        },
    );
    // A file that is still being written may end with a partial position.
    match read {
        Err(error) if seen == 0 => Err(error.into()),
        _ => Ok(is_cut),
    }
}

/// Positions with visits; each move is the one that led to the next position.
fn searched_positions(path: &Path, most: usize, each: Each<'_>) -> Result<bool, LabError> {
    let wrong = |error: &dyn std::fmt::Display| {
        LabError::file(path, std::io::Error::other(error.to_string()))
    };
    let mut reader = PolicyReader::open(path).map_err(|error| wrong(&error))?;
    let mut waiting: Option<PolicyRecord> = None;
    let mut seen = 0;
    while let Some(block) = reader.next_block().map_err(|error| wrong(&error))? {
        for record in block {
            if let Some(before) = waiting.replace(record) {
                if seen == most {
                    return Ok(true);
                }
                each(&scored(&before, waiting.as_ref()));
                seen += 1;
            }
        }
    }
    if let Some(last) = waiting.filter(|_| seen < most) {
        each(&scored(&last, None));
    }
    Ok(false)
}

/// A searched position in the form of a scored one; the move is the one that led to the next.
fn scored(record: &PolicyRecord, next: Option<&PolicyRecord>) -> Position {
    let follows = |next: &&PolicyRecord| next.ply == record.ply + 1;
    let played = next.filter(follows).and_then(|next| {
        let moves = record.board.legal_moves();
        let mut moves = moves.iter().copied();
        moves.find(|&mv| record.board.after(mv).key() == next.board.key())
    });
    let most_visited = || record.moves.iter().max_by_key(|(_, visits)| *visits);
    let [win, _, loss] = record.chances;
    Position {
        board: record.board,
        mv: played.or_else(|| most_visited().map(|&(mv, _)| mv)),
        score: engines::score::centipawns(win - loss).clamp(-10_000, 10_000) as i16,
        result: record.result,
        ply: record.ply,
    }
}

/// Collects positions into games.
#[derive(Default)]
struct Gathered {
    finder: GameFinder,
    game: Option<(KeptGame, Board)>,
    number: usize,
}

impl Gathered {
    /// Adds the next position; returns the previous game, if the position begins another.
    fn add(&mut self, position: &Position) -> Option<KeptGame> {
        let begins = self.finder.begins(position);
        let follows = |(_, board): &(KeptGame, Board)| {
            board.key() == position.board.key()
                && board.side_to_move() == position.board.side_to_move()
        };
        let ended = match begins || !self.game.as_ref().is_some_and(follows) {
            true => self.finish(),
            false => None,
        };
        let side = position.board.side_to_move();
        let (game, board) = self.game.get_or_insert_with(|| {
            let game = KeptGame {
                number: self.number,
                white: "self-play".to_owned(),
                black: "self-play".to_owned(),
                result: match position.result.seen_by(side) {
                    Outcome::Win => GameResult::WhiteWins,
                    Outcome::Draw => GameResult::Draw,
                    Outcome::Loss => GameResult::BlackWins,
                },
                reason: None,
                started: None,
                start: position.board,
                moves: Vec::new(),
            };
            (game, position.board)
        });
        if let Some(mv) = position.mv {
            game.moves.push(KeptMove {
                mv,
                score: (!position.is_marked())
                    .then(|| Score::Centipawns(i32::from(position.score))),
                depth: None,
                nodes: None,
                time: None,
            });
            *board = board.after(mv);
        }
        ended
    }

    fn finish(&mut self) -> Option<KeptGame> {
        let (game, _) = self.game.take()?;
        self.number += 1;
        Some(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions_of(moves: &str, result: Outcome) -> Vec<Position> {
        let mut board = Board::start();
        let mut positions = Vec::new();
        for (ply, word) in moves.split(' ').enumerate() {
            let mv = board.parse_uci(word).expect("a move");
            positions.push(Position {
                board,
                mv: Some(mv),
                score: ply as i16,
                result: result.seen_by(board.side_to_move()),
                ply: ply as u16,
            });
            board.make(mv);
        }
        positions
    }

    #[test]
    fn positions_are_games_again() {
        let mut gathered = Gathered::default();
        let first = positions_of("e2e4 e7e5 g1f3", Outcome::Win);
        let second = positions_of("d2d4 d7d5", Outcome::Draw);
        let mut games = Vec::new();
        for position in first.iter().chain(&second) {
            games.extend(gathered.add(position));
        }
        games.extend(gathered.finish());
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].first_moves(3), "1. e4 e5 2. Nf3");
        assert_eq!(games[0].result, GameResult::WhiteWins);
        assert_eq!((games[1].number, games[1].moves.len()), (1, 2));
        assert_eq!(games[1].result, GameResult::Draw);
        assert!(games[0].last_material().starts_with("KQRRBBNNPPPPPPPPvK"));
        let pgn = games[0].pgn("a test");
        assert!(
            pgn.contains("1. e4 { +0.00 } 1... e5 { +0.01 } 2. Nf3 { +0.02 } 1-0"),
            "{pgn}"
        );
    }

    #[test]
    fn a_gap_begins_another_game() {
        let mut gathered = Gathered::default();
        let positions = positions_of("e2e4 e7e5 g1f3 b8c6", Outcome::Win);
        let games: Vec<_> = [&positions[0], &positions[2], &positions[3]]
            .into_iter()
            .filter_map(|position| gathered.add(position))
            .collect();
        assert_eq!(games.len(), 1);
        let rest = gathered.finish().expect("the rest");
        assert_eq!(rest.first_moves(2), "2. Nf3 Nc6");
    }
}
