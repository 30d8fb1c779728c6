//! `tabia pgn`, on small files of these tests' own.

use crate::program::{folder, run, tabia, transcript};
use insta::assert_snapshot;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const GAMES: &str = "\
[Event \"City Open\"]
[Site \"?\"]
[Date \"2019.12.31\"]
[Round \"1\"]
[White \"Bj\u{f6}rn\"]
[Black \"A\"]
[Result \"1-0\"]
[WhiteElo \"2500\"]
[BlackElo \"2400\"]

1. e4 { [%clk 0:01:00] } 1... e5 ( 1... c5 ) 2. Nf3 1-0

[Event \"City Blitz\"]
[Site \"?\"]
[Date \"2020.01.01\"]
[Round \"2\"]
[White \"B\"]
[Black \"C\"]
[Result \"0-1\"]

1. f3 e5 2. g4 Qh4# 0-1

";

const BROKEN: &str = "[Event \"Broken\"]\n\n1. e4 e5\n2. Ke3 *\n\n";

/// Runs the program in a folder and replaces what differs from run to run.
fn run_in(folder: &Path, arguments: &[&str]) -> String {
    let mut text = transcript(tabia(arguments).current_dir(folder));
    for (pattern, replacement) in [
        (r"time           \d+\.\d{3} s", "time           [TIME] s"),
        (r"games/s        \d+", "games/s        [SPEED]"),
        (r#""seconds":[-.e\d]+"#, r#""seconds":[TIME]"#),
        (r#""games_per_second":\d+"#, r#""games_per_second":[SPEED]"#),
        (r"tabia-\w+", "tabia-[NAME]"),
    ] {
        let pattern = regex::Regex::new(pattern).expect("a pattern");
        text = pattern.replace_all(&text, replacement).into_owned();
    }
    text
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry"));
    let mut names: Vec<_> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn check_counts_games_and_results() {
    let folder = folder("pgn/check_counts");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    assert_snapshot!(run_in(&folder, &["pgn", "check", "games.pgn"]), @r"
    exit 0
    --- stdout
    games          2
    broken         0
    1-0            1
    0-1            1
    1/2-1/2        0
    *              0
    contradicted   0
    plies          7
    in variations  1
    time           [TIME] s
    games/s        [SPEED]
    ");
}

#[test]
fn check_names_broken_games_and_fails() {
    let folder = folder("pgn/check_names");
    fs::write(folder.join("games.pgn"), [GAMES, BROKEN, GAMES].concat()).unwrap();
    let arguments = ["pgn", "check", "--json", "--threads", "2", "games.pgn"];
    assert_snapshot!(run_in(&folder, &arguments), @r#"
    exit 1
    --- stdout
    {"games":5,"broken":1,"plies":14,"variation_plies":2,"results":{"*":0,"0-1":2,"1-0":2,"1/2-1/2":0},"contradicted":0,"threads":2,"seconds":[TIME],"games_per_second":[SPEED],"broken_games":[{"file":"games.pgn","line":26,"game":3,"problem":"2. Ke3: not a legal move here, in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"}]}
    --- stderr
    games.pgn:26: game 3: 2. Ke3: not a legal move here, in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
    "#);
}

#[test]
fn check_tells_of_contradictions_if_asked() {
    let folder = folder("pgn/check_tells");
    fs::write(folder.join("games.pgn"), "1. f3 e5 2. g4 Qh4# 1-0\n").unwrap();
    let said = run_in(&folder, &["pgn", "check", "-v", "games.pgn"]);
    assert!(said.ends_with("games.pgn:1: game 1: the result is 1-0, but mate on the board\n"));
}

#[test]
fn check_reads_standard_input() {
    let mut child = tabia(&["pgn", "check", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    input
        .write_all(GAMES.as_bytes())
        .expect("the program reads");
    drop(input);
    let output = child.wait_with_output().expect("the program ends");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("{\"games\":2,"));
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = folder("pgn/cannot_be_read");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    run_in(
        &folder,
        &["pgn", "convert", "games.pgn", "-o", "games.pgn.gz"],
    );
    let whole = fs::read(folder.join("games.pgn.gz")).unwrap();
    fs::write(folder.join("torn.pgn.gz"), &whole[..whole.len() - 6]).unwrap();
    assert_snapshot!(run_in(&folder, &["pgn", "check", "-q", "missing.pgn"]), @r"
    exit 2
    --- stderr
    error: cannot open missing.pgn: No such file or directory (os error 2)
    ");
    let torn = run_in(
        &folder,
        &["pgn", "check", "--json", "torn.pgn.gz", "games.pgn"],
    );
    assert!(
        torn.starts_with("exit 1\n--- stdout\n{\"games\":3,"),
        "{torn}"
    );
    assert!(
        torn.contains("error: torn.pgn.gz cannot be read beyond byte "),
        "{torn}"
    );
}

#[test]
fn convert_writes_what_it_reads() {
    let folder = folder("pgn/convert_writes");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let arguments = ["pgn", "convert", "games.pgn", "-o", "again.pgn"];
    assert_snapshot!(run_in(&folder, &arguments), @r"
    exit 0
    --- stdout
    games       2
    left out    0
    duplicates  0
    broken      0
    written     2
    again.pgn: 2
    ");
    assert_eq!(fs::read_to_string(folder.join("again.pgn")).unwrap(), GAMES);
}

#[test]
fn convert_tells_what_it_did_not_take() {
    let folder = folder("pgn/convert_takes");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let convert = ["pgn", "convert", "games.pgn", "-o", "chosen.pgn"];
    let limited = run_in(&folder, &[&convert[..], &["--limit", "1"]].concat());
    assert!(
        limited.contains("\nnot read    1 or more: --limit was reached\n"),
        "{limited}"
    );
    let nobody = run_in(&folder, &[&convert[..], &["--player", "Nobody"]].concat());
    assert!(
        nobody.contains("warning: no game passed the filters; --player expects the full name"),
        "{nobody}"
    );
}

#[test]
fn convert_chooses_splits_and_drops_duplicates() {
    let folder = folder("pgn/convert_chooses");
    fs::write(folder.join("games.pgn"), [GAMES, BROKEN, GAMES].concat()).unwrap();
    let arguments = [
        "pgn",
        "convert",
        "games.pgn",
        "-o",
        "set.pgn.zst",
        "--split-by-date",
        "2020",
    ];
    assert_snapshot!(run_in(&folder, &arguments), @r"
    exit 0
    --- stdout
    games       5
    left out    0
    duplicates  2
    broken      1
    written     2
    set-train.pgn.zst: 1
    set-valid.pgn.zst: 1
    --- stderr
    games.pgn:26: game 3: 2. Ke3: not a legal move here, in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
    ");
    let arguments = [
        "pgn",
        "convert",
        "games.pgn",
        "-o",
        "rated.pgn",
        "--min-rating",
        "2400",
        "-q",
    ];
    assert!(run_in(&folder, &arguments).contains("left out    3\nduplicates  1\nbroken      0\n"));
    assert_eq!(
        names(&folder),
        [
            "games.pgn",
            "rated.pgn",
            "set-train.pgn.zst",
            "set-valid.pgn.zst"
        ]
    );
}

#[test]
fn wrong_wishes_are_wrong_usage() {
    let folder = folder("pgn/wrong_wishes");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    for (wish, complaint) in [
        (
            &["-o", "games.pgn"][..],
            "error: games.pgn is both input and output",
        ),
        (
            &["-o", "x.pgn.xz"],
            "error: x.pgn.xz cannot be written as xz; name it .zst or .gz",
        ),
        (
            &["-o", "x.pgn", "--from", "19"],
            "not a date like 2019, 2019.12 or 2019.12.31",
        ),
        (
            &["-o", "x.pgn", "--result", "2-0"],
            "not one of 1-0, 0-1, 1/2-1/2 and *",
        ),
        (
            &["-o", "x.pgn", "--split-by-date", "day"],
            "nor `year` or `month`",
        ),
        (&[], "--out <FILE>"),
    ] {
        let said = run_in(&folder, &[&["pgn", "convert", "games.pgn"], wish].concat());
        assert!(said.starts_with("exit 2\n--- stderr\n"), "{said}");
        assert!(said.contains(complaint), "{said}");
    }
    assert_eq!(names(&folder), ["games.pgn"]);
    let nowhere = ["pgn", "convert", "games.pgn", "-o", "no/folder/x.pgn"];
    assert!(run_in(&folder, &nowhere).starts_with("exit 1\n--- stderr\nerror: cannot write no/"));
}

#[test]
fn an_interrupted_conversion_leaves_no_half_file() {
    let folder = folder("pgn/interrupted");
    let mut child = tabia(&["pgn", "convert", "-", "-o", "games.pgn"])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let games = GAMES.repeat(2000);
    input
        .write_all(games.as_bytes())
        .expect("the program reads");
    assert!(
        names(&folder)
            .iter()
            .any(|name| name.starts_with(".tabia-"))
    );
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill starts").success());
    // The program asks after each batch of games, so it must get some.
    while input.write_all(games.as_bytes()).is_ok() {}
    assert_eq!(child.wait().expect("the program ends").code(), Some(130));
    assert_eq!(names(&folder), Vec::<String>::new());
}

#[test]
fn pgn_alone_explains_itself() {
    let said = run(&["pgn"]);
    assert!(
        said.starts_with("exit 2\n--- stderr\nCheck and convert game files"),
        "{said}"
    );
}

#[test]
fn sequences_are_taken_and_divided_by_date() {
    let path = &folder("sequences");
    fs::write(path.join("games.pgn"), [GAMES, BROKEN].concat()).expect("written");
    assert_snapshot!(run_in(
        path,
        &[
            "pgn",
            "sequences",
            "games.pgn",
            "-o",
            "g.sequences",
            "--valid-from",
            "2020"
        ],
    ));
    assert_eq!(
        names(path),
        ["g-train.sequences", "g-valid.sequences", "games.pgn"]
    );
    assert_snapshot!(run_in(
        path,
        &[
            "pgn",
            "sequences",
            "games.pgn",
            "-o",
            "g.sequences",
            "--valid-from",
            "2020",
            "--test-from",
            "2019",
        ],
    ));
}

#[test]
fn games_of_one_player_can_be_chosen_and_limited() {
    let path = &folder("games-of-one-player");
    fs::write(path.join("games.pgn"), [GAMES, GAMES].concat()).expect("written");
    let written = |arguments: &[&str]| {
        let fixed = [
            "pgn",
            "convert",
            "games.pgn",
            "-o",
            "out.pgn",
            "--keep-duplicates",
        ];
        run_in(path, &[&fixed, arguments].concat());
        let text = fs::read_to_string(path.join("out.pgn")).expect("a file");
        text.matches("[Event ").count()
    };
    assert_eq!(written(&[]), 4);
    assert_eq!(written(&["--player", "bj\u{f6}rn"]), 2);
    assert_eq!(written(&["--limit", "3"]), 3);
    assert_eq!(written(&["--player", "nobody"]), 0);
    assert_eq!(written(&["--with-clocks"]), 0);
}

#[test]
fn a_model_that_predicts_moves_is_judged_by_games() {
    let path = &folder("judged");
    fs::write(path.join("games.pgn"), GAMES).expect("written");
    let shown = run_in(path, &["net", "judge", "heuristic", "--games", "games.pgn"]);
    let all = shown.lines().find(|line| line.starts_with("all "));
    let moves = all.and_then(|line| line.split_whitespace().nth(1));
    assert_eq!(moves, Some("7"), "{shown}");
    assert!(shown.contains("\n2400-2599 "), "{shown}");
    assert_snapshot!(run_in(
        path,
        &["net", "judge", "heuristic", "--games", "none.pgn"]
    ));
    fs::write(path.join("a.sequences"), "no sequences").expect("written");
    assert_snapshot!(run_in(
        path,
        &["net", "judge", "heuristic", "--games", "a.sequences"]
    ));
}

/// The most frequent first, then the one that was reached first; variations, broken games
/// and games that are too short do not count.
#[test]
fn frequent_openings_are_written() {
    let folder = folder("pgn_openings");
    let game = |moves: &str| format!("[Event \"x\"]\n\n{moves} *\n\n");
    let games = [
        "1. d4 d5 2. c4",
        "1. e4 (1. c4 e5 2. g3) 1... e5 2. Nf3",
        "1. c4 e5 2. d4",
        "1. Nf3 e5 2. e4",
        "1. e4 e5",
        "1. d4 d5 2. Ke3",
        "1. c4 e5 2. Nc3",
    ]
    .map(game);
    fs::write(folder.join("games.pgn"), games.concat()).expect("written");
    assert_snapshot!(run_in(
        &folder,
        &[
            "pgn",
            "openings",
            "games.pgn",
            "-o",
            "a.epd",
            "--plies",
            "3",
            "--count",
            "3"
        ]
    ));
    assert_snapshot!(fs::read_to_string(folder.join("a.epd")).expect("written"));
    assert_snapshot!(run_in(
        &folder,
        &[
            "pgn",
            "openings",
            "games.pgn",
            "-o",
            "b.epd",
            "--plies",
            "3",
            "--count",
            "5"
        ]
    ));
}
