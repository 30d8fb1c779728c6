use std::io::{Cursor, Write};

use super::*;

fn batches(bytes: impl Into<Vec<u8>>, batch: usize, game: usize) -> Batches {
    let source = Source::from_reader("test", Cursor::new(bytes.into())).expect("readable");
    Batches::with_limits(source, Limits { batch, game })
}

/// The texts of all batches, and the error at their end.
fn texts(mut batches: Batches) -> (Vec<String>, Option<SourceError>) {
    let mut batch = Batch::default();
    let mut texts = Vec::new();
    loop {
        match batches.next(&mut batch) {
            Ok(true) => {
                assert_eq!(batch.index(), texts.len() as u64);
                let text = String::from_utf8(batch.bytes().to_vec()).unwrap();
                texts.push(match batch.passed_over() {
                    Some(PassedOver { lines, .. }) => format!("{lines} lines{text}"),
                    None => text,
                });
            }
            Ok(false) => return (texts, None),
            Err(error) => return (texts, Some(error)),
        }
    }
}

fn game(name: &str) -> String {
    format!("[Event \"{name}\"]\n[Site \"?\"]\n\n1. e4 e5 *\n\n")
}

#[test]
fn batches_hold_whole_games() {
    let text = [game("a"), game("b"), game("c"), game("d")];
    let (single, error) = texts(batches(text.concat(), 1, 1000));
    assert!(error.is_none());
    assert_eq!(single, text);
    let (double, _) = texts(batches(text.concat(), 2 * text[0].len() + 20, 1000));
    assert_eq!(double, [text[..2].concat(), text[2..].concat()]);
    let (whole, _) = texts(batches(text.concat(), 1000, 1000));
    assert_eq!(whole, [text.concat()]);
}

#[test]
fn an_empty_file_has_no_batch() {
    assert_eq!(texts(batches("", 10, 10)).0, Vec::<String>::new());
}

#[test]
fn games_without_tags_are_cut_too() {
    let (found, _) = texts(batches(
        "1. e4 e5 1-0 1. d4 *\n1. c4 c5 2. Nf3 0-1 1. f4",
        12,
        100,
    ));
    assert_eq!(
        found.concat(),
        "1. e4 e5 1-0 1. d4 *\n1. c4 c5 2. Nf3 0-1 1. f4"
    );
    assert!(found.len() > 1, "{found:?}");
}

#[test]
fn a_game_too_large_is_passed_over() {
    let large = format!(
        "[Event \"b\"]\n[Site \"?\"]\n\n1. e4 {{{}}} *\n\n",
        "long\n".repeat(2000)
    );
    let text = [game("a"), large, game("c"), game("d")];
    let (found, error) = texts(batches(text.concat(), 50, 5000));
    assert!(error.is_none());
    assert_eq!(found, [text[0].as_str(), "2005 lines", &text[2], &text[3]]);
    let (at_end, _) = texts(batches(text[..2].concat(), 50, 5000));
    assert_eq!(at_end, [text[0].as_str(), "2005 lines"]);
}

#[test]
fn a_torn_file_gives_its_whole_games() {
    let text: String = (0..5000).map(|number| game(&number.to_string())).collect();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    let mut torn = encoder.finish().unwrap();
    torn.truncate(torn.len() / 2);
    for size in [100, 1000, 1 << 20] {
        let (found, error) = texts(batches(torn.clone(), size, 1 << 20));
        assert!(matches!(error, Some(SourceError::Read { .. })), "{error:?}");
        let read = found.concat();
        assert!(text.starts_with(&read) && read.len() > text.len() / 10);
        assert!(read.ends_with("*\n\n"));
    }
}
