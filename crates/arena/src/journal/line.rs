//! A finished game as a line of the journal: all that is needed to count it, show it and write it
//! as PGN.

use crate::effort::Effort;
use crate::game::{Outcome, Played, Reason, Thought};
use crate::ledger::GameResult;
use crate::schedule::Fixture;
use chess::{Board, CastlingStyle, Color, Game, Move, UciMoveError};
use engines::score::Score;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime};

/// The `kind` of such a line.
const KIND: &str = "game";

/// A game that has ended.
#[derive(Debug)]
pub struct Finished {
    /// Its place in the schedule.
    pub fixture: Fixture,
    /// When it began.
    pub started: SystemTime,
    /// What happened.
    pub played: Played,
}

/// A finished game. Everything except `started`, `milliseconds` and `times` is the same when the
/// game is played again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameLine {
    kind: String,
    /// The number of the game.
    pub index: usize,
    /// The number of its pair.
    pub pair: usize,
    /// The number of its round and opening.
    pub round: usize,
    /// The name of the player with the white pieces.
    pub white: String,
    /// The name of the player with the black pieces.
    pub black: String,
    /// Who won.
    pub result: Outcome,
    /// Why.
    pub reason: Reason,
    /// Details of a player's failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The position before the first move, if it is not the standard start position.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// How many moves belong to the opening.
    book: usize,
    /// The number of plies.
    pub plies: usize,
    /// The moves in coordinates; castling is written as the king taking its rook.
    moves: String,
    /// The scores of the players' moves, for the side that moved: centipawns, or `#3` for a mate.
    scores: Vec<Option<ScoreText>>,
    depths: Vec<u32>,
    nodes: Vec<u64>,
    /// When it began.
    pub started: Timestamp,
    /// How long it took.
    pub milliseconds: u64,
    /// How long the players' moves took, in microseconds.
    times: Vec<u64>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum ScoreText {
    Centipawns(i32),
    Mate(String),
}

impl From<Score> for ScoreText {
    fn from(score: Score) -> ScoreText {
        match score {
            Score::Centipawns(value) => ScoreText::Centipawns(value),
            Score::Mate(moves) => ScoreText::Mate(format!("#{moves}")),
        }
    }
}

impl ScoreText {
    fn score(&self) -> Option<Score> {
        match self {
            ScoreText::Centipawns(value) => Some(Score::Centipawns(*value)),
            ScoreText::Mate(text) => text.strip_prefix('#')?.parse().ok().map(Score::Mate),
        }
    }
}

impl GameLine {
    /// The line of a game between players of these names.
    pub fn new(finished: &Finished, white: &str, black: &str) -> GameLine {
        let Finished {
            fixture,
            started,
            played,
        } = finished;
        let game = &played.game;
        let boards = game.line().boards();
        let start = boards[0];
        let moves: Vec<String> = game
            .moves()
            .iter()
            .zip(boards)
            .map(|(&mv, board)| board.uci(mv, CastlingStyle::Chess960).to_string())
            .collect();
        let thoughts = &played.thoughts;
        GameLine {
            kind: KIND.to_owned(),
            index: fixture.index,
            pair: fixture.pair,
            round: fixture.round,
            white: white.to_owned(),
            black: black.to_owned(),
            result: played.outcome,
            reason: played.reason,
            detail: played.detail.clone(),
            start: (start != Board::start()).then(|| start.fen().to_string()),
            book: moves.len() - thoughts.len(),
            plies: moves.len(),
            moves: moves.join(" "),
            scores: thoughts
                .iter()
                .map(|thought| thought.score.map(ScoreText::from))
                .collect(),
            depths: thoughts.iter().map(|thought| thought.depth).collect(),
            nodes: thoughts.iter().map(|thought| thought.nodes).collect(),
            started: Timestamp::try_from(*started).unwrap_or_default(),
            milliseconds: played.time.as_millis() as u64,
            times: thoughts
                .iter()
                .map(|thought| thought.time.as_micros() as u64)
                .collect(),
        }
    }

