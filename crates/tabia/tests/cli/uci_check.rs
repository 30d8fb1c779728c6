//! `tabia uci-check`, with an engine that does one thing wrong, and with our own.

use crate::program::{run, tabia, transcript};
use insta::assert_snapshot;
use test_engines::badengine;

/// Checks a bad engine.
fn check(arguments: &[&str], mode: &str) -> String {
    let mut command = tabia(&["uci-check"]);
    command.args(arguments).arg(badengine());
    transcript(command.args(mode.split(' ')))
}

/// The same without the steps that went well.
fn faults(mode: &str) -> String {
    let transcript = check(&[], mode);
    let lines = transcript.lines().filter(|line| {
        let is_good = line.starts_with("passed") || line.starts_with("skipped");
        !is_good && !line.starts_with("         ")
    });
    lines.map(|line| format!("{line}\n")).collect()
}

macro_rules! assert_check {
    ($transcript:expr $(, $inline:tt $snapshot:literal)?) => {
        let program = regex::escape(&badengine().display().to_string());
        insta::with_settings!({filters => vec![
            (program.as_str(), "[BADENGINE]"),
            (r"\d+ of (300|1000) ms", "[TIME] of $1 ms"),
            (r" \(core dumped\)", ""),
            (r"thread 'main' \(\d+\)", "thread 'main'"),
        ]}, {
            assert_snapshot!($transcript $(, $inline $snapshot)?);
        });
    };
}

#[test]
fn a_correct_engine_passes_every_step() {
    assert_check!(check(&["--option", "Hash=8"], "correct"));
}

#[test]
fn our_own_engine_passes_every_step() {
    let own = env!("CARGO_BIN_EXE_tabia");
    let transcript = run(&["uci-check", own, "uci"]);
    assert!(transcript.starts_with("exit 0\n"), "{transcript}");
    assert!(
        transcript.contains(" 0 failed, 0 skipped\n"),
        "{transcript}"
    );
}

#[test]
fn a_sloppy_engine_is_told_where() {
    assert_check!(check(&[], "sloppy"));
}

#[test]
fn a_fragile_engine_is_told_what_broke_it() {
    assert_check!(faults("fragile"));
}

#[test]
fn an_engine_that_crashes_is_started_anew_for_each_step() {
    assert_check!(faults("crash 2"));
}

#[test]
fn limits_that_are_ignored_are_named() {
    assert_check!(faults("ignores-nodes"), @r"
    exit 1
    --- stdout
    Bad Engine 1.0 by the Tabia developers
    FAILED   go nodes: it had to be stopped
    limit    depth: obeyed, 5 of 5
    limit    nodes: not obeyed, 10000000 of 20000
    limit    movetime: obeyed, [TIME] of 300 ms
    limit    clock: obeyed, [TIME] of 1000 ms
    42 passed, 1 failed, 0 skipped
    ");
}

#[test]
fn an_engine_that_ignores_stop_is_found() {
    assert_check!(faults("ignores-stop"), @r"
    exit 1
    --- stdout
    Bad Engine 1.0 by the Tabia developers
    FAILED   go infinite, stop: no 'bestmove' within 1.0s of 'stop'
    FAILED   isready during a search: no 'bestmove' within 1.0s of 'stop'
    limit    depth: obeyed, 5 of 5
    limit    nodes: obeyed, 20000 of 20000
    limit    movetime: obeyed, [TIME] of 300 ms
    limit    clock: obeyed, [TIME] of 1000 ms
    41 passed, 2 failed, 0 skipped
    ");
}

#[test]
fn answers_too_many_are_found() {
    assert_check!(faults("twice"));
}

#[test]
fn an_engine_that_stays_is_ended() {
    assert_check!(faults("stays"), @r"
    exit 1
    --- stdout
    Bad Engine 1.0 by the Tabia developers
    FAILED   quit: it still ran after 2.0s
    FAILED   quit during a search: it still ran after 2.0s
    FAILED   end of the input: it still ran after 2.0s
    limit    depth: obeyed, 5 of 5
    limit    nodes: obeyed, 20000 of 20000
    limit    movetime: obeyed, [TIME] of 300 ms
    limit    clock: obeyed, [TIME] of 1000 ms
    40 passed, 3 failed, 0 skipped
    ");
}

#[test]
fn what_says_nothing_is_no_engine() {
    assert_check!(check(&["--patience", "1"], "hang-uci"), @r"
    exit 1
    --- stdout
    [BADENGINE] hang-uci
    FAILED   uci: no 'uciok' within 1.0s
             expected: uciok
             > uci
    0 passed, 1 failed, 0 skipped
    ");
}

#[test]
fn verbose_shows_what_was_said_in_every_step() {
    let transcript = check(&["--verbose"], "correct");
    let step = "
passed   isready
         expected: readyok
         > isready
         < readyok
";
    assert!(transcript.contains(step), "{transcript}");
}

#[test]
fn the_check_speaks_json() {
    let mut command = tabia(&["uci-check", "--json"]);
    let output = command.arg(badengine()).arg("exceeds-nodes").arg("3");
    let output = output.output().expect("the program runs");
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["name"], "Bad Engine 1.0");
    assert_eq!(report["failed"], 1);
    assert_eq!(
        report["limits"][1],
        serde_json::json!({
            "limit": "nodes", "unit": "", "allowed": 20000, "used": 60000, "obeyed": false
        })
    );
    let steps = report["steps"].as_array().expect("steps");
    let failed: Vec<_> = steps
        .iter()
        .filter(|step| step["verdict"] == "failed")
        .collect();
    assert_eq!(failed[0]["name"], "go nodes");
    assert_eq!(failed[0]["reason"], "it used 60000");
    assert_eq!(failed[0]["exchange"][1], "> go nodes 20000");
}

#[test]
fn every_step_is_counted() {
    let mut command = tabia(&["uci-check", "--json"]);
    let output = command.arg(badengine()).arg("correct").output();
    let output = output.expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let steps = report["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), engines::external::conformity::STEPS);
}

#[test]
fn what_cannot_be_started_is_wrong_input() {
    assert_eq!(
        run(&["uci-check", "./no/engine"]),
        "exit 2\n--- stderr\nerror: cannot start ./no/engine: there is no such program; give its \
         path, or a name on the PATH\n"
    );
    assert_check!(check(&["--option", "Hash=2048"], "correct"), @r"
    exit 2
    --- stderr
    error: [BADENGINE]: the option Hash expects a number from 1 to 1024, but the value is '2048'
    ");
    assert_check!(check(&["--option", "=8"], "correct"), @r"
    exit 2
    --- stderr
    error: invalid value '=8' for '--option <NAME=VALUE>': the name of the option is missing: write NAME=VALUE

    For more information, try '--help'.
    ");
}

#[test]
fn an_unknown_option_is_a_warning() {
    let transcript = check(&["--option", "Threads=2"], "correct");
    assert!(
        transcript.contains("warning: ") && transcript.contains("has no option 'Threads'"),
        "{transcript}"
    );
    assert!(transcript.starts_with("exit 0\n"), "{transcript}");
}
