//! EPD: the first four fields of a FEN, then operations.

use super::fen::{
    FenError, HALFMOVE_CLOCK, MOVE_NUMBER, excerpt, parse_clock, parse_position_fields,
};
use crate::board::BoardWarning;
use crate::{Board, Move};
use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr;

/// A position with operations, which say what is known of it or asked about it.
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position. Its clocks come from the operations `hmvc` and `fmvn`, or
    /// from the two numbers of a FEN if the line has them.
    pub board: Board,
    /// Everything after the position, in order.
    pub operations: Vec<EpdOperation>,
    /// Details that were dropped because they do not fit the pieces.
    pub warnings: Vec<BoardWarning>,
}

/// One operation: a code and its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdOperation {
    /// The code, such as `bm` or `D5`.
    pub code: String,
    /// Its operands, without quotes.
    pub operands: Vec<String>,
}

/// Why a line is not valid EPD.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EpdError {
    /// The position is invalid.
    Position(FenError),
    /// A quoted operand has no end.
    OpenQuote(String),
    /// An operand is not a legal move.
    BadMove {
        /// The operation's code.
        code: String,
        /// What is wrong.
        message: String,
    },
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdError::Position(error) => error.fmt(f),
            EpdError::OpenQuote(code) => {
                write!(f, "the operation '{code}' has an unclosed quote")
            }
            EpdError::BadMove { code, message } => {
                write!(f, "the operation '{code}' has no legal move: {message}")
            }
        }
    }
}

impl std::error::Error for EpdError {}

