//! Matches, tests and tournaments as processes: what is printed, and what is
//! kept.

mod ends;
mod resumption;

use crate::program::{folder, run, tabia, transcript};
use insta::assert_snapshot;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The command, to be run in this folder.
fn command(folder: &Path, line: &[&str]) -> Command {
    let mut command = tabia(line);
    command.current_dir(folder);
    command
}

/// A match whose results depend on the search, and so change with it.
const MATCH: &[&str] = &[
    "match",
    "--player",
    "name=new nodes=400 model=classical",
    "--player",
    "name=old nodes=100 model=classical",
    "--games",
    "8",
    "--horizon",
    "60",
    "--at-horizon",
    "material",
    "--out",
    "out",
];

/// A bad engine of this mode as a player: it plays first legal moves until it
/// does something wrong.
fn bad(name: &str, mode: &str) -> String {
    let program = test_engines::badengine();
    let words = mode.split(' ').map(|word| format!(" arg={word}"));
    let arguments: String = words.collect();
    format!(
        "name={name} cmd='{}'{arguments} nodes=10",
        program.display()
    )
}

/// A transcript without what depends on the build.
fn plain(transcript: &str) -> String {
    let fingerprint = regex::Regex::new(r"[0-9a-f]{16}").expect("a pattern");
    let folder = regex::Regex::new(r"-[0-9a-f]{8}(-\d+)?\b").expect("a pattern");
    let text = fingerprint.replace_all(transcript, "[FINGERPRINT]");
    folder.replace_all(&text, "-[FINGERPRINT]").into_owned()
}

/// The games of a journal by number, without their times.
fn games(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("journal.jsonl")).expect("a journal");
    let is_game = |line: &&str| !line.starts_with("{\"build\":");
    let lines = text.lines().skip(1).filter(is_game);
    let mut games: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for game in &mut games {
        let fields = game.as_object_mut().expect("an object");
        for time in ["started", "milliseconds", "times"] {
            assert!(fields.remove(time).is_some(), "{time}");
        }
    }
    games.sort_by_key(|game| game["index"].as_u64());
    games
}

#[test]
fn a_match_tells_what_it_proves() {
    let folder = folder("match");
    let (good, bad) = (bad("good", "correct"), bad("bad", "illegal 3"));
    let line = ["match", "--player", &good, "--player", &bad];
    let line = [&line[..], &["--games", "8", "-c", "1", "--out", "out"]].concat();
    assert_snapshot!(plain(&transcript(&mut command(&folder, &line))));
    // The same command again plays nothing and says the same.
    let before = fs::read(folder.join("out/journal.jsonl")).expect("a journal");
    assert_snapshot!(
        "a_finished_match",
        plain(&transcript(&mut command(&folder, &line)))
    );
    let after = fs::read(folder.join("out/journal.jsonl")).expect("a journal");
    assert_eq!(before, after);
    let result = fs::read_to_string(folder.join("out/result.json")).expect("a result");
    let result: Value = serde_json::from_str(&result).expect("JSON");
    assert_eq!(result["games"], 8);
    assert_eq!(result["verdict"], "all_played");
    assert_eq!(result["failures"]["bad"]["illegal-move"], 8);
}

#[test]
fn too_many_failures_end_a_match() {
    let folder = folder("failures");
    let (good, bad) = (bad("good", "correct"), bad("bad", "crash 3"));
    let line = ["match", "--player", &good, "--player", &bad];
    let line = [&line[..], &["--games", "100", "--max-failures", "5"]].concat();
    let printed = transcript(&mut command(&folder, &line));
    assert!(printed.starts_with("exit 1\n"), "{printed}");
    // Five failures are reached with the third pair.
    assert!(
        printed.contains("\nverdict           stopped, bad failed 6 times\n"),
        "{printed}"
    );
    assert!(
        printed.contains("\nfailures          bad: crash 6\n"),
        "{printed}"
    );
    // The same command goes on if more is allowed.
    let line = [&line[..line.len() - 1], &["7"]].concat();
    let printed = transcript(&mut command(&folder, &line));
    assert!(printed.contains("bad failed 8 times\n"), "{printed}");
}

