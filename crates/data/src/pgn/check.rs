//! Checking files: every move of every game is replayed, and counted.

use std::ops::{AddAssign, ControlFlow};

use chess::Color;

use super::{
    batches::{Batch, Batches},
    marks::GameResult,
    problem::BrokenGame,
    reading::{BatchReport, Counted, read_batch},
    replay::Ending,
    source::{Source, SourceError},
    workers::process,
};

/// What a check has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// All games, broken ones too.
    pub games: u64,
    /// The games that could not be replayed.
    pub broken: u64,
    /// The moves of both sides in the main lines of whole games.
    pub plies: u64,
    /// The moves of both sides in their variations.
    pub variation_plies: u64,
    /// The whole games of each result, in the order of [`GameResult::ALL`].
    pub results: [u64; 4],
    /// The whole games whose result is contradicted, by their tags or by mate
    /// or stalemate on the board.
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

impl Checked {
    fn add_game(&mut self, ending: &Ending) {
        self.plies += ending.plies;
        self.variation_plies += ending.variation_plies;
        self.results[ending.result() as usize] += 1;
        self.contradicted += u64::from(is_contradicted(ending));
    }
}

/// Checks a file on so many threads. After each batch, `follow` hears what
/// was counted up to there and which games of the batch are broken; it may
/// break off the check.
///
/// What was counted is given even if the file cannot be read to its end.
pub fn check(
    source: Source,
    threads: usize,
    mut follow: impl FnMut(&Checked, &[BrokenGame]) -> ControlFlow<()> + Send,
) -> (Checked, Result<(), SourceError>) {
    let mut checked = Checked::default();
    let mut counted = Counted::default();
    let deliver = |(report, part): (BatchReport, Checked)| {
        let broken = counted.add(report);
        checked += part;
        checked.games = counted.games;
        checked.broken += broken.len() as u64;
        follow(&checked, &broken)
    };
    let outcome = process(&mut Batches::new(source), threads, check_batch, deliver);
    (checked, outcome)
}

fn check_batch(batch: &Batch) -> (BatchReport, Checked) {
    let mut checked = Checked::default();
    let report = read_batch(batch, |replayer, games| {
        let outcome = replayer.next_game(games, &mut ())?;
        if let Ok(ending) = &outcome {
            checked.add_game(ending);
        }
        Some(outcome)
    });
    (report, checked)
}

/// True if the tags or the board tell another result than the game does.
fn is_contradicted(ending: &Ending) -> bool {
    let told = [ending.tag_result, result_on_board(ending)];
    told.into_iter()
        .flatten()
        .any(|other| other != ending.result())
}

/// The result, if mate or stalemate stands on the board.
fn result_on_board(ending: &Ending) -> Option<GameResult> {
    let board = &ending.board;
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
        let (checked, outcome) = check(source, threads, |_, broken| {
            let report = |game: &BrokenGame| game.in_file("t.pgn".as_ref()).to_string();
            reports.extend(broken.iter().map(report));
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
                "t.pgn:35004: game 7001: 2. e6: ",
                "t.pgn:35014: game 7003: 2. e6: ",
            ];
            assert_eq!(reports.len(), 2);
            for (report, start) in reports.iter().zip(starts) {
                assert!(report.starts_with(start), "{report}");
            }
        }
    }

    #[test]
    fn results_can_be_contradicted() {
        let contradicted = |text| check_text(text, 1).0.contradicted;
        assert_eq!(contradicted("1. f3 e5 2. g4 Qh4# 0-1"), 0);
        assert_eq!(contradicted("1. f3 e5 2. g4 Qh4# 1-0"), 1);
        assert_eq!(contradicted("1. f3 e5 2. g4 Qh4#"), 1);
        assert_eq!(contradicted("[Result \"1-0\"]\n1. e4 *"), 1);
        assert_eq!(contradicted("[Result \"1-0\"]\n1. e4"), 0);
        let stalemate = "[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n1. Qf7 1-0";
        assert_eq!(contradicted(stalemate), 1);
    }
}
