//! `tabia suite`: solved and unsolved positions, and files that are no suites.

use crate::program::{run, tabia};
use insta::assert_snapshot;

/// A file with this content, made anew for each test.
fn file(name: &str, text: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, text).expect("the folder of test files can be written to");
    path
}

/// A transcript without what depends on the machine.
fn without_folder(transcript: &str) -> String {
    let short = transcript.replace(&format!("{}/", env!("CARGO_TARGET_TMPDIR")), "");
    let is_fixed = |line: &&str| !line.contains(" nodes in ");
    let lines = short.lines().filter(is_fixed);
    lines.map(|line| format!("{line}\n")).collect()
}

const SUITE: &str = "\
# Two mates, a wrong answer and a move to avoid.
6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8; id \"rook\";
6k1/5ppp/8/8/8/8/8/R3K3 w Q - dm 1;
6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Kd1; id \"wrong\";
6k1/5ppp/8/8/8/8/8/R3K3 w Q - dm 2; id \"too long\";
6k1/5ppp/8/8/8/8/8/R3K3 w Q - am Kd1;
";

#[test]
fn solved_positions_are_counted_and_unsolved_ones_shown() {
    let file = file("solved.epd", SUITE);
    assert_snapshot!(without_folder(&run(&["suite", &file, "--depth", "3"])));
}

#[test]
fn every_limit_is_taken_but_only_one() {
    let file = file("limits.epd", SUITE);
    for limit in [["--nodes", "500"], ["--depth", "2"], ["--movetime", "20"]] {
        let transcript = run(&["suite", &file, limit[0], limit[1], "--threads", "2"]);
        assert!(transcript.contains("3 of 5 solved\n"), "{transcript}");
    }
    let transcript = run(&["suite", &file, "--nodes", "500", "--depth", "2"]);
    assert!(transcript.starts_with("exit 2\n"), "{transcript}");
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let file = file("threads.epd", SUITE);
    let report = |threads: &str| {
        let output = tabia(&[
            "suite",
            &file,
            "--json",
            "--depth",
            "4",
            "--threads",
            threads,
        ])
        .output()
        .expect("the program runs");
        let mut report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        report["threads"].take();
        report["seconds"].take();
        report
    };
    assert_eq!(report("1"), report("3"));
}

#[test]
fn files_that_are_no_suites_are_wrong_input() {
    let cases = [
        ("nothing.epd", ""),
        ("no-answer.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - id \"x\";"),
        ("no-move.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Qa8;"),
        ("no-position.epd", "joho"),
    ];
    let mut all = String::new();
    for (name, text) in cases {
        all += &without_folder(&run(&["suite", &file(name, text)]));
    }
    all += &run(&["suite", "/nowhere.epd"]);
    assert_snapshot!(all);
}
