//! The build for any x86-64-v2 CPU against the build for this one.

use crate::perft::suite;
use crate::program::tabia;
use std::process::{Command, Stdio};

/// What a build answers, without what differs from run to run.
fn answer(mut command: Command, arguments: &[&str]) -> serde_json::Value {
    let output = command.args(arguments).output().expect("the program runs");
    let mut report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    if let Some(report) = report.as_object_mut() {
        report.remove("seconds");
        report.remove("nodes_per_second");
    }
    report
}

fn portable() -> Command {
    let program = std::env::var_os("TABIA_PORTABLE").expect("TABIA_PORTABLE names the program");
    let mut command = Command::new(program);
    command.stdin(Stdio::null());
    command
}

#[test]
#[ignore = "wants the portable build in TABIA_PORTABLE; `make test` makes it"]
fn portable_build_gives_the_same_results() {
    let version = portable()
        .arg("--version")
        .output()
        .expect("the program runs");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    assert!(version.contains("\ncompiled for: x86-64-v2\n"), "{version}");

    for name in ["perft.epd", "chess960.epd"] {
        let text = std::fs::read_to_string(suite(name)).expect("a suite");
        for (fen, _) in text.lines().filter_map(|line| line.split_once(';')) {
            let arguments = ["perft", "3", "--divide", "--json", "--fen", fen.trim()];
            let native = answer(tabia(&[]), &arguments);
            assert!(native["nodes"].is_u64(), "{fen}");
            assert_eq!(native, answer(portable(), &arguments), "{fen}");
        }
    }
}
