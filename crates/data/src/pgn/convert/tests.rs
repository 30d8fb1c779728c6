use std::{
    fs,
    io::{Cursor, Read},
};

use super::*;
use crate::pgn::{GameResult, Reader};

/// Some games with event, date, ratings, result and moves.
fn games() -> String {
    [
        (
            "Blitz Cup",
            "2018.05.01",
            "2500",
            "2600",
            "1-0",
            "1. e4 e5 2. Nf3",
        ),
        ("City Open", "2019.12.31", "2400", "2600", "0-1", "1. d4 d5"),
        (
            "City Open",
            "2020.01.01",
            "2510",
            "2520",
            "1/2-1/2",
            "1. c4 c5 2. g3 g6",
        ),
        (
            "World BLITZ",
            "2020.??.??",
            "2700",
            "2700",
            "*",
            "1. e4 e5 2. Nf3",
        ),
        ("Club", "????.??.??", "?", "", "1-0", "1. f4"),
    ]
    .map(|(event, date, white, black, result, moves)| {
        format!(
            "[Event \"{event}\"]\n[Date \"{date}\"]\n[Result \"{result}\"]\n\
             [WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n\n{moves} {result}\n\n"
        )
    })
    .concat()
}

fn source(text: &str) -> Source {
    Source::from_reader("test", Cursor::new(text.to_owned())).expect("plain text")
}

struct Outcome {
    converted: Converted,
    /// Name, number of games and their first moves, for each file.
    files: Vec<(String, u64, String)>,
    folder: tempfile::TempDir,
}

fn convert(name: &str, options: ConvertOptions, texts: &[&str]) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join(name);
    let mut converter = Converter::new(ConvertOptions { output, ..options }).expect("a file");
    for text in texts {
        converter
            .add(source(text), |_, _| ControlFlow::Continue(()))
            .expect("plain text");
    }
    let converted = converter.converted();
    let written = converter.finish().expect("a file");
    let describe = |file: &WrittenFile| {
        let name = file
            .path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        (name, file.games, first_moves(&file.path))
    };
    Outcome {
        converted,
        files: written.iter().map(describe).collect(),
        folder,
    }
}

fn first_moves(path: &Path) -> String {
    let games = Reader::open(path)
        .expect("a file")
        .map(|game| game.expect("a game"));
    let first = games.map(|game| game.moves.moves.first().and_then(|played| played.mv));
    let names = first.map(|mv| mv.map_or(String::new(), |mv| Board::start().san(mv).to_string()));
    names.collect::<Vec<_>>().join(" ")
}

fn chosen(filter: Filter) -> String {
    let options = ConvertOptions {
        filter,
        keep_duplicates: true,
        ..Default::default()
    };
    convert("games.pgn", options, &[&games()]).files.remove(0).2
}

#[test]
fn filters_choose_games() {
    let filter = Filter::default;
    assert_eq!(chosen(filter()), "e4 d4 c4 e4 f4");
    assert_eq!(
        chosen(Filter {
            min_rating: Some(2500),
            ..filter()
        }),
        "e4 c4 e4"
    );
    assert_eq!(
        chosen(Filter {
            max_rating: Some(2600),
            ..filter()
        }),
        "e4 d4 c4"
    );
    assert_eq!(
        chosen(Filter {
            from: "2019".parse().ok(),
            ..filter()
        }),
        "d4 c4 e4"
    );
    assert_eq!(
        chosen(Filter {
            to: "2019".parse().ok(),
            ..filter()
        }),
        "e4 d4"
    );
    assert_eq!(
        chosen(Filter {
            min_plies: Some(3),
            ..filter()
        }),
        "e4 c4 e4"
    );
    assert_eq!(
        chosen(Filter {
            max_plies: Some(2),
            ..filter()
        }),
        "d4 f4"
    );
    let results = vec![GameResult::Draw, GameResult::BlackWins];
    assert_eq!(
        chosen(Filter {
            results,
            ..filter()
        }),
        "d4 c4"
    );
    let words = |words: &[&str]| {
        words
            .iter()
            .map(|&word| word.to_owned())
            .collect::<Vec<_>>()
    };
    let event_words = words(&["blitz", "CLUB"]);
    assert_eq!(
        chosen(Filter {
            event_words,
            ..filter()
        }),
        "e4 e4 f4"
    );
    let unwanted_event_words = words(&["blitz", "club"]);
    assert_eq!(
        chosen(Filter {
            unwanted_event_words,
            ..filter()
        }),
        "d4 c4"
    );
}

