//! A game whose moves are judged by an engine's findings.
//!
//! A move's loss is the value of the position before it less that of the position after it, as the
//! engine sees both; the engine's own best move loses nothing.

use crate::accuracy::{game_accuracy, move_accuracy};
use crate::chance::{Judgement, bounded_centipawns, chance_of, winning_chance};
use crate::finding::{Finding, Findings, FoundLine, boards};
use crate::opening::{EcoTable, Opening};
use crate::value::Value;
use chess::{Board, Color, Move};
use data::pgn::Salvaged;

/// A judged game.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// The number of the game in its file, from 1.
    pub number: usize,
    /// The value of the first position.
    pub start: Value,
    /// The best line of the first position, if there is a legal move.
    pub start_line: Option<FoundLine>,
    /// Iterations of the search in the first position.
    pub start_depth: u32,
    /// The moves of the main line.
    pub moves: Vec<JudgedMove>,
    /// How White played.
    pub white: Side,
    /// How Black played.
    pub black: Side,
    /// Its opening, if the table knows it.
    pub opening: Option<Opening>,
}

/// A judged move.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedMove {
    /// The move, or `None` for a null move.
    pub mv: Option<Move>,
    /// The position before it.
    pub before: Board,
    /// The position after it.
    pub after: Board,
    /// The value of the position after it.
    pub value: Value,
    /// Iterations of the search in that position.
    pub depth: u32,
    /// The expected line.
    pub line: Vec<Move>,
    /// All lines found in the position before, best first.
    pub choices: Vec<FoundLine>,
    /// How much winning chance it lost, in percentage points.
    pub chance_loss: f64,
    /// How many centipawns it lost.
    pub centipawn_loss: i32,
    /// How accurate it is, in percent.
    pub accuracy: f64,
    /// How bad it is.
    pub judgement: Option<Judgement>,
}

/// How a side played.
#[derive(Clone, Copy, PartialEq, Debug, Default, serde::Serialize)]
pub struct Side {
    /// Its moves.
    pub moves: u32,
    /// Its accuracy in percent.
    pub accuracy: Option<f64>,
    /// The mean centipawn loss of its moves.
    pub average_centipawn_loss: Option<f64>,
    /// Moves marked `?!`.
    pub inaccuracies: u32,
    /// Moves marked `?`.
    pub mistakes: u32,
    /// Moves marked `??`.
    pub blunders: u32,
}

impl Review {
    /// Judges a game.
    pub fn new(
        number: usize,
        salvaged: &Salvaged,
        findings: &Findings,
        openings: Option<&EcoTable>,
    ) -> Review {
        let game = &salvaged.game;
        let boards = boards(game);
        let nothing = Finding::default();
        let finding = |index: usize| findings.0.get(index).unwrap_or(&nothing);
        let values: Vec<Value> = boards
            .iter()
            .enumerate()
            .map(|(index, board)| value(board, finding(index)))
            .collect();
        let judged = game.moves.moves.iter().enumerate().map(|(index, played)| {
            judge(
                played.mv,
                [&boards[index], &boards[index + 1]],
                [values[index], values[index + 1]],
                [finding(index), finding(index + 1)],
            )
        });
        let moves: Vec<JudgedMove> = judged.collect();
        let chances: Vec<f64> = values.iter().copied().map(winning_chance).collect();
        let accurate: Vec<(Color, f64)> = moves
            .iter()
            .map(|judged| (judged.color(), judged.accuracy))
            .collect();
        let accuracies = game_accuracy(&chances, &accurate);
        Review {
            number,
            start: values[0],
            start_line: finding(0).lines.first().cloned(),
            start_depth: finding(0).depth,
            white: Side::of(&moves, Color::White, accuracies.white),
            black: Side::of(&moves, Color::Black, accuracies.black),
            opening: openings.and_then(|table| table.find(game)).cloned(),
            moves,
        }
    }

