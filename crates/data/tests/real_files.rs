//! Whole files: no game is broken, and every game can be written and read back.
//!
//! Runs on the games below and, if the variable TABIA_DATA names a folder, on
//! every PGN file in it.

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use data::pgn::{ConvertOptions, Converter, Game, Reader, Source, check};

/// Games as several programs write them.
const GAMES: &str = r#"[Event "Rated Blitz game"]
[Site "https://chess.example/abcdefgh"]
[White "first"]
[Black "second"]
[Result "0-1"]
[UTCDate "2021.10.01"]
[TimeControl "180+2"]

1. f3 { [%eval -0.4] [%clk 0:03:00] } 1... e5?! { [%clk 0:03:00] } 2. g4?? $4 Qh4# 0-1

[Event "Analysis; with {braces} and a \"quote\""]
[White "Öst, Åke"]
[Result "*"]
[FEN "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R b KQkq - 4 12"]
[SetUp "1"]

12... O-O-O (12... O-O 13. Qxd7 {and wins} (13. O-O-O? Qxd2+) 13... Rfd8) (12... Qxd2+)
13. Qxd7+ ; the only move
Rxd7 14. O-O *

[Result "1/2-1/2"]
[Variant "Chess960"]
[FEN "1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w GBgb - 0 9"]

9. O-O O-O-O 10.-- Rd2 1/2-1/2
"#;

/// The files to test: the games above in several forms, then those of the user.
fn files(folder: &Path) -> Vec<PathBuf> {
    let own = folder.join("own.pgn");
    let windows = GAMES.replace('\n', "\r\n");
    let latin_1: Vec<u8> = windows.chars().map(|character| character as u8).collect();
    let own_latin_1 = folder.join("latin-1.pgn");
    fs::write(&own, format!("\u{feff}{GAMES}")).unwrap();
    fs::write(&own_latin_1, latin_1).unwrap();
    let given = std::env::var_os("TABIA_DATA")
        .map(|folder| Path::new(&folder).join("games"))
        .into_iter()
        .flat_map(fs::read_dir)
        .flatten();
    let given = given.map(|entry| entry.unwrap().path());
    let given = given.filter(|path| path.to_string_lossy().contains(".pgn"));
    [own, own_latin_1].into_iter().chain(given).collect()
}

/// The contents of a game, independent of the order of its tags.
fn parts(game: &Game) -> impl PartialEq + std::fmt::Debug {
    let tags: Vec<_> = game.tags().in_export_order().collect();
    let tags = format!("{tags:?}");
    (tags, *game.start(), game.moves.clone(), game.result)
}

#[test]
fn no_game_is_broken_and_all_are_written_as_they_were_read() {
    let folder = tempfile::tempdir().unwrap();
    for path in files(folder.path()) {
        let name = path.display().to_string();
        let (checked, outcome) = check(Source::open(&path).unwrap(), 2, |step| {
            assert!(step.broken.is_empty(), "{name}: {:?}", step.broken[0]);
            ControlFlow::Continue(())
        });
        outcome.expect(&name);
        let output = folder.path().join("written.pgn.zst");
        let options = ConvertOptions {
            output: output.clone(),
            keep_duplicates: true,
            threads: 2,
            ..Default::default()
        };
        let mut converter = Converter::new(options).unwrap();
        let source = Source::open(&path).unwrap();
        converter
            .add(source, |_, _| ControlFlow::Continue(()))
            .unwrap();
        assert_eq!(converter.converted().written, checked.games);
        converter.finish().unwrap();
        let mut written = Reader::open(&output).unwrap();
        for read in Reader::open(&path).unwrap() {
            let (read, written) = (read.unwrap(), written.next().expect("a game").unwrap());
            assert_eq!(parts(&read), parts(&written), "{name}");
        }
        assert!(written.next().is_none());
    }
}

#[test]
fn encodings_and_line_ends_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let files = files(folder.path());
    let read = |path: &PathBuf| {
        let games = Reader::open(path)
            .unwrap()
            .map(|game| game.unwrap().to_string());
        games.collect::<Vec<_>>()
    };
    let (utf_8, latin_1) = (read(&files[0]), read(&files[1]));
    assert_eq!(utf_8.len(), 3);
    assert_eq!(utf_8, latin_1);
}
