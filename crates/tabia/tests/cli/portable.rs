//! The build for any x86-64-v2 CPU against the build for this one.

use crate::nets::{simple, stockfish_shaped};
use crate::perft::suite;
use crate::program::{folder, tabia};
use serde_json::Value;
use std::ffi::OsString;
use std::process::{Command, Stdio};

fn portable_program() -> OsString {
    std::env::var_os("TABIA_PORTABLE").expect("TABIA_PORTABLE names the program")
}

/// The portable build on the CPU of this machine.
fn portable() -> Command {
    Command::new(portable_program())
}

/// The portable build on a CPU that has x86-64-v2 and nothing more.
fn portable_on_old_cpu() -> Command {
    let mut command = Command::new("qemu-x86_64");
    command.args(["-cpu", "Nehalem"]).arg(portable_program());
    command
}

/// What a build answers, without what differs from run to run.
fn answer(mut command: Command, arguments: &[&str]) -> Value {
    command.args(arguments).stdin(Stdio::null());
    let output = command.output().expect("the program runs");
    let error = String::from_utf8_lossy(&output.stderr);
    let mut report: Value = serde_json::from_slice(&output.stdout).expect(&error);
    let fields = report.as_object_mut().expect("an object");
    for changing in ["seconds", "nodes_per_second", "threads"] {
        fields.remove(changing);
    }
    report
}

/// Compares a build with the native one on every position of the suites.
fn check(name: &str, build: impl Fn() -> Command) {
    let folder = folder(name);
    let nets = ["simple.tabianet", "random.nnue"].map(|name| folder.join(name));
    simple(&nets[0]);
    stockfish_shaped(&nets[1]);
    let nets = nets.map(|path| path.display().to_string());
    for name in ["perft.epd", "chess960.epd"] {
        let text = std::fs::read_to_string(suite(name)).expect("a suite");
        for (fen, _) in text.lines().filter_map(|line| line.split_once(';')) {
            for arguments in [
                &["--json", "perft", "3", "--divide", "--fen", fen.trim()][..],
                &["--json", "fen", fen.trim()],
                &["--json", "eval", "--model", &nets[0], fen.trim()],
                &["--json", "eval", "--model", &nets[1], fen.trim()],
            ] {
                let native = answer(tabia(&[]), arguments);
                assert_eq!(answer(build(), arguments), native, "{arguments:?}");
            }
        }
    }
}

#[test]
#[ignore = "wants the portable build in TABIA_PORTABLE; `make test` makes it"]
fn portable_build_gives_the_same_results() {
    let version = portable().arg("--version").output().expect("it runs");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    assert!(version.contains("\ncompiled for: x86-64-v2\n"), "{version}");
    check("portable", portable);
}

#[test]
#[ignore = "wants the portable build and the Debian package qemu-user; `make test` runs it"]
fn portable_build_runs_on_an_old_cpu() {
    check("portable_on_old_cpu", portable_on_old_cpu);
}