    /// The part of it that the ledger counts.
    pub fn result(&self) -> GameResult {
        GameResult {
            outcome: self.result,
            reason: self.reason,
        }
    }

    /// How it ended, in words: `White mates`, `Black crashed: signal 9`.
    pub fn end_in_words(&self) -> String {
        let words = self.reason.in_words(self.result);
        match (&self.detail, self.result.winner()) {
            (Some(detail), _) if self.reason == Reason::Time => format!("{words}, {detail}"),
            (Some(detail), Some(winner)) => format!("{} {detail}", !winner),
            _ => words,
        }
    }

    /// The position before the first move.
    pub fn start(&self) -> Option<Board> {
        match &self.start {
            Some(fen) => Board::from_fen(fen).ok(),
            None => Some(Board::start()),
        }
    }

    /// The moves, with the thoughts on those after the opening.
    pub fn moves(&self) -> Result<Vec<(Move, Option<Thought>)>, UciMoveError> {
        let mut game = Game::new(self.start().unwrap_or_else(Board::start));
        let words = self.moves.split(' ').filter(|word| !word.is_empty());
        words
            .enumerate()
            .map(|(ply, word)| {
                let mv = game.board().parse_uci(word)?;
                game.push(mv);
                let thought = ply.checked_sub(self.book).and_then(|at| self.thought(at));
                Ok((mv, thought))
            })
            .collect()
    }

    /// The time and nodes that White and Black spent, without the moves of the opening.
    pub fn efforts(&self) -> [Effort; 2] {
        let mut efforts = [Effort::default(); 2];
        let first = self
            .start()
            .map_or(Color::White, |board| board.side_to_move());
        let taken = self.times.iter().zip(&self.nodes).enumerate();
        for (number, (&microseconds, &nodes)) in taken {
            let side = (first.index() + self.book + number) % 2;
            efforts[side] += Effort {
                moves: 1,
                microseconds,
                nodes,
            };
        }
        efforts
    }

    /// The same game without times: the part that is the same when it is played again.
    pub fn without_times(mut self) -> GameLine {
        self.started = Timestamp::default();
        self.milliseconds = 0;
        self.times.fill(0);
        self
    }

    /// An error if this cannot be the game of the fixture, with the names of White's and Black's
    /// players.
    pub fn check_fixture(&self, fixture: &Fixture, names: [&str; 2]) -> Result<(), String> {
        let Fixture {
            index, pair, round, ..
        } = *fixture;
        let said = [self.white.as_str(), self.black.as_str()];
        if (self.index, self.pair, self.round, said) != (index, pair, round, names) {
            let [white, black] = names;
            return Err(format!(
                "game {index} is not between {white} and {black} in round {round}"
            ));
        }
        let thoughts = self.plies.checked_sub(self.book);
        let counts = [
            self.scores.len(),
            self.depths.len(),
            self.nodes.len(),
            self.times.len(),
        ];
        match thoughts.is_some_and(|thoughts| counts == [thoughts; 4]) {
            true => Ok(()),
            false => Err(format!("the counts of game {index} contradict each other")),
        }
    }

    /// An error if the moves are not legal or do not begin with the opening.
    pub fn check_moves(&self, opening: &Game) -> Result<(), String> {
        let index = self.index;
        let Some(start) = self.start() else {
            return Err(format!("game {index} has no valid start position"));
        };
        let moves = self
            .moves()
            .map_err(|_| format!("game {index} has an illegal move"))?;
        let moves: Vec<Move> = moves.into_iter().map(|(mv, _)| mv).collect();
        let begins_so = start == opening.line().boards()[0] && moves.starts_with(opening.moves());
        match begins_so && (moves.len(), opening.moves().len()) == (self.plies, self.book) {
            true => Ok(()),
            false => Err(format!("game {index} has another opening or length")),
        }
    }

    fn thought(&self, at: usize) -> Option<Thought> {
        Some(Thought {
            score: self.scores.get(at)?.as_ref().and_then(ScoreText::score),
            depth: *self.depths.get(at)?,
            nodes: *self.nodes.get(at)?,
            time: Duration::from_micros(*self.times.get(at)?),
        })
    }
}
