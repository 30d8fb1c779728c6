//! Checks files: every move of every game is replayed and counted.

use std::{
    fmt,
    ops::{AddAssign, ControlFlow},
};

use chess::{Board, Color};

use super::{
    batches::{Batch, Batches},
    marks::GameResult,
    problem::{BrokenGame, Place},
    reading::{BatchReport, Counted, read_batch},
    replay::Ending,
    source::{Source, SourceError},
    text::LineFinder,
};
use crate::workers::process;

/// The counts of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// All games, including broken ones.
    pub games: u64,
    /// The games that could not be replayed.
    pub broken: u64,
    /// The moves of both sides in the main lines of intact games.
    pub plies: u64,
    /// The moves of both sides in their variations.
    pub variation_plies: u64,
    /// The intact games with each result, in the order of [`GameResult::ALL`].
    pub results: [u64; 4],
    /// The intact games whose result is contradicted by their tags, or by mate or
    /// stalemate on the board.
    pub contradicted: u64,
}

impl AddAssign for Checked {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.broken += other.broken;
        self.plies += other.plies;
        self.variation_plies += other.variation_plies;
        for (result, more) in self.results.iter_mut().zip(other.results) {
            *result += more;
        }
        self.contradicted += other.contradicted;
    }
}

/// An intact game whose result is contradicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContradictedGame {
    /// The game, and the line of its end.
    pub place: Place,
    /// The result of the game.
    pub result: GameResult,
    /// What contradicts it.
    pub witness: Witness,
}

/// What may contradict the result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Witness {
    /// The result in the tags.
    Tags(GameResult),
    /// Mate or stalemate on the board.
    Board(GameResult),
}

impl fmt::Display for ContradictedGame {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the result is {}, but ", self.result)?;
        match self.witness {
            Witness::Tags(result) => write!(formatter, "{result} in the tags"),
            Witness::Board(GameResult::Draw) => write!(formatter, "stalemate on the board"),
            Witness::Board(_) => write!(formatter, "mate on the board"),
        }
    }
}

/// What was found in a batch of games, and the counts so far.
pub struct CheckStep<'a> {
    /// The counts of the file so far.
    pub checked: &'a Checked,
    /// The broken games of the batch.
    pub broken: &'a [BrokenGame],
    /// The games of the batch whose result is contradicted.
    pub contradicted: &'a [ContradictedGame],
}

/// Checks a file with this many threads. After each batch, `follow` gets the results; it
/// may stop the check.
///
/// The counts are returned even if the file cannot be read to its end.
pub fn check(
    source: Source,
    threads: usize,
    mut follow: impl FnMut(&CheckStep<'_>) -> ControlFlow<()> + Send,
) -> (Checked, Result<(), SourceError>) {
    let mut checked = Checked::default();
    let mut counted = Counted::default();
    let deliver = |mut batch: CheckedBatch| {
        for game in &mut batch.contradicted {
            game.place = counted.place(game.place);
        }
        let broken = counted.add(batch.report);
        checked += batch.checked;
        checked.games = counted.games;
        checked.broken += broken.len() as u64;
        follow(&CheckStep {
            checked: &checked,
            broken: &broken,
            contradicted: &batch.contradicted,
        })
    };
    let mut batches = Batches::new(source);
    let next = |batch: &mut Batch| batches.next(batch);
    let outcome = process(next, threads, check_batch, deliver);
    (checked, outcome)
}

/// The results of a single batch.
struct CheckedBatch {
    report: BatchReport,
    checked: Checked,
    contradicted: Vec<ContradictedGame>,
}

fn check_batch(batch: &Batch) -> CheckedBatch {
    let mut checked = Checked::default();
    let mut contradicted = Vec::new();
    let mut lines = LineFinder::new(batch.bytes());
    let report = read_batch(batch, |replayer, games, game| {
        let outcome = replayer.next_game(games, &mut ())?;
        if let Ok(ending) = &outcome {
            checked.plies += ending.plies;
            checked.variation_plies += ending.variation_plies;
            checked.results[ending.result() as usize] += 1;
            if let Some(witness) = contradiction(ending) {
                let line = lines.line_of(games.token_start());
                contradicted.push(ContradictedGame {
                    place: Place { game, line },
                    result: ending.result(),
                    witness,
                });
            }
        }
        Some(outcome)
    });
    checked.contradicted = contradicted.len() as u64;
    CheckedBatch {
        report,
        checked,
        contradicted,
    }
}

fn contradiction(ending: &Ending) -> Option<Witness> {
    let result = ending.result();
    let tags = ending.tag_result.filter(|&told| told != result);
    let board = || result_on_board(&ending.board).filter(|&told| told != result);
    tags.map(Witness::Tags)
        .or_else(|| board().map(Witness::Board))
}

/// The result if there is mate or stalemate on the board.
fn result_on_board(board: &Board) -> Option<GameResult> {
    if board.has_legal_move() {
        None
    } else if !board.in_check() {
        Some(GameResult::Draw)
    } else if board.side_to_move() == Color::White {
        Some(GameResult::BlackWins)
    } else {
        Some(GameResult::WhiteWins)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn check_text(text: &str, threads: usize) -> (Checked, Vec<String>) {
        let source = Source::from_reader("t.pgn", Cursor::new(text.to_owned())).unwrap();
        let mut reports = Vec::new();
        let (checked, outcome) = check(source, threads, |step| {
            let report = |game: &BrokenGame| {
                let Place { game: number, line } = game.place;
                format!("game {number}, line {line}: {}", game.problem)
            };
            reports.extend(step.broken.iter().map(report));
            reports.extend(step.contradicted.iter().map(ContradictedGame::to_string));
            ControlFlow::Continue(())
        });
        outcome.expect("plain text");
        (checked, reports)
    }

    #[test]
    fn games_are_counted_and_broken_ones_placed() {
        let game = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 (1. d4) e5 1-0\n\n";
        let broken = "[Event \"b\"]\n\n1. e4\ne5 2. e6 *\n\n";
        // Enough for several batches.
        let text = [&game.repeat(7000), broken, game, broken].concat();
        let expected = Checked {
            games: 7003,
            broken: 2,
            plies: 14_002,
            variation_plies: 7001,
            results: [7001, 0, 0, 0],
            contradicted: 0,
        };
        for threads in 1..4 {
            let (checked, reports) = check_text(&text, threads);
            assert_eq!(checked, expected);
            let starts = [
                "game 7001, line 35004: 2. e6: ",
                "game 7003, line 35014: 2. e6: ",
            ];
            assert_eq!(reports.len(), 2);
            for (report, start) in reports.iter().zip(starts) {
                assert!(report.starts_with(start), "{report}");
            }
        }
    }

    #[test]
    fn results_can_be_contradicted() {
        let reports = |text| check_text(text, 1).1.join("; ");
        assert_eq!(reports("1. f3 e5 2. g4 Qh4# 0-1"), "");
        let mate = "the result is 1-0, but mate on the board";
        assert_eq!(reports("1. f3 e5 2. g4 Qh4# 1-0"), mate);
        let tags = "the result is *, but 1-0 in the tags";
        assert_eq!(reports("[Result \"1-0\"]\n1. e4 *"), tags);
        assert_eq!(reports("[Result \"1-0\"]\n1. e4"), "");
        let stalemate = "[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n1. Qf7 1-0";
        assert_eq!(
            reports(stalemate),
            "the result is 1-0, but stalemate on the board"
        );
    }
}