#[test]
fn games_begin_as_the_book_says() {
    let folder = folder("book");
    let positions =
        "# two endgames\n8/8/4k3/8/8/3QK3/8/8 w - -\n8/8/4k3/8/8/3RK3/8/8 b - - id \"rook\";\n";
    fs::write(folder.join("book.epd"), positions).expect("written");
    let games_text = "[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[Result \"*\"]\n\n1. d4 d5 *\n";
    fs::write(folder.join("book.pgn"), games_text).expect("written");
    let play = |out: &str, options: &[&str]| {
        let line = ["match", "--player", "name=a", "--player", "name=b"];
        let rest = ["--each", "depth=1", "--games", "4", "--horizon", "2"];
        let line = [&line[..], &rest, &["-c", "1", "--out", out], options].concat();
        let printed = transcript(&mut command(&folder, &line));
        assert!(printed.starts_with("exit 0\n"), "{printed}");
        games(&folder.join(out))
    };
    let starts = |games: &[Value]| -> Vec<String> {
        let start = |game: &Value| game["start"].as_str().unwrap_or("usual").to_owned();
        games.iter().map(start).collect()
    };
    let queen = "8/8/4k3/8/8/3QK3/8/8 w - - 0 1";
    let rook = "8/8/4k3/8/8/3RK3/8/8 b - - 0 1";
    let sequential = ["--openings", "book.epd", "--order", "sequential"];
    assert_eq!(
        starts(&play("epd", &sequential)),
        [queen, queen, rook, rook]
    );
    let book = [
        "--openings",
        "book.pgn",
        "--plies",
        "3",
        "--order",
        "sequential",
    ];
    let played = play("pgn", &book);
    assert_eq!(starts(&played), ["usual"; 4]);
    let moves = |game: &Value| {
        let book = game["book"].as_u64().expect("a number") as usize;
        let moves = game["moves"].as_str().expect("moves").split(' ');
        moves.take(book).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        played.iter().map(moves).collect::<Vec<_>>(),
        ["e2e4 e7e5 g1f3", "e2e4 e7e5 g1f3", "d2d4 d7d5", "d2d4 d7d5"]
    );
    // Some seed gives the other order.
    let shuffled = (0..20).any(|seed| {
        let seed = seed.to_string();
        let book = ["--openings", "book.epd", "--seed", &seed];
        starts(&play(&seed, &book)) == [rook, rook, queen, queen]
    });
    assert!(shuffled);
}

#[test]
fn a_limit_that_is_ignored_is_told_at_once() {
    let folder = folder("ignored-limit");
    let (good, bad) = (bad("good", "correct"), bad("bad", "exceeds-nodes 4"));
    let line = ["match", "--player", &good, "--player", &bad];
    let line = [&line[..], &["--games", "2", "--horizon", "4"]].concat();
    let printed = transcript(&mut command(&folder, &line));
    let words = "warning: player 'bad': it used 40 nodes although the limit is 10";
    assert!(printed.contains(words), "{printed}");
}

#[test]
fn a_tournament_has_a_crosstable_and_ratings() {
    let folder = folder("tournament");
    let players = [
        bad("good", "correct"),
        bad("worse", "illegal 3"),
        bad("worst", "no-move"),
    ];
    let mut line = vec!["tournament", "--games", "4", "--horizon", "20"];
    for player in &players {
        line.extend(["--player", player]);
    }
    line.extend(["--max-failures", "100", "--quiet"]);
    assert_snapshot!(plain(&transcript(&mut command(&folder, &line))));
    line.extend(["--seeds", "1"]);
    assert_snapshot!(
        "a_gauntlet",
        plain(&transcript(&mut command(&folder, &line)))
    );
}

#[test]
fn concurrency_changes_nothing() {
    let folder = folder("concurrency");
    let [one, two, four] = ["1", "2", "4"].map(|concurrency| {
        let mut line = MATCH.to_vec();
        let last = line.len() - 1;
        line[last] = concurrency;
        line.extend(["--concurrency", concurrency]);
        let printed = transcript(&mut command(&folder, &line));
        (
            printed.replace(&format!("\nwritten to {concurrency}:"), "\nwritten to out:"),
            games(&folder.join(concurrency)),
        )
    });
    assert_eq!(one.1.len(), 8);
    assert_eq!(one, two);
    assert_eq!(one, four);
}

#[test]
fn what_would_be_played_can_be_seen_before() {
    let folder = folder("rehearsal");
    let line = [MATCH, &["--concurrency", "2", "--dry-run"]].concat();
    assert_snapshot!(plain(&transcript(&mut command(&folder, &line))));
    assert!(!folder.join("out").exists());
    let file = "\
games = 20
concurrency = 3

[each]
tc = '8+0.08'
hash = 16

[[player]]
name = 'new'
model = 'classical'
param = { razor_base = 250 }

[[player]]
name = 'rival'
cmd = 'stockfish'
option = { UCI_LimitStrength = true, UCI_Elo = 2000 }

[endings]
horizon = 300

[endings.draw]
score = 15

[endings.resign]

[sprt]
elo0 = -3
elo1 = 1
model = 'logistic'
";
    fs::write(folder.join("test.toml"), file).expect("written");
    let line = ["sprt", "test.toml", "--dry-run", "--horizon", "200"];
    assert_snapshot!(
        "a_file_with_an_option_over_it",
        plain(&transcript(&mut command(&folder, &line)))
    );
    let printed = transcript(&mut command(&folder, &[&line[..], &["--json"]].concat()));
    let json = printed.lines().nth(2).expect("a line of JSON");
    let json: Value = serde_json::from_str(json).expect("JSON");
    assert_eq!(json["plan"]["sprt"]["model"], "logistic");
}

