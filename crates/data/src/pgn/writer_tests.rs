use std::io::Cursor;

use crate::pgn::{Batches, Game, Reader, Source};

fn read(text: &str) -> Vec<Game> {
    let source = Source::from_reader("test", Cursor::new(text.to_owned())).unwrap();
    Reader::new(Batches::new(source))
        .map(|game| game.expect("a whole game"))
        .collect()
}

fn rewritten(text: &str) -> String {
    read(text).iter().map(Game::to_string).collect()
}

#[test]
fn the_roster_stands_first_and_is_complete() {
    assert_eq!(
        rewritten("[ECO \"C20\"]\n[White \"a \\\"b\\\" \\\\\"]\n1.e4 e5 2. d3 1-0"),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
         [White \"a \\\"b\\\" \\\\\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n\n\
         1. e4 e5 2. d3 1-0\n\n"
    );
}

#[test]
fn comments_and_variations_are_kept() {
    let text = "{start} 1. e4! {king's pawn} ({or} 1. d4 d5 (1... Nf6)) e5 ; so }\n2. -- $10 *";
    let movetext = rewritten(text)
        .split_once("\n\n")
        .map(|(_, moves)| moves.to_owned());
    assert_eq!(
        movetext.as_deref(),
        Some(
            "{ start } 1. e4 $1 { king's pawn } ( { or } 1. d4 d5 ( 1... Nf6 ) ) 1... e5\n\
             ; so }\n2. -- $10 *\n\n"
        )
    );
}

#[test]
fn no_line_of_moves_is_too_long() {
    let moves = "Nf3 Nf6 Ng1 {a comment of some words} Ng8 ".repeat(50);
    let text = rewritten(&format!("{moves} 1/2-1/2"));
    assert!(text.lines().all(|line| line.len() < 80));
    assert_eq!(read(&text)[0].moves, read(&moves)[0].moves);
}

#[test]
fn starts_and_numbers_are_kept() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 40";
    let text = rewritten(&format!(
        "[SetUp \"1\"]\n[FEN \"{fen}\"]\n40... O-O 41. O-O-O *"
    ));
    assert!(text.contains(&format!(
        "[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n40... O-O 41. O-O-O *\n"
    )));
}
