//! `tabia ratings`, on small files of these tests' own.

use crate::program::{folder, run_in, with_short_numbers};
use insta::assert_snapshot;
use std::fmt::Write as _;
use std::fs;

/// Losses, draws and wins of White in so many games.
const PAIRINGS: [(&str, &str, [usize; 3]); 6] = [
    ("alpha", "beta", [4, 10, 16]),
    ("beta", "alpha", [9, 12, 9]),
    ("beta", "Gämma", [5, 9, 6]),
    ("Gämma", "beta", [6, 8, 6]),
    ("alpha", "Gämma", [1, 4, 5]),
    ("Gämma", "delta", [2, 5, 3]),
];

fn games() -> Vec<(&'static str, &'static str, &'static str)> {
    let mut all = Vec::new();
    for (white, black, counts) in PAIRINGS {
        for (result, count) in ["0-1", "1/2-1/2", "1-0"].into_iter().zip(counts) {
            all.extend(std::iter::repeat_n((white, black, result), count));
        }
    }
    all
}

fn pgn() -> String {
    games().iter().fold(String::new(), |mut text, (white, black, result)| {
        let _ = write!(
            text,
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n"
        );
        text
    })
}

fn journal() -> String {
    let plan = "{\"kind\":\"plan\",\"games\":130}\n".to_owned();
    games().iter().fold(plan, |mut text, (white, black, result)| {
        let _ = writeln!(
            text,
            "{{\"kind\":\"game\",\"white\":\"{white}\",\"black\":\"{black}\",\"result\":\"{result}\"}}"
        );
        text
    })
}

#[test]
fn a_list_with_a_crosstable() {
    let folder = folder("ratings/list");
    fs::write(folder.join("games.pgn"), pgn()).unwrap();
    assert_snapshot!(run_in(&folder, "ratings games.pgn --crosstable"));
}

#[test]
fn journals_and_compressed_games_give_the_same_list() {
    let folder = folder("ratings/same");
    fs::write(folder.join("games.pgn"), pgn()).unwrap();
    fs::write(folder.join("journal.jsonl"), journal()).unwrap();
    run_in(
        &folder,
        "pgn convert --keep-duplicates games.pgn -o games.pgn.zst",
    );
    let list = run_in(&folder, "ratings --json games.pgn");
    assert!(list.starts_with("exit 0\n"), "{list}");
    assert_eq!(run_in(&folder, "ratings --json games.pgn.zst"), list);
    assert_eq!(run_in(&folder, "ratings --json journal.jsonl"), list);
}

#[test]
fn several_files_anchors_and_rare_players() {
    let folder = folder("ratings/anchors");
    fs::write(folder.join("games.pgn"), pgn()).unwrap();
    fs::write(folder.join("journal.jsonl"), journal()).unwrap();
    let arguments =
        "ratings games.pgn journal.jsonl --min-games 21 --anchor beta=2000 --anchor alpha=2040";
    assert_snapshot!(run_in(&folder, arguments));
    let arguments = "ratings games.pgn --min-games 11 --anchor beta=2000 --json";
    assert_snapshot!(with_short_numbers(&run_in(&folder, arguments)));
}

#[test]
fn one_sided_results_are_rated_with_a_warning() {
    let folder = folder("ratings/one_sided");
    let won = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1-0\n\n";
    let other = "[White \"b\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1-0\n\n[White \"b\"]\n\n*\n";
    fs::write(folder.join("games.pgn"), [won, won, other].concat()).unwrap();
    assert_snapshot!(run_in(&folder, "ratings games.pgn"));
}

#[test]
fn what_cannot_be_rated_is_wrong_input() {
    let folder = folder("ratings/wrong");
    fs::write(folder.join("games.pgn"), pgn()).unwrap();
    fs::write(folder.join("empty.pgn"), "").unwrap();
    fs::write(
        folder.join("torn.jsonl"),
        "{\"kind\":\"plan\"}\n{\"white\n{}\n",
    )
    .unwrap();
    for (arguments, complaint) in [
        ("ratings missing.pgn", "cannot open missing.pgn: "),
        (
            "ratings empty.pgn",
            "there are no finished games between two different players",
        ),
        (
            "ratings torn.jsonl",
            "torn.jsonl:2: not a line of a journal: ",
        ),
        (
            "ratings games.pgn --anchor nobody=1",
            "nobody, whose rating is fixed,",
        ),
        ("ratings games.pgn --anchor alpha", "such as `baseline=0`"),
        (
            "ratings games.pgn --anchor alpha=nan",
            "the rating NaN of alpha is out of range;",
        ),
        (
            "ratings games.pgn --min-games 1000",
            "there are no finished games",
        ),
    ] {
        let said = run_in(&folder, arguments);
        assert!(said.starts_with("exit 2\n--- stderr\nerror: "), "{said}");
        assert!(said.contains(complaint), "{said}");
    }
}
