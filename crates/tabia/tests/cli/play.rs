//! `tabia play`, by scripts that type what a person would.

use crate::program::{folder, tabia};
use insta::assert_snapshot;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// What is said if these lines are typed; dates differ from day to day.
fn typed(folder: &Path, arguments: &[&str], lines: &str) -> String {
    let mut program = tabia(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = program.stdin.take().expect("a pipe");
    input.write_all(lines.as_bytes()).expect("typed");
    drop(input);
    let output = program.wait_with_output().expect("it ends");
    let text = format!(
        "exit {}\n{}{}",
        output.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let date = regex::Regex::new(r"\d{4}\.\d\d\.\d\d").expect("a pattern");
    date.replace_all(&text, "[DATE]").into_owned()
}

const CLASSICAL: &str = "play --model classical --nodes 500 --seed 1";

#[test]
fn a_person_mates_and_the_game_is_kept() {
    let folder = folder("play_mate");
    let more = ["--out", "games.pgn", "--name", "Ann", "--fen"];
    let mut arguments: Vec<&str> = CLASSICAL.split(' ').chain(more).collect();
    arguments.push("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
    let said = typed(&folder, &arguments, "Rd9\nhint\nd1d8\n");
    assert!(said.contains("'Rd9' is not a legal move here"), "{said}");
    assert!(said.contains("\nRd8#  (mate in 1)\n"), "{said}");
    assert!(said.contains("1-0: checkmate\n"), "{said}");
    typed(&folder, &arguments, "Rd8#\n");
    let games = std::fs::read_to_string(folder.join("games.pgn")).expect("a file");
    assert_eq!(games.matches("[White \"Ann\"]").count(), 2, "{games}");
    assert_eq!(
        games.matches("1. Rd8# { checkmate } 1-0").count(),
        2,
        "{games}"
    );
}

#[test]
fn words_do_what_they_say() {
    let folder = folder("play_words");
    let arguments: Vec<&str> = CLASSICAL.split(' ').collect();
    let lines = "e4\ntakeback\ntakeback\nmoves\nfen\nd4\nflip\nresign\n";
    assert_snapshot!(typed(&folder, &arguments, lines));
    let arguments = [&arguments[..], &["--side", "black"]].concat();
    assert_snapshot!(typed(&folder, &arguments, "help\nquit\n"));
}

#[test]
fn sides_can_be_changed() {
    let folder = folder("play_switch");
    let arguments: Vec<&str> = CLASSICAL.split(' ').collect();
    let said = typed(&folder, &arguments, "e4\nswitch\nquit\n");
    assert!(said.contains("you play Black now"), "{said}");
    assert!(said.contains("[Black \"You\"]"), "{said}");
    // White's move, the player's answer, and its next move, now for White.
    let is_game = |line: &str| line.starts_with("1. e4 ") && line.contains(" 2. ");
    assert!(said.lines().any(is_game), "{said}");
}

#[test]
fn wrong_players_and_positions_are_refused() {
    let folder = folder("play_wrong");
    for (arguments, words) in [
        ("play --fen 8/8", "invalid FEN"),
        ("play --player cmd=/no/such/engine", "/no/such/engine"),
        ("play --seconds 0", "0.001 to 86400"),
        ("play --model nothing.tabianet", "nothing.tabianet"),
    ] {
        let said = typed(&folder, &arguments.split(' ').collect::<Vec<_>>(), "");
        assert!(
            said.starts_with("exit 2\n") && said.contains(words),
            "{said}"
        );
    }
}
