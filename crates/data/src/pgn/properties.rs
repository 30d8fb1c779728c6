//! Properties that must hold for every text, however broken.

use std::io::Cursor;

use proptest::prelude::*;

use super::{Batch, Batches, Games, Limits, Source, Token, boundary, text::count_lines};

/// Pieces of text of which real and broken files consist.
const PIECES: [&str; 44] = [
    "[Event \"a\"]",
    "[Site \"b\"]",
    "[Event \"",
    "\"]",
    "[%clk 0:01:00]",
    "[",
    "]",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "{",
    "}",
    "{text}",
    ";",
    "; note",
    "%",
    "\n%",
    "(",
    ")",
    "1.",
    "1. ",
    "12...",
    "e4",
    " Nf3 ",
    "O-O",
    "0-0",
    "0000",
    " 17. Qd1 ",
    " 2. e4 Nf6 ",
    "0. e5 ",
    "--",
    "1-0",
    "0-1 ",
    "1/2-1/2",
    "*",
    "$1",
    "!?",
    "\u{feff}",
    "...",
    "½",
    "\\",
    "\n[Event \"c\"]\n",
];

/// A text similar to PGN.
pub(super) fn any_text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        20 => prop::sample::select(&PIECES[..]).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// The games of a text, each as its tokens; games with only comments and filler are
/// ignored.
fn read(bytes: &[u8], found: &mut Vec<Vec<String>>) {
    let mut games = Games::new(bytes);
    while games.next_game().is_some() {
        let mut tokens = Vec::new();
        let mut is_game = false;
        while let Some(token) = games.next_token() {
            is_game |= matches!(token, Token::Tag(_) | Token::Move(_) | Token::Result(_));
            tokens.push(format!("{token:?}"));
        }
        if is_game {
            found.push(tokens);
        }
    }
}

fn batches(bytes: &[u8], batch: usize, game: usize) -> Vec<(Vec<u8>, u64)> {
    let source = Source::from_reader("test", Cursor::new(bytes.to_vec())).expect("plain text");
    let mut batches = Batches::with_limits(source, Limits { batch, game });
    let mut batch = Batch::default();
    let mut found = Vec::new();
    while batches.next(&mut batch).expect("plain text cannot fail") {
        let lines = batch
            .passed_over()
            .map_or(count_lines(batch.bytes()), |over| over.lines);
        found.push((batch.bytes().to_vec(), lines));
    }
    found
}

/// All tokens of a text except move numbers, read with or without the quick path for
/// plain moves.
fn tokens(bytes: &[u8], quick: bool) -> Vec<String> {
    let mut games = Games::new(bytes);
    let mut found = Vec::new();
    while games.next_game().is_some() {
        found.push("game".to_owned());
        loop {
            let plain = if quick { games.next_plain_move() } else { None };
            let Some(token) = plain.map(Token::Move).or_else(|| games.next_token()) else {
                break;
            };
            if !matches!(token, Token::Number { .. }) {
                found.push(format!("{token:?} at {}", games.token_start()));
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn batches_never_change_what_is_read(text in any_text(), size in 1_usize..200) {
        // A leading space, so that it is neither compressed nor starts with a byte order mark.
        let text = [b" ", &text[..]].concat();
        let pieces = batches(&text, size, 1 << 20);
        let joined: Vec<u8> = pieces.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
        prop_assert_eq!(&joined, &text);
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        read(&text, &mut whole);
        for (bytes, _) in &pieces {
            read(bytes, &mut parts);
        }
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn a_boundary_is_one_for_the_reader_too(text in any_text()) {
        if let Some(start) = boundary::last_game_start(&text) {
            let mut games = Games::new(&text);
            let starts: Vec<usize> = std::iter::from_fn(|| games.next_game()).collect();
            prop_assert!(starts.contains(&start), "{} not in {:?}", start, starts);
        }
    }

    #[test]
    fn the_quick_way_to_moves_changes_nothing(text in any_text()) {
        prop_assert_eq!(tokens(&text, true), tokens(&text, false));
    }

    #[test]
    fn lines_are_counted_through_games_passed_over(text in any_text(), size in 1_usize..50) {
        let text = [b" ", &text[..]].concat();
        let pieces = batches(&text, size, 60);
        let lines: u64 = pieces.iter().map(|(_, lines)| lines).sum();
        prop_assert_eq!(lines, count_lines(&text));
    }

    #[test]
    fn tokens_move_forward_through_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut games = Games::new(&bytes);
        let mut end = 0;
        while games.next_game().is_some() {
            while games.next_token().is_some() {
                prop_assert!(games.token_start() >= end && games.position() > games.token_start());
                end = games.position();
            }
        }
    }
}
