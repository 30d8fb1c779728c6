//! Arbitrary text: readers of FEN, EPD, SAN and coordinates never panic, report errors
//! in one short line, and whatever they accept can be written again.
//!
//! The fuzz targets go deeper; this part runs everywhere.

mod common;

use chess::{Action, Board, CastlingStyle, Epd, Fen, Game, Move};
use common::CORNERS;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngSeed};

/// A configuration with the same cases on every run, and without files.
fn config(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(0x7ab1a),
        failure_persistence: None,
        ..Config::default()
    }
}

/// Characters that occur in notation, and some others.
fn letters() -> impl Strategy<Value = char> {
    let known: Vec<char> = "KQRBNPkqrbnpabcdefgh012345678/ wb-xX=+#!?O;\"()é\u{0}"
        .chars()
        .collect();
    prop_oneof![9 => select(known), 1 => any::<char>()]
}

fn texts(longest: usize) -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(letters(), 0..longest)
            .prop_map(|letters| letters.into_iter().collect()),
        ".{0,40}",
    ]
}

/// A valid text with some characters replaced, inserted or removed.
fn damaged(good: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let edits = proptest::collection::vec((any::<Index>(), 0..3u8, letters()), 0..4);
    (good, edits).prop_map(|(good, edits)| {
        let mut text: Vec<char> = good.chars().collect();
        for (place, kind, letter) in edits {
            if text.is_empty() {
                text.push(letter);
            }
            let at = place.index(text.len());
            match kind {
                0 => text[at] = letter,
                1 => text.insert(at, letter),
                _ => drop(text.remove(at)),
            }
        }
        text.into_iter().collect()
    })
}

fn boards() -> impl Strategy<Value = Board> {
    select(CORNERS.to_vec()).prop_map(|fen| Board::from_fen(fen).expect("a position"))
}

fn operations() -> impl Strategy<Value = String> {
    select(vec![
        "bm e4; id \"one; two\";",
        ";D1 20 ;D2 400",
        "7 31 bm Nf3 d4; c0 \"x\";",
        "hmvc 5; fmvn 12; am O-O;",
        "12 13 14;",
        "\"quoted\" code; a\"b;",
    ])
    .prop_map(str::to_owned)
}

fn is_clear(message: &str) -> bool {
    !message.is_empty() && message.len() < 400 && !message.contains(char::is_control)
}

/// Checks what must hold for a text as FEN.
fn check_fen(text: &str) {
    match text.parse::<Fen>() {
        Ok(fen) => {
            for written in [fen.board.fen(), fen.board.shredder_fen()] {
                let again: Fen = written.parse().expect("the FEN of a board");
                assert_eq!((again.board, again.warnings), (fen.board, vec![]), "{text}");
            }
        }
        Err(error) => assert!(is_clear(&error.to_string()), "{error} for {text:?}"),
    }
}

/// Checks what must hold for a text as EPD.
fn check_epd(text: &str) {
    match text.parse::<Epd>() {
        Ok(epd) => {
            let written = epd.to_string();
            let again: Epd = written.parse().expect("the EPD of a board");
            assert_eq!(again.board, epd.board, "{text}");
            assert_eq!(again.to_string(), written, "{text}");
            for operation in &epd.operations {
                if let Err(error) = epd.moves(&operation.code) {
                    assert!(is_clear(&error.to_string()), "{error} for {text:?}");
                }
            }
        }
        Err(error) => assert!(is_clear(&error.to_string()), "{error} for {text:?}"),
    }
}

/// Checks what must hold for a text as a move, in SAN and in coordinates.
fn check_move(board: &Board, text: &str) {
    let read = [
        board.parse_san(text),
        board.parse_uci(text).map_err(|error| error.to_string()),
    ];
    for result in read {
        match result {
            Ok(mv) => {
                assert!(board.is_legal(mv), "{text} in {board:?}");
                assert_eq!(board.parse_san(board.san(mv).as_str()), Ok(mv));
                let uci = board.uci(mv, CastlingStyle::Chess960).to_string();
                assert_eq!(board.parse_uci(&uci), Ok(mv));
            }
            Err(error) => assert!(is_clear(&error), "{error} for {text:?}"),
        }
    }
}

proptest! {
    #![proptest_config(config(4_000))]

    #[test]
    fn any_text_as_fen_and_epd(text in texts(80)) {
        check_fen(&text);
        check_epd(&text);
    }

    #[test]
    fn damaged_fens(text in damaged(select(CORNERS.to_vec()).prop_map(str::to_owned))) {
        check_fen(&text);
        check_epd(&text);
    }

    #[test]
    fn damaged_epds(
        text in damaged(
            (select(CORNERS.to_vec()), operations())
                .prop_map(|(fen, operations)| {
                    let fields: Vec<&str> = fen.split(' ').take(4).collect();
                    format!("{} {operations}", fields.join(" "))
                })
        )
    ) {
        check_epd(&text);
    }

    #[test]
    fn any_text_as_a_move(board in boards(), text in texts(9)) {
        check_move(&board, &text);
    }

    #[test]
    fn damaged_moves(
        (board, text) in boards().prop_flat_map(|board| {
            let sans: Vec<String> = board
                .legal_moves()
                .iter()
                .map(|&mv| board.san(mv).to_string())
                .collect();
            (Just(board), damaged(select(sans)))
        })
    ) {
        check_move(&board, &text);
    }

    #[test]
    fn any_action(
        board in boards(),
        squares in proptest::array::uniform4(-2..10i32),
        text in texts(60),
    ) {
        let mut game = Game::new(board);
        if let Err(error) = game.step(squares.into()) {
            prop_assert!(is_clear(&error.to_string()));
            prop_assert_eq!(game.board(), &board);
        } else {
            prop_assert_eq!(game.moves().len(), 1);
        }
        if let Err(error) = Action::from_uci(&text) {
            prop_assert!(is_clear(&error.to_string()), "{}", error);
        }
    }

    #[test]
    fn any_sixteen_bits_through_the_game(board in boards(), bits in any::<u16>()) {
        let mv = Move::from_bits(bits);
        let mut game = Game::new(board);
        prop_assert_eq!(game.play(mv).is_ok(), board.is_legal(mv));
    }
}