impl From<FenError> for EpdError {
    fn from(error: FenError) -> EpdError {
        EpdError::Position(error)
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    /// Reads a line. Operations end at a semicolon; a semicolon before the first,
    /// as in perft suites, and NULs at the end of the line are accepted too.
    fn from_str(line: &str) -> Result<Epd, EpdError> {
        let (mut rest, fields) = take_fields(line.trim_end_matches('\0'));
        let (mut builder, mut warnings) = parse_position_fields(&mut fields.into_iter())?;
        if let Some((halfmoves, fullmoves, after)) = take_clocks(rest) {
            builder.halfmove_clock = parse_clock(HALFMOVE_CLOCK, halfmoves)?;
            builder.fullmove_number = parse_clock(MOVE_NUMBER, fullmoves)?;
            rest = after;
        }
        let operations = parse_operations(rest)?;
        for (code, name, clock) in [
            ("hmvc", HALFMOVE_CLOCK, &mut builder.halfmove_clock),
            ("fmvn", MOVE_NUMBER, &mut builder.fullmove_number),
        ] {
            if let Some(operation) = operations.iter().find(|found| found.code == code) {
                let operand = operation.operands.first().map_or("", String::as_str);
                *clock = parse_clock(name, operand)?;
            }
        }
        let (board, dropped) = builder.build().map_err(FenError::Board)?;
        warnings.extend(dropped);
        Ok(Epd {
            board,
            operations,
            warnings,
        })
    }
}

/// The first four fields and what follows them. A semicolon ends a field too.
fn take_fields(line: &str) -> (&str, Vec<&str>) {
    let is_end = |letter: char| letter.is_ascii_whitespace() || letter == ';';
    let mut rest = line.trim_ascii_start();
    let mut fields = Vec::with_capacity(4);
    while fields.len() < 4 && !rest.is_empty() && !rest.starts_with(';') {
        let end = rest.find(is_end).unwrap_or(rest.len());
        fields.push(&rest[..end]);
        rest = rest[end..].trim_ascii_start();
    }
    (rest, fields)
}

/// The two numbers of a FEN, if the rest starts with them, and what follows.
fn take_clocks(rest: &str) -> Option<(&str, &str, &str)> {
    let (first, rest) = take_number(rest)?;
    let (second, rest) = take_number(rest)?;
    Some((first, second, rest))
}

fn take_number(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let end = text
        .find(|letter: char| letter.is_ascii_whitespace() || letter == ';')
        .unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    is_number(number).then_some((number, rest))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn parse_operations(text: &str) -> Result<Vec<EpdOperation>, EpdError> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|letter: char| letter.is_ascii_whitespace());
        let Some(first) = rest.chars().next() else {
            break;
        };
        if first == ';' {
            finish(&mut words, &mut operations);
            rest = &rest[1..];
        } else if first == '"' && !words.is_empty() {
            let inner = &rest[1..];
            let Some(end) = inner.find('"') else {
                return Err(EpdError::OpenQuote(excerpt(&words[0])));
            };
            words.push(inner[..end].to_owned());
            rest = &inner[end + 1..];
        } else {
            let end = rest
                .find(|letter: char| letter.is_ascii_whitespace() || letter == ';')
                .unwrap_or(rest.len());
            words.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
    finish(&mut words, &mut operations);
    Ok(operations)
}

fn finish(words: &mut Vec<String>, operations: &mut Vec<EpdOperation>) {
    let mut words = std::mem::take(words).into_iter();
    if let Some(code) = words.next() {
        operations.push(EpdOperation {
            code,
            operands: words.collect(),
        });
    }
}

impl Epd {
    /// A position without operations.
    pub fn new(board: Board) -> Epd {
        Epd {
            board,
            operations: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The operation with a code, if there is one.
    pub fn operation(&self, code: &str) -> Option<&EpdOperation> {
        self.operations.iter().find(|found| found.code == code)
    }

    /// The operands of an operation as legal moves (`bm`, `am`, `pm`), in SAN or in
    /// coordinates; empty without the operation. A mark that a space separates from
    /// its move, as in `Qd1 +`, is skipped.
    pub fn moves(&self, code: &str) -> Result<Vec<Move>, EpdError> {
        let operands = self
            .operation(code)
            .map_or(&[][..], |found| &found.operands);
        let read = |text: &String| {
            self.board
                .parse_san(text)
                .map_err(|message| EpdError::BadMove {
                    code: excerpt(code),
                    message,
                })
        };
        let is_mark = |text: &&String| text.bytes().all(|byte| b"+#!?".contains(&byte));
        operands
            .iter()
            .filter(|text| !is_mark(text))
            .map(read)
            .collect()
    }
}

/// The line, with operands quoted where necessary. Clocks that no operation
/// gives follow as `hmvc` and `fmvn`, unless they are 0 and 1.
impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.board.write_position_fields(false, &mut text);
        // A number as the first code would be read as a clock.
        if self
            .operations
            .first()
            .is_some_and(|first| is_number(&first.code))
        {
            text.push_str(" ;");
        }
        for operation in &self.operations {
            operation.write_to(&mut text);
        }
        for (code, clock, usual) in [
            ("hmvc", self.board.halfmove_clock(), 0),
            ("fmvn", self.board.fullmove_number(), 1),
        ] {
            if clock != usual && self.operation(code).is_none() {
                let _ = write!(text, " {code} {clock};");
            }
        }
        f.write_str(&text)
    }
}

impl EpdOperation {
    fn write_to(&self, text: &mut String) {
        let _ = write!(text, " {}", self.code);
        for operand in &self.operands {
            // EPD cannot escape a quote inside quotes.
            let replaced = if needs_quotes(operand) {
                operand.replace('"', "'")
            } else {
                operand.clone()
            };
            let by_custom = is_text_operation(&self.code) && !replaced.contains('"');
            let _ = if needs_quotes(&replaced) || by_custom {
                write!(text, " \"{replaced}\"")
            } else {
                write!(text, " {replaced}")
            };
        }
        text.push(';');
    }
}

/// Whether an operand would not be read as one word.
fn needs_quotes(operand: &str) -> bool {
    operand.is_empty()
        || operand.starts_with('"')
        || operand.contains(|letter: char| letter.is_ascii_whitespace() || letter == ';')
}

/// Whether the standard quotes the operands of a code: comments `c0` to `c9`,
/// variation names `v0` to `v9`, and the identity `id`.
fn is_text_operation(code: &str) -> bool {
    code == "id" || matches!(code.as_bytes(), [b'c' | b'v', b'0'..=b'9'])
}
