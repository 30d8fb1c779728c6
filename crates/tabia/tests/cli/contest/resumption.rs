//! What survives an interruption and a kill.

use super::{command, folder, games};
use crate::program::transcript;
use insta::assert_snapshot;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

#[test]
fn another_plan_in_the_same_folder_is_refused() {
    let folder = folder("other-plan");
    let line = [
        "match", "--player", "name=a", "--player", "name=b", "-o", "out",
    ];
    let played = [&line[..], &["--each", "depth=1", "--games", "2"]].concat();
    let first = transcript(&mut command(&folder, &played));
    assert!(first.starts_with("exit 0\n"), "{first}");
    let other = [&line[..], &["--each", "depth=2", "--games", "2"]].concat();
    assert_snapshot!(transcript(&mut command(&folder, &other)), @r"
    exit 2
    --- stderr
    error: out/journal.jsonl: this journal belongs to another match: plan.players[0].depth is 1 there and 2 here; give another folder with --out
    ");
}

/// Waits until the journal of a running program has so many lines; false if the
/// program ended before.
fn wait_for_lines(child: &mut Child, folder: &Path, lines: usize) -> bool {
    let journal = folder.join("out/journal.jsonl");
    loop {
        let text = fs::read(&journal).unwrap_or_default();
        if text.iter().filter(|&&byte| byte == b'\n').count() >= lines {
            return true;
        }
        if child.try_wait().expect("a process").is_some() {
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Starts the program and kills it once its journal has so many lines. Tells
/// whether it was killed in the middle.
fn kill_at(folder: &Path, line: &[&str], lines: usize) -> bool {
    let mut child = command(folder, line)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    wait_for_lines(&mut child, folder, lines);
    child.kill().expect("it can be killed, or has ended");
    child.wait().expect("it has ended").code().is_none()
}

#[test]
fn an_interrupted_match_says_how_to_go_on() {
    let folder = folder("interrupted");
    let line = [
        "match",
        "--player",
        "name=a depth=2",
        "--player",
        "name=b depth=1",
        "--games",
        "1600",
        "--out",
        "out",
    ];
    let mut child = command(&folder, &line)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    assert!(wait_for_lines(&mut child, &folder, 4), "it has much to do");
    let interrupt = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupt.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let words = String::from_utf8_lossy(&output.stderr);
    let command_again = "match --player 'name=a depth=2' --player 'name=b depth=1'";
    assert!(words.contains("\nto resume: "), "{words}");
    assert!(words.contains(command_again), "{words}");
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(
        table.contains("verdict           none, interrupted\n"),
        "{table}"
    );
    let finished = games(&folder.join("out")).len();
    let pgn = fs::read_to_string(folder.join("out/games.pgn")).expect("games");
    assert_eq!(pgn.matches("[Event ").count(), finished);
}

#[test]
fn a_tournament_that_was_killed_goes_on() {
    let line: &[&str] = &[
        "tournament",
        "--player",
        "name=a nodes=1600",
        "--player",
        "name=b nodes=800",
        "--player",
        "name=c nodes=400",
        "--player",
        "name=d depth=3",
        "--games",
        "4",
        "--horizon",
        "80",
        "--at-horizon",
        "material",
        "--concurrency",
        "2",
        "--out",
        "out",
    ];
    let whole = folder("undisturbed");
    let expected = transcript(&mut command(&whole, line));
    assert!(expected.starts_with("exit 0\n"), "{expected}");
    let killed = folder("killed");
    // Before the first game, in the middle, and near the end.
    let kills = [1, 4, 11, 20].map(|lines| kill_at(&killed, line, lines));
    // A machine that is busy elsewhere may let the last run end before.
    assert_eq!(kills[..3], [true; 3]);
    let resumed = transcript(&mut command(&killed, line));
    assert!(
        resumed.contains(" games were already finished\n"),
        "{resumed}"
    );
    let table = |transcript: &str| {
        let lines = transcript.lines();
        let is_kept = |line: &&str| !line.contains("were already finished");
        lines.filter(is_kept).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(table(&resumed), table(&expected));
    let games_of = |folder: &Path| games(&folder.join("out"));
    assert_eq!(games_of(&killed).len(), 24);
    assert_eq!(games_of(&killed), games_of(&whole));
}
