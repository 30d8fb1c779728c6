//! Reads records of plain text.

use chess::{Board, Color, FenError, UciMoveError};

use crate::{
    pgn::excerpt,
    position::{Outcome, Position},
    score,
};

/// What is wrong with a record, and in which line of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct PlainProblem {
    /// The line, from 0.
    pub line: u64,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A line does not begin with the name of a field.
    #[error("'{0}' is not one of fen, move, score, ply, result and e")]
    UnknownField(String),
    /// The record lacks a field.
    #[error("the record ends without its {0}")]
    Missing(&'static str),
    /// A field occurs twice.
    #[error("the record has two lines '{0}'; the line 'e' between two records may be missing")]
    Twice(&'static str),
    /// A number is invalid or out of range.
    #[error("the {name} is '{found}', not a number {range}")]
    Number {
        /// Which number.
        name: &'static str,
        /// What was found.
        found: String,
        /// What is allowed.
        range: &'static str,
    },
    /// The position is invalid.
    #[error("the position is invalid: {0}")]
    Fen(FenError),
    /// The move is malformed or illegal.
    #[error("{0}")]
    Move(UciMoveError),
    /// The text ends within a record.
    #[error("the last record is truncated: it has no line 'e'; the lines before it are intact")]
    Torn,
}

/// The fields of a record that were read so far.
#[derive(Clone, Copy, Debug, Default)]
struct Fields<'a> {
    fen: Option<&'a [u8]>,
    mv: Option<&'a [u8]>,
    score: Option<&'a [u8]>,
    ply: Option<&'a [u8]>,
    result: Option<&'a [u8]>,
}

/// Reads a block of whole records.
pub fn read(text: &[u8], mut visit: impl FnMut(&Position)) -> Result<(), PlainProblem> {
    let mut fields = Fields::default();
    let mut begin = None;
    for (line, bytes) in (0..).zip(text.split(|&byte| byte == b'\n')) {
        let bytes = bytes.trim_ascii();
        let failed = |problem| PlainProblem { line, problem };
        if bytes.is_empty() {
            continue;
        }
        if bytes == b"e" {
            visit(&fields.position().map_err(failed)?);
            fields = Fields::default();
            begin = None;
        } else {
            begin.get_or_insert(line);
            fields.take(bytes).map_err(failed)?;
        }
    }
    match begin {
        None => Ok(()),
        Some(line) => Err(PlainProblem {
            line,
            problem: Problem::Torn,
        }),
    }
}

impl<'a> Fields<'a> {
    fn take(&mut self, line: &'a [u8]) -> Result<(), Problem> {
        let end = line.iter().position(u8::is_ascii_whitespace);
        let (name, value) = line.split_at(end.unwrap_or(line.len()));
        let (name, place) = match name {
            b"fen" => ("fen", &mut self.fen),
            b"move" => ("move", &mut self.mv),
            b"score" => ("score", &mut self.score),
            b"ply" => ("ply", &mut self.ply),
            b"result" => ("result", &mut self.result),
            other => return Err(Problem::UnknownField(excerpt(other))),
        };
        match place.replace(value.trim_ascii()) {
            None => Ok(()),
            Some(_) => Err(Problem::Twice(name)),
        }
    }

    fn position(&self) -> Result<Position, Problem> {
        let fen = self.fen.ok_or(Problem::Missing("fen"))?;
        let board = Board::from_fen(&String::from_utf8_lossy(fen)).map_err(Problem::Fen)?;
        let score = self.score.ok_or(Problem::Missing("score"))?;
        let result = self.result.ok_or(Problem::Missing("result"))?;
        let result = number("result", result, "-1, 0 or 1", Outcome::from_number)?;
        let ply = match self.ply {
            Some(ply) => number("ply", ply, "from 0 to 65535", |ply| u16::try_from(ply).ok())?,
            None => ply_of(&board),
        };
        Ok(Position {
            board,
            mv: self.mv(&board)?,
            score: number("score", score, "such as -25", |score| {
                Some(score::from_file(score))
            })?,
            result,
            ply,
        })
    }

