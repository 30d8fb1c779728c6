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

/// The JSON of a run of eight iterations with these further arguments: deep enough that
/// late moves are reduced, whatever net the program carries.
fn report(file: &str, further: &[&str]) -> serde_json::Value {
    let arguments = [&["suite", file, "--json", "--depth", "8"], further].concat();
    let output = tabia(&arguments).output().expect("the program runs");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let file = file("threads.epd", SUITE);
    let results = |threads: &str| {
        let mut report = report(&file, &["--threads", threads]);
        report["threads"].take();
        report["seconds"].take();
        report
    };
    assert_eq!(results("1"), results("3"));
}

#[test]
fn constants_of_the_search_can_be_set() {
    let spanish = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5;";
    let file = file("constants.epd", spanish);
    let nodes = |further: &[&str]| report(&file, further)["nodes"].as_u64();
    let usual = nodes(&[]);
    let off = [
        "--player",
        "param.reduction_depth=255 param.razor_base=30000",
    ];
    assert_ne!(nodes(&off), usual);
    let mut all = String::new();
    for wrong in ["param.joy=1", "param.razor_base", "param.razor_base=1.5"] {
        all += &run(&["suite", &file, "--player", wrong]);
    }
    assert_snapshot!(all);
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

const PUZZLES: &str = "\
PuzzleId,FEN,Moves,Rating,RatingDeviation,Themes,Source
00QOp,4r3/pp2rkp1/2p5/P2p2pP/R4bP1/2NQ4/1PP2P2/3Kq2R w - - 3 25,h1e1 e7e1,399,91,mate,x
two,6k1/5ppp/8/8/8/7r/8/RR2K3 b - - 0 1,h3e3 e1d2 e3e8 a1a8,1450,91,quiet,x
mate,6k1/5ppp/8/8/8/8/7r/RR2K3 b - - 0 1,h2h1 e1f2 h1b1 a1b1,1460,91,wrong,x
";

#[test]
fn puzzles_of_lichess_are_counted_by_rating() {
    let file = file("puzzles.csv", PUZZLES);
    let player = ["--player", "mcts model=heuristic hash=1", "--nodes", "50"];
    let arguments = [&["suite", &file[..]], &player[..]].concat();
    assert_snapshot!(without_folder(&run(&arguments)));
    let one = [&arguments[..], &["--sample", "1", "--json"]].concat();
    let output = tabia(&one).output().expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["positions"], 1);
    let wrong = self::file("wrong.csv", &PUZZLES.replace("e7e1", "e7h1"));
    let transcript = without_folder(&run(&["suite", &wrong]));
    assert!(transcript.starts_with("exit 2\n"), "{transcript}");
    assert!(
        transcript.contains("wrong.csv:2: the move 'e7h1'"),
        "{transcript}"
    );
}
