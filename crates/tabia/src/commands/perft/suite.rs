//! Reads perft suites: EPD files whose lines have a position and the number of leaves at some
//! depths.
//!
//! Two notations are in use, and both may leave out depths:
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400
//! k7/6p1/8/8/8/8/7P/K7 b - - 0 1; D1 5; D6 55338
//! ```
//!
//! Positions that no game can reach are accepted, since their counts are just as exact
//! (`B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1`, where a king is in check from both ends of a diagonal, is
//! in circulation). What is not a position at all is decided by `chess`.
//!
//! This module must not know how leaves are counted.

use crate::output::excerpt;
use crate::position;
use chess::Board;
use std::fmt::{self, Display};

/// A line of a suite.
#[derive(Debug)]
pub(crate) struct Line {
    /// Its number in the file, from 1.
    pub(crate) number: usize,
    pub(crate) board: Board,
    pub(crate) expectations: Vec<Expectation>,
}

/// The number of leaves at some depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expectation {
    pub(crate) depth: u8,
    pub(crate) nodes: u64,
}

/// A line that cannot be parsed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SuiteError {
    /// Its number in the file, from 1.
    pub(crate) number: usize,
    problem: String,
}

impl Display for SuiteError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.problem)
    }
}

/// Reads a suite; a line that cannot be parsed is an error, because a test must not silently test
/// less.
pub(crate) fn read(text: &[u8]) -> Result<Vec<Line>, SuiteError> {
    let text = String::from_utf8_lossy(text);
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        // Some suites in circulation end each line with a NUL byte.
        let line = line.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        lines.push(read_line(number, line).map_err(|problem| SuiteError { number, problem })?);
    }
    Ok(lines)
}

fn read_line(number: usize, line: &str) -> Result<Line, String> {
    let mut fields = line.split(';').map(str::trim);
    let fen = fields.next().unwrap_or_default();
    let board = Board::from_fen(fen).map_err(|error| position::refusal(fen, &error))?;
    let expectations = fields
        .filter(|field| !field.is_empty())
        .map(|field| read_expectation(field).ok_or_else(|| not_an_expectation(field)))
        .collect::<Result<Vec<_>, _>>()?;
    if expectations.is_empty() {
        return Err("the position is not followed by a depth, such as `;D3 8902`".to_owned());
    }
    Ok(Line {
        number,
        board,
        expectations,
    })
}

fn not_an_expectation(field: &str) -> String {
    let field = excerpt(field);
    format!("expected a depth and its nodes, such as `D3 8902`, but found `{field}`")
}

fn read_expectation(field: &str) -> Option<Expectation> {
    let (depth, nodes) = field
        .strip_prefix(['D', 'd'])?
        .split_once(char::is_whitespace)?;
    Some(Expectation {
        depth: depth.parse().ok()?,
        nodes: nodes.trim().parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn expectations(fields: &str) -> Vec<(u8, u64)> {
        let lines = read(format!("{START}{fields}").as_bytes()).expect(fields);
        assert_eq!(lines.len(), 1);
        let pair = |expectation: &Expectation| (expectation.depth, expectation.nodes);
        lines[0].expectations.iter().map(pair).collect()
    }

    fn problem(text: &str) -> String {
        let error = read(text.as_bytes()).expect_err(text);
        format!("{}: {error}", error.number)
    }

    #[test]
    fn both_spellings_are_read() {
        assert_eq!(expectations(" ;D1 20 ;D2 400"), [(1, 20), (2, 400)]);
        assert_eq!(expectations("; D1 20; D2 400"), [(1, 20), (2, 400)]);
        assert_eq!(expectations(" ;d2   400 ; "), [(2, 400)]);
    }

    #[test]
    fn depths_may_be_missing_and_lines_end_oddly() {
        assert_eq!(expectations("; D4 197281\0"), [(4, 197_281)]);
        assert_eq!(expectations(" ;D5 4865609 \r\n\0\n"), [(5, 4_865_609)]);
    }

    #[test]
    fn lines_are_numbered_as_in_the_file() {
        let text = format!("# a comment\n\n{START} ;D1 20\n");
        assert_eq!(read(text.as_bytes()).expect("a suite")[0].number, 3);
    }

    #[test]
    fn what_cannot_be_understood_is_named() {
        assert_eq!(
            problem(&format!("{START} ;D1 20 ;D2 x")),
            "1: expected a depth and its nodes, such as `D3 8902`, but found `D2 x`"
        );
        assert!(problem(START).starts_with("1: the position is not followed by a depth"));
        assert!(problem("\n9/8 w - - 0 1 ;D1 20").starts_with("2: invalid FEN '9/8 w - - 0 1': "));
        assert!(problem(&format!("{START} ;D256 1")).contains("D256 1"));
    }
}
