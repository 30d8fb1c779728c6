//! The engine as a process: `tabia uci`, `tabia` on a pipe, `tabia bench`,
//! `tabia eval`.

use crate::program::{run, tabia};
use insta::assert_snapshot;
use std::io::Write;
use std::process::{Output, Stdio};

/// Runs the program with this on its standard input.
fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = tabia(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its input");
    stdin.write_all(input).expect("it listens");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

#[test]
fn a_pipe_without_a_command_is_a_uci_client() {
    for arguments in [&[][..], &["uci"]] {
        let output = with_input(arguments, b"uci\ngo depth 1\n");
        let said = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{said}");
        let version = env!("CARGO_PKG_VERSION");
        let beginning = format!("id name Tabia {version}\nid author the Tabia developers\n");
        assert!(said.starts_with(&beginning), "{said}");
        let last = said.lines().last().unwrap_or_default();
        assert!(last.starts_with("bestmove "), "{said}");
        assert!(output.stderr.is_empty());
    }
}

#[test]
fn a_client_that_stops_listening_ends_the_engine() {
    let mut child = tabia(&["uci"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("its input");
    writeln!(stdin, "go infinite").expect("it listens");
    // The input stays open until the engine has ended.
    let output = child.wait_with_output().expect("it ends");
    drop(stdin);
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn silence_is_a_good_end() {
    assert_eq!(run(&[]), "exit 0\n");
}

#[test]
fn the_bench_ends_with_the_line_that_test_servers_read() {
    let signature = || {
        let transcript = run(&["bench", "--depth", "3", "--player", "hash=1"]);
        let line = transcript.lines().last().unwrap_or_default();
        match line.split(' ').collect::<Vec<_>>()[..] {
            [nodes, "nodes", _, "nps"] => nodes.parse::<u64>().expect("a number"),
            _ => panic!("{transcript}"),
        }
    };
    assert_eq!(signature(), signature());
}

/// Unfinished work is only continued by builds with the same signature, so the one
/// that is written down must be that of the search.
#[test]
fn the_signature_is_the_one_that_is_written_down() {
    let output = tabia(&["bench", "--json"]).output();
    let output = output.expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["nodes"], engines::bench::SIGNATURE);
}

#[test]
fn the_bench_speaks_json() {
    let output = tabia(&["bench", "--depth", "1", "--json"]).output();
    let output = output.expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["depth"], 1);
    assert!(report["nodes"].as_u64().is_some_and(|nodes| nodes > 0));
    assert!(report["nodes_per_second"].is_u64());
}

#[test]
fn old_names_of_options_are_answered_with_the_new_ones() {
    assert_snapshot!(
        [
            run(&["uci", "--net", "a.tabianet"]),
            run(&["selfplay", "--hash", "1"]),
            run(&["match", "--player", "eval=classical"]),
        ]
        .join("\n")
    );
}

#[test]
fn the_evaluation_is_shown_in_groups() {
    let transcript = run(&[
        "eval",
        "--model",
        "classical",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ]);
    for word in ["exit 0", "imbalance", "king", "stage", "value for White"] {
        assert!(transcript.contains(word), "no {word} in {transcript}");
    }
}

#[test]
fn the_evaluation_speaks_json() {
    let queen_up = "4k3/8/8/8/8/8/8/4KQ2 b - - 0 1";
    let output = tabia(&["eval", "--json", "--model", "classical", queen_up]).output();
    let output = output.expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(report["value"].as_i64().is_some_and(|value| value > 300));
    assert!(
        report["groups"]
            .as_array()
            .is_some_and(|groups| !groups.is_empty())
    );
}

#[test]
fn a_check_is_pointed_out() {
    let transcript = run(&["eval", "4k3/8/8/8/8/8/8/4QK2 b - - 0 1"]);
    assert!(
        transcript.contains("warning: the side to move is in check"),
        "{transcript}"
    );
}
