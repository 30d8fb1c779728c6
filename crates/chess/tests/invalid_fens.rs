//! Broken FENs: each is refused with a reason, repaired with a warning, or
//! accepted as it is. Nothing panics, and what is read can be written.
//!
//! With `TABIA_DATA` set to a data folder, its file of invalid FENs is read too.

use chess::{Board, BoardError, Epd, Fen, FenError};
use std::path::PathBuf;

/// What must happen to a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// Refused: fields, ranks, characters.
    Syntax,
    /// Refused: kings.
    Kings,
    /// Refused: too many men.
    Men,
    /// Refused: pawns on back ranks.
    Pawns,
    /// Refused: the side that is not to move is in check.
    Check,
    /// Accepted, with this many warnings.
    Repaired(usize),
    /// Accepted without warnings.
    Accepted,
}

fn fate_of(text: &str) -> Fate {
    match text.parse::<Fen>() {
        Ok(fen) if fen.warnings.is_empty() => Fate::Accepted,
        Ok(fen) => Fate::Repaired(fen.warnings.len()),
        Err(FenError::Board(error)) => match error {
            BoardError::Kings { .. } => Fate::Kings,
            BoardError::TooManyMen { .. } => Fate::Men,
            BoardError::PawnOnBackRank(_) => Fate::Pawns,
            BoardError::OpponentInCheck { .. } => Fate::Check,
            other => panic!("unexpected error {other} in {text}"),
        },
        Err(_) => Fate::Syntax,
    }
}

/// Invalid and odd texts, and what must happen to each.
const BROKEN: [(&str, Fate); 59] = [
    // Nothing, words, and fields that are missing or too many.
    ("", Fate::Syntax),
    (" ", Fate::Syntax),
    ("\u{0}", Fate::Syntax),
    ("startpos", Fate::Syntax),
    ("good morning w - - 0 1", Fate::Syntax),
    ("w - - 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 - - 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1;", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w - -0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w -- 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w - - - -", Fate::Syntax),
    // Geometry.
    ("/4k3/8/8/8/8/8/8/4K3 w - - 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3/ w - - 0 1", Fate::Syntax),
    ("4k3//8/8/8/8/8/4K3 w - - 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/4K3 w - - 0 1", Fate::Syntax),
    ("4k3.8.8.8.8.8.8.4K3 w - - 0 1", Fate::Syntax),
    ("4k3\\8\\8\\8\\8\\8\\8\\4K3 w - - 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3P w - - 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", Fate::Syntax),
    ("4k3/8/8/88/8/8/8/4K3 w - - 0 1", Fate::Syntax),
    ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", Fate::Syntax),
    ("4k3/8/8/08/8/8/8/4K3 w - - 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K2é w - - 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K2♖ w - - 0 1", Fate::Syntax),
    ("４k3/8/8/8/8/8/8/4K3 w - - 0 1", Fate::Syntax),
    // Side, castling, en passant, clocks.
    ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 ww - - 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w K-q - 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w KQiq - 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w 0 - 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w - e 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w - e66 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w - 6e 0 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w - - x 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w - - 1.5 1", Fate::Syntax),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 10000", Fate::Syntax),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 1",
        Fate::Syntax,
    ),
    // Men that the rules do not allow.
    ("8/8/8/8/8/8/8/8 w - - 0 1", Fate::Kings),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", Fate::Kings),
    ("4k2k/8/8/8/8/8/8/4K3 w - - 0 1", Fate::Kings),
    ("kkkkkkkk/8/8/8/8/8/8/4K3 w - - 0 1", Fate::Kings),
    ("4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", Fate::Men),
    ("rnbqkbnr/pppppppp/n7/8/8/8/8/4K3 w - - 0 1", Fate::Men),
    ("4k1p1/8/8/8/8/8/8/4K3 w - - 0 1", Fate::Pawns),
    ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", Fate::Pawns),
    ("4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1", Fate::Check),
    ("4k3/8/5N2/8/8/8/8/4K3 w - - 0 1", Fate::Check),
    ("8/8/8/8/4k3/3P4/8/4K3 w - - 0 1", Fate::Check),
    ("8/8/8/8/8/8/8/3kK3 w - - 0 1", Fate::Check),
    // What can be repaired.
    ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", Fate::Repaired(4)),
    ("4k3/8/8/8/8/8/8/4K3 w HAha - 0 1", Fate::Repaired(4)),
    ("krr5/8/8/8/8/8/8/4K3 w kq - 0 1", Fate::Repaired(1)),
    ("4k3/8/8/8/8/8/8/4K3 w - a1 0 1", Fate::Repaired(1)),
    ("4k3/8/8/8/8/8/8/4K3 w K h6 0 1", Fate::Repaired(2)),
    // What is merely odd.
    (
        "nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        Fate::Accepted,
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 400 500",
        Fate::Accepted,
    ),
    ("qqqqkqqq/8/8/8/8/8/8/4K3 w - - 0 1", Fate::Accepted),
];

/// What was read can be written and read again, without further repairs.
fn check_rewriting(board: &Board) {
    for text in [board.fen(), board.shredder_fen()] {
        let fen: Fen = text.parse().expect("the FEN of a board");
        assert_eq!((fen.board, fen.warnings), (*board, vec![]), "{text}");
    }
}

/// An error must have a message that fits on a line.
fn check_message(message: &str) {
    let is_clear = (10..200).contains(&message.len()) && !message.contains(char::is_control);
    assert!(is_clear, "unclear: {message:?}");
}

fn check_text(text: &str) {
    match text.parse::<Fen>() {
        Ok(fen) => check_rewriting(&fen.board),
        Err(error) => check_message(&error.to_string()),
    }
    match text.parse::<Epd>() {
        Ok(epd) => check_rewriting(&epd.board),
        Err(error) => check_message(&error.to_string()),
    }
}

/// The lines of the data folder's file, if there is such a folder. The lines
/// are FENs with comments after a semicolon.
fn lines_of_data() -> Vec<String> {
    let Some(folder) = std::env::var_os("TABIA_DATA") else {
        return Vec::new();
    };
    let path = PathBuf::from(folder).join("epd/destruction-test_INVALID_FENS.epd");
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = String::from_utf8_lossy(&bytes).into_owned();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_broken_fen_has_its_fate() {
    for (text, fate) in BROKEN {
        assert_eq!(fate_of(text), fate, "{text}");
    }
}

#[test]
fn nothing_panics_and_errors_are_clear() {
    let lines = lines_of_data();
    let written_by_us = BROKEN.iter().map(|&(text, _)| text.to_owned());
    for line in written_by_us.chain(lines) {
        let fen = line.split(';').next().unwrap_or_default();
        println!("{:?}: {fen:?}", fate_of(fen));
        check_text(&line);
        check_text(fen);
        // Texts that are cut off anywhere must not panic either.
        for end in (0..line.len()).filter(|&end| line.is_char_boundary(end)) {
            check_text(&line[..end]);
        }
    }
}