    fn mv(&self, board: &Board) -> Result<Option<chess::Move>, Problem> {
        match self.mv {
            // The ways in which programs write "no move".
            None | Some(b"" | b"none" | b"(none)" | b"0000" | b"null") => Ok(None),
            Some(mv) => {
                let mv = board.parse_uci(&String::from_utf8_lossy(mv));
                mv.map(Some).map_err(Problem::Move)
            }
        }
    }
}

/// The ply of a position, judging by its move number.
fn ply_of(board: &Board) -> u16 {
    let moves = board.fullmove_number().saturating_sub(1);
    moves * 2 + u16::from(board.side_to_move() == Color::Black)
}

fn number<T>(
    name: &'static str,
    text: &[u8],
    range: &'static str,
    fit: impl Fn(i64) -> Option<T>,
) -> Result<T, Problem> {
    let number = std::str::from_utf8(text)
        .ok()
        .and_then(|text| text.parse().ok());
    number.and_then(fit).ok_or_else(|| Problem::Number {
        name,
        found: excerpt(text),
        range,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7\n\
        move e7e5\nscore -25\nply 13\nresult -1\ne\n";

    fn read_all(text: &str) -> Result<Vec<Position>, String> {
        let mut positions = Vec::new();
        let outcome = read(text.as_bytes(), |position| positions.push(*position));
        outcome.map_err(|error| format!("{}: {error}", error.line))?;
        Ok(positions)
    }

    #[test]
    fn a_record_is_a_position() {
        let positions = read_all(RECORD).expect("a record");
        let [position] = &positions[..] else {
            panic!("{positions:?}");
        };
        assert_eq!(position.board.side_to_move(), Color::Black);
        assert_eq!(position.mv, position.board.parse_uci("e7e5").ok());
        assert_eq!((position.score, position.ply), (-25, 13));
        assert_eq!(position.result, Outcome::Loss);
        let windows = format!("\r\n{}", RECORD.replace('\n', " \r\n"));
        assert_eq!(read_all(&windows), Ok(positions.clone()));
        let without = RECORD.replace("ply 13\n", "").replace("e7e5", "none");
        let expected = Position {
            mv: None,
            ..*position
        };
        assert_eq!(read_all(&without), Ok(vec![expected]));
        let two = [RECORD, RECORD].concat();
        assert_eq!(read_all(&two).expect("two records").len(), 2);
    }

    #[test]
    fn scores_that_do_not_fit_are_cut() {
        let score = |number: &str| {
            let text = RECORD.replace("-25", number);
            read_all(&text).expect("a record")[0].score
        };
        assert_eq!(score("32002"), score::MARK);
        assert_eq!(score("100000"), score::MATE);
        assert_eq!(score("-100000"), -score::MATE);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (old, new, complaint) in [
            (
                "move",
                "best",
                "1: 'best' is not one of fen, move, score, ply, result and e",
            ),
            ("score -25\n", "", "4: the record ends without its score"),
            (
                "e7e5",
                "e7e6e",
                "5: 'e7e6e' is not a move in coordinates such as e2e4 or e7e8q",
            ),
            ("e7e5", "e7e4", "5: the move e7e4 is not legal here"),
            (
                "result -1",
                "result 2",
                "5: the result is '2', not a number -1, 0 or 1",
            ),
            (
                "ply 13",
                "ply 70000",
                "5: the ply is '70000', not a number from 0 to 65535",
            ),
            (
                "score -25",
                "score 0.3",
                "5: the score is '0.3', not a number such as -25",
            ),
            (
                "RNBQKBNR",
                "RNBQ1BNR",
                "5: the position is invalid: White has no king",
            ),
            (
                "\ne\n",
                "\nfen x\n",
                "5: the record has two lines 'fen'; the line 'e' between two records may be \
                 missing",
            ),
            (
                "\ne\n",
                "\n",
                "0: the last record is truncated: it has no line 'e'; the lines before it are \
                 intact",
            ),
        ] {
            let error = read_all(&RECORD.replace(old, new)).expect_err(complaint);
            assert_eq!(error, complaint);
        }
    }
}