#[test]
fn wrong_wishes_are_wrong_input() {
    let folder = folder("wrong");
    fs::write(folder.join("typo.toml"), "games = 4\n\n[each]\nnods = 5\n").expect("written");
    fs::write(folder.join("test.toml"), "[sprt]\nelo0 = 0\nelo1 = 5\n").expect("written");
    fs::write(folder.join("wrong.epd"), "8/8/8/8/8/8/8/8 w - -\n").expect("written");
    let two: &[&str] = &["--player", "name=a", "--player", "name=b"];
    let mut all = String::new();
    for line in [
        &["match"][..],
        &["match", "typo.toml"],
        &["match", "test.toml"],
        &["match", "missing.toml"],
        &[&["match"], two].concat(),
        &[&["match", "--each", "nodes=5", "--games", "3"], two].concat(),
        &[&["match", "--each", "nodes=5", "--games", "1000000"], two].concat(),
        &[&["match", "--each", "nods=5"], two].concat(),
        &[&["match", "--each", "cmd=/no/such/engine st=1"], two].concat(),
        &[&["match", "--each", "nodes=5", "--syzygy", "/nowhere"], two].concat(),
        &[&["match", "--each", "nodes=5", "--draw", "score=-1"], two].concat(),
        &[&["match", "--each", "nodes=5", "--at-horizon", "win"], two].concat(),
        &[
            &["match", "--each", "nodes=5", "--openings", "none.epd"],
            two,
        ]
        .concat(),
        &[
            &["match", "--each", "nodes=5", "--openings", "wrong.epd"],
            two,
        ]
        .concat(),
        &[&["sprt", "--each", "nodes=5"], two].concat(),
        &[
            &["sprt", "--each", "nodes=5", "--elo0", "5", "--elo1", "0"],
            two,
        ]
        .concat(),
        &[&["tournament", "--each", "nodes=5", "--seeds", "2"], two].concat(),
        &[
            &["match", "--each", "nodes=5", "-c", "1000", "--affinity"],
            two,
        ]
        .concat(),
    ] {
        let printed = transcript(&mut command(&folder, line));
        assert!(printed.starts_with("exit 2\n"), "{line:?}\n{printed}");
        all += &format!("tabia {}\n{}\n", line.join(" "), first_words(&printed));
    }
    let processors = regex::Regex::new(r"there are \d+").expect("a pattern");
    assert_snapshot!(processors.replace_all(&all, "there are [N]"));
    assert!(!folder.join("matches").exists());
}

/// The error of a transcript, without hints of the parser.
fn first_words(transcript: &str) -> &str {
    let words = transcript.split("--- stderr\n").nth(1).expect("an error");
    words.split("\n\n").next().unwrap_or(words).trim_end()
}

#[test]
fn tests_say_their_verdict_by_exit_codes() {
    let folder = folder("sprt");
    let (good, bad) = (bad("good", "correct"), bad("bad", "illegal 3"));
    let play = |first: &str, second: &str, games: &str| {
        let players = ["sprt", "--player", first, "--player", second];
        let test = ["--elo0", "0", "--elo1", "100", "--max-failures", "1000"];
        let line = [&players[..], &test, &["--games", games, "--quiet"]].concat();
        plain(&transcript(&mut command(&folder, &line)))
    };
    assert_snapshot!("an_accepted_test", play(&good, &bad, "200"));
    let rejected = play(&bad, &good, "200");
    assert!(rejected.starts_with("exit 3\n"), "{rejected}");
    assert!(rejected.contains("failed, elo0 is accepted"), "{rejected}");
    let undecided = play(&good, &bad, "2");
    assert!(undecided.starts_with("exit 4\n"), "{undecided}");
    assert!(undecided.contains("all games played"), "{undecided}");
}

#[test]
fn help_tells_the_exit_codes_of_a_test() {
    let help = run(&["help", "sprt"]);
    assert!(help.contains("    3  elo0 is accepted"), "{help}");
    assert!(help.contains("    4  no decision within"), "{help}");
}