#[test]
fn duplicates_are_dropped_across_files() {
    let broken = "1. e4 e4 *\n\n[Event \"same moves\"]\n\n1. f4 0-1\n";
    let outcome = convert("games.pgn", ConvertOptions::default(), &[&games(), broken]);
    let expected = Converted {
        games: 7,
        written: 4,
        left_out: 0,
        duplicates: 2,
        broken: 1,
    };
    assert_eq!(outcome.converted, expected);
    assert_eq!(
        outcome.files,
        [("games.pgn".to_owned(), 4, "e4 d4 c4 f4".to_owned())]
    );
}

#[test]
fn dates_split_games_into_files() {
    let split = |split| {
        let options = ConvertOptions {
            split,
            keep_duplicates: true,
            ..Default::default()
        };
        let files = convert("games.pgn.gz", options, &[&games()]).files;
        files
            .into_iter()
            .map(|(name, _, moves)| format!("{name}: {moves}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        split(Split::At("2020.01.01".parse().unwrap())),
        [
            "games-train.pgn.gz: e4 d4",
            "games-undated.pgn.gz: f4",
            "games-valid.pgn.gz: c4 e4"
        ]
    );
    assert_eq!(
        split(Split::Years),
        [
            "games-2018.pgn.gz: e4",
            "games-2019.pgn.gz: d4",
            "games-2020.pgn.gz: c4 e4",
            "games-undated.pgn.gz: f4"
        ]
    );
}

#[test]
fn names_say_how_files_are_compressed() {
    let start = |name| {
        let outcome = convert(name, ConvertOptions::default(), &[&games()]);
        let mut start = [0; 4];
        let mut file = fs::File::open(outcome.folder.path().join(name)).unwrap();
        file.read_exact(&mut start).unwrap();
        start
    };
    assert_eq!(start("games.pgn"), *b"[Eve");
    assert_eq!(start("games.pgn.gz")[..2], [0x1F, 0x8B]);
    assert_eq!(start("games.pgn.zst"), [0x28, 0xB5, 0x2F, 0xFD]);
}

#[test]
fn many_files_are_written_with_few_compressors() {
    let game = |number| {
        let year = 1900 + number * 7 % 100;
        format!("[Date \"{year}.01.01\"]\n[Round \"{number}\"]\n\n1. e4 *\n\n")
    };
    let text: String = (0..500).map(game).collect();
    let options = ConvertOptions {
        split: Split::Years,
        keep_duplicates: true,
        ..Default::default()
    };
    let outcome = convert("games.pgn.zst", options, &[&text]);
    assert_eq!(outcome.files.len(), 100);
    assert!(
        outcome
            .files
            .iter()
            .all(|(_, games, moves)| *games == 5 && moves == "e4 e4 e4 e4 e4")
    );
}

#[test]
fn an_unfinished_output_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("games.pgn");
    fs::write(&output, "old").unwrap();
    let options = ConvertOptions {
        output: output.clone(),
        ..Default::default()
    };
    let mut converter = Converter::new(options).unwrap();
    converter
        .add(source(&games()), |_, _| ControlFlow::Break(()))
        .unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    drop(converter);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(fs::read(&output).unwrap(), b"old");
}

#[test]
fn threads_do_not_change_the_output() {
    let text: String = (0..3000)
        .map(|number| format!("[Round \"{number}\"]\n\n1. e4 {{{number}}} e5 *\n\n"))
        .collect();
    let output = |threads| {
        let options = ConvertOptions {
            threads,
            keep_duplicates: true,
            ..Default::default()
        };
        let outcome = convert("games.pgn", options, &[&text]);
        fs::read(outcome.folder.path().join("games.pgn")).unwrap()
    };
    assert_eq!(output(1), output(3));
}

#[test]
fn errors_name_the_file() {
    let options = ConvertOptions {
        output: "no/such/folder/games.pgn".into(),
        ..Default::default()
    };
    let error = Converter::new(options)
        .err()
        .expect("no folder")
        .to_string();
    assert!(
        error.starts_with("cannot write no/such/folder/games.pgn: "),
        "{error}"
    );
}
