//! What people read fits a terminal of 80 columns.

use crate::examples::commands_of;
use crate::program::tabia;
use std::io::Write;
use std::process::{Output, Stdio};

/// What a command says on a terminal of so many columns.
fn said(words: &[&str], columns: &str, input: &str) -> String {
    let mut command = tabia(words);
    command.env("COLUMNS", columns).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.current_dir(env!("CARGO_TARGET_TMPDIR"));
    let mut child = command.spawn().expect("a start");
    let written = child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input.as_bytes());
    let Output { stdout, stderr, .. } = child.wait_with_output().expect("an end");
    // A command that reads nothing may have ended before.
    drop(written);
    String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned()
}

/// Lines that are too long, with what said them.
fn too_long(words: &[&str], text: &str) -> Vec<String> {
    let long = text.lines().filter(|line| line.chars().count() > 80);
    long.map(|line| format!("{words:?}: {line}")).collect()
}

/// Help below a command that does not fit, or whose lines were broken anew.
fn misfits(command: &[&str], found: &mut Vec<String>) {
    let words = [command, &["--help"]].concat();
    let [narrow, wide] = ["80", "200"].map(|columns| said(&words, columns, ""));
    found.extend(too_long(command, &narrow));
    let texts = [&narrow, &wide].map(|help| help.split_once("Examples:\n").map(|(_, text)| text));
    if texts[0] != texts[1] {
        let pairs = texts.map(Option::unwrap_or_default).map(str::lines);
        let [narrow, wide] = pairs;
        let broken = narrow.zip(wide).find(|(narrow, wide)| narrow != wide);
        found.push(format!("{command:?} is broken anew: {broken:?}"));
    }
    for name in commands_of(&wide) {
        misfits(&[command, &[name]].concat(), found);
    }
}

#[test]
fn help_fits_as_it_was_written() {
    let mut found = Vec::new();
    misfits(&[], &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_commands_say_fits() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (words, input) in [
        (&["net", "info"][..], ""),
        (&["eval", "--model", "classical", start], ""),
        (&["eval", start], ""),
        (&["play", "--nodes", "10"], "moves\ne5\nquit\n"),
        (&["run", "quickstart", "--set", "nothing=3"], ""),
        (&["runs", "show", "nothing"], ""),
        (&["tune", "--list"], ""),
    ] {
        let text = said(words, "80", input);
        assert!(!text.is_empty(), "{words:?}");
        assert_eq!(too_long(words, &text), [""; 0]);
    }
}