    /// How a side played.
    pub fn side(&self, color: Color) -> &Side {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

fn value(board: &Board, finding: &Finding) -> Value {
    match finding.lines.first() {
        Some(line) => line.value,
        None if board.in_check() => Value::Mated(!board.side_to_move()),
        None => Value::Centipawns(0),
    }
}

fn judge(
    mv: Option<Move>,
    [before, after]: [&Board; 2],
    values: [Value; 2],
    findings: [&Finding; 2],
) -> JudgedMove {
    let side = before.side_to_move();
    let best = findings[0].lines.first();
    let is_best = best.is_none_or(|line| Some(line.moves[0]) == mv);
    let lost = |[before, after]: [f64; 2]| {
        if is_best {
            0.0
        } else {
            (before - after).max(0.0)
        }
    };
    let chance_loss = lost(values.map(|value| chance_of(value, side)));
    let sign = if side == Color::White { 1.0 } else { -1.0 };
    let centipawns = values.map(|value| sign * f64::from(bounded_centipawns(value)));
    JudgedMove {
        mv,
        before: *before,
        after: *after,
        value: values[1],
        depth: findings[1].depth,
        line: findings[1]
            .lines
            .first()
            .map(|line| line.moves.clone())
            .unwrap_or_default(),
        choices: findings[0].lines.clone(),
        chance_loss,
        centipawn_loss: lost(centipawns) as i32,
        accuracy: move_accuracy(chance_loss),
        judgement: Judgement::of(chance_loss),
    }
}

impl JudgedMove {
    /// The side that made it.
    pub fn color(&self) -> Color {
        self.before.side_to_move()
    }

    /// The move in SAN.
    pub fn san(&self) -> String {
        self.mv
            .map_or_else(|| "--".to_owned(), |mv| self.before.san(mv).to_string())
    }

    /// The move number before it, with its dots.
    pub fn number(&self) -> String {
        number(&self.before)
    }

    /// The better lines, if the move is bad enough to show them: the best line, and others hardly
    /// worse than it.
    pub fn better(&self) -> impl Iterator<Item = &FoundLine> {
        let side = self.color();
        let best = self
            .choices
            .first()
            .map_or(0.0, |line| chance_of(line.value, side));
        self.choices.iter().filter(move |line| {
            self.judgement.is_some()
                && Some(line.moves[0]) != self.mv
                && Judgement::of(best - chance_of(line.value, side)).is_none()
        })
    }

    /// What to say about it, if it is bad.
    pub fn verdict(&self) -> Option<String> {
        let judgement = self.judgement?;
        let best = self.choices.first()?;
        let side = self.color();
        let mates = |value: Value| value.mating_side();
        let reason = match (mates(best.value), mates(self.value)) {
            (before, Some(winner)) if winner != side && before != Some(winner) => {
                " Checkmate is now unavoidable."
            }
            (Some(winner), after) if winner == side && after != Some(side) => {
                " A forced checkmate is lost."
            }
            _ => "",
        };
        let san = self.before.san(best.moves[0]);
        Some(format!("{}.{reason} {san} was best.", judgement.name()))
    }
}

impl Side {
    fn of(moves: &[JudgedMove], color: Color, accuracy: Option<f64>) -> Side {
        let own = || moves.iter().filter(|judged| judged.color() == color);
        let count = |judgement| {
            own()
                .filter(|judged| judged.judgement == Some(judgement))
                .count() as u32
        };
        let moves = own().count() as u32;
        let lost: i64 = own().map(|judged| i64::from(judged.centipawn_loss)).sum();
        Side {
            moves,
            accuracy,
            average_centipawn_loss: (moves > 0).then(|| lost as f64 / f64::from(moves)),
            inaccuracies: count(Judgement::Inaccuracy),
            mistakes: count(Judgement::Mistake),
            blunders: count(Judgement::Blunder),
        }
    }
}

/// The number of the next move, with its dots.
pub(crate) fn number(board: &Board) -> String {
    let dots = match board.side_to_move() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", board.fullmove_number())
}

/// The moves of a line in SAN, without numbers.
pub(crate) fn san_words(board: &Board, moves: &[Move]) -> Vec<String> {
    let mut board = *board;
    let words = moves.iter().map(|&mv| {
        let san = board.san(mv).to_string();
        board.make(mv);
        san
    });
    words.collect()
}
