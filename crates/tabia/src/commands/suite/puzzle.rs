//! Reads suites: EPD files whose lines have a position and conditions for the right answer.
//!
//! This module must not know how an answer is found.

use chess::{Board, Epd, Game, Move};
use std::fmt::{self, Display};

/// A position and the conditions for the right answer.
#[derive(Clone, Debug)]
pub(super) struct Puzzle {
    /// The number of its line in the file, from 1.
    pub(super) number: usize,
    pub(super) board: Board,
    pub(super) id: Option<String>,
    /// The moves of `bm`, if there are any.
    pub(super) best: Option<Vec<Move>>,
    /// The moves of `am`, if there are any.
    pub(super) avoid: Option<Vec<Move>>,
    /// The length of the shortest mate in moves, from `dm 3` or `bm #3`; negative if the side to
    /// move is mated.
    pub(super) mate: Option<i32>,
    /// All conditions in words.
    pub(super) expected: String,
    /// A game that ends with the position.
    pub(super) game: Game,
    /// The moves of the solution with the replies, first move first; empty if only the answer to
    /// the position is judged.
    pub(super) solution: Vec<Move>,
    /// Its difficulty, if known.
    pub(super) rating: Option<u16>,
}

/// A line that cannot be parsed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PuzzleError {
    /// The number of the line in the file, from 1.
    pub(super) number: usize,
    pub(super) problem: String,
}

impl Display for PuzzleError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.problem)
    }
}

/// Reads a suite; a line that cannot be parsed is an error, because a test must not silently test
/// less.
pub(super) fn read(text: &[u8]) -> Result<Vec<Puzzle>, PuzzleError> {
    let text = String::from_utf8_lossy(text);
    let mut puzzles = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let line = line.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let puzzle = read_line(number, line).map_err(|problem| PuzzleError { number, problem })?;
        puzzles.push(puzzle);
    }
    Ok(puzzles)
}

fn read_line(number: usize, line: &str) -> Result<Puzzle, String> {
    let epd: Epd = line.parse().map_err(|error| format!("{error}"))?;
    let mate = read_mate(&epd)?;
    let puzzle = Puzzle {
        number,
        board: epd.board,
        id: epd
            .operation("id")
            .and_then(|operation| operation.operands.first().cloned()),
        best: read_moves(&epd, "bm")?,
        avoid: read_moves(&epd, "am")?,
        mate,
        expected: expected(&epd),
        game: Game::new(epd.board),
        solution: Vec::new(),
        rating: None,
    };
    if puzzle.expected.is_empty() {
        return Err("the position has no solution: give `bm`, `am` or `dm`".to_owned());
    }
    Ok(puzzle)
}

/// The moves of an operation; `None` if there is no such operation or it names a mate.
fn read_moves(epd: &Epd, code: &str) -> Result<Option<Vec<Move>>, String> {
    let Some(operation) = epd.operation(code) else {
        return Ok(None);
    };
    let is_move = |text: &&String| !text.starts_with(['#', '+', '!', '?']);
    let moves: Vec<_> = operation
        .operands
        .iter()
        .filter(is_move)
        .map(|text| {
            let mv = epd.board.parse_san(text);
            mv.map_err(|problem| format!("the operation '{code}' has no legal move: {problem}"))
        })
        .collect::<Result<_, _>>()?;
    Ok((!moves.is_empty()).then_some(moves))
}

/// The length of the shortest mate: `dm 3`, or `bm #3` as in suites of mates.
fn read_mate(epd: &Epd) -> Result<Option<i32>, String> {
    let length = |text: &str| text.parse().ok().filter(|&moves: &i32| moves != 0);
    let first = |code| epd.operation(code)?.operands.first();
    if let Some(mate) = first("bm").and_then(|text| text.strip_prefix('#')) {
        let wrong = || "the operation 'bm' has no mate length, such as `bm #3`";
        return Ok(Some(length(mate).ok_or_else(wrong)?));
    }
    let Some(operation) = epd.operation("dm") else {
        return Ok(None);
    };
    let wrong = || "the operation 'dm' has no mate length, such as `dm 3`".to_owned();
    let mate = operation.operands.first().and_then(|text| length(text));
    mate.map(Some).ok_or_else(wrong)
}

fn expected(epd: &Epd) -> String {
    let in_words = |code: &&str| {
        let operation = epd.operation(code)?;
        Some(format!("{code} {}", operation.operands.join(" ")))
    };
    let words: Vec<_> = ["bm", "am", "dm"].iter().filter_map(in_words).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q -";

    #[test]
    fn answers_of_all_kinds_are_read() {
        let text = format!(
            "# comment\n\n{MATE} bm Ra8#; id \"one\";\n{MATE} am Kd1 Kd2;\n{MATE} dm 1; bm Ra8;\r\n"
        );
        let puzzles = read(text.as_bytes()).expect("a suite");
        assert_eq!(puzzles.len(), 3);
        assert_eq!(puzzles[0].number, 3);
        assert_eq!(puzzles[0].id.as_deref(), Some("one"));
        assert_eq!(puzzles[0].best.as_ref().map(Vec::len), Some(1));
        assert_eq!(puzzles[1].avoid.as_ref().map(Vec::len), Some(2));
        assert_eq!(puzzles[1].best, None);
        assert_eq!(puzzles[2].mate, Some(1));
        assert_eq!(puzzles[2].expected, "bm Ra8, dm 1");
    }

    #[test]
    fn other_spellings_are_read() {
        let text = format!("{MATE} bm #1;\n{MATE} bm #-2;\n{MATE} ; bm Ra8 + ; id x.01 ");
        let puzzles = read(text.as_bytes()).expect("a suite");
        assert_eq!(puzzles[0].mate, Some(1));
        assert_eq!(puzzles[0].best, None);
        assert_eq!(puzzles[1].mate, Some(-2));
        assert_eq!(puzzles[2].best.as_ref().map(Vec::len), Some(1));
    }

    #[test]
    fn what_cannot_be_understood_is_named() {
        for (line, problem) in [
            ("8/8 w - - bm e4;".to_owned(), "ranks"),
            (format!("{MATE} bm Qa8;"), "'bm'"),
            (format!("{MATE} dm soon;"), "'dm'"),
            (format!("{MATE} dm 0;"), "'dm'"),
            (format!("{MATE} bm #x;"), "'bm'"),
            (format!("{MATE} id \"x\";"), "no solution"),
        ] {
            let error = read(line.as_bytes()).expect_err(&line);
            assert!(error.to_string().contains(problem), "{error}");
        }
    }
}
