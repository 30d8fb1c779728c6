//! `tabia perft`, on single positions and on suites.

use crate::program::{run, tabia};
use insta::assert_snapshot;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The folder of the suites that come with these tests.
pub(crate) fn suite(name: &str) -> String {
    format!("{}/tests/suites/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A suite of this test's own.
fn suite_of(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a suite is written");
    path.into_os_string().into_string().expect("a plain path")
}

/// Replaces what differs from run to run.
fn settled(transcript: &str) -> String {
    let mut text = transcript.replace(concat!(env!("CARGO_TARGET_TMPDIR"), "/"), "");
    for (pattern, replacement) in [
        (r"time     \d+\.\d{3} s", "time     [TIME] s"),
        (r"nodes/s  \d+", "nodes/s  [SPEED]"),
        (r#""seconds":[-.e\d]+"#, r#""seconds":[TIME]"#),
        (r#""nodes_per_second":\d+"#, r#""nodes_per_second":[SPEED]"#),
        (
            r"in \d+\.\d{3} s, \d+ nodes/s",
            "in [TIME] s, [SPEED] nodes/s",
        ),
    ] {
        let pattern = regex::Regex::new(pattern).expect("a pattern");
        text = pattern.replace_all(&text, replacement).into_owned();
    }
    text
}

#[test]
fn a_count_is_nodes_time_and_speed() {
    assert_snapshot!(settled(&run(&["perft", "4"])), @r"
    exit 0
    --- stdout
    nodes    197281
    time     [TIME] s
    nodes/s  [SPEED]
    ");
}

#[test]
fn divide_lists_the_first_moves() {
    let fen = "8/8/8/8/k7/8/1P6/K6R w - - 0 1";
    assert_snapshot!(settled(&run(&["perft", "2", "--divide", "--fen", fen])), @r"
    exit 0
    --- stdout
    a1a2: 3
    a1b1: 4
    b2b3: 5
    b2b4: 4
    h1b1: 4
    h1c1: 4
    h1d1: 4
    h1e1: 4
    h1f1: 4
    h1g1: 4
    h1h2: 4
    h1h3: 3
    h1h4: 3
    h1h5: 2
    h1h6: 4
    h1h7: 4
    h1h8: 4

    nodes    64
    time     [TIME] s
    nodes/s  [SPEED]
    ");
}

#[test]
fn castling_is_written_in_either_style() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let arguments = ["perft", "1", "--divide", "--fen", fen, "--chess960"];
    assert!(run(&arguments[..5]).contains("\ne1g1: 1\n"));
    assert!(run(&arguments).contains("\ne1h1: 1\n"));
    // Here the ordinary style would call two moves f1g1.
    let unclear = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
    let transcript = run(&["perft", "1", "--divide", "--fen", unclear]);
    assert!(
        transcript.contains("\nf1g1: 1\nf1g2: 1\nf1h1: 1\n"),
        "{transcript}"
    );
}

#[test]
fn json_is_one_object_on_one_line() {
    let fen = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
    let arguments = [
        "perft",
        "2",
        "--threads",
        "1",
        "--divide",
        "--json",
        "--fen",
        fen,
    ];
    assert_snapshot!(settled(&run(&arguments)), @r#"
    exit 0
    --- stdout
    {"fen":"8/8/8/8/8/8/8/K1k5 w - - 0 1","depth":2,"threads":1,"nodes":3,"seconds":[TIME],"nodes_per_second":[SPEED],"divide":{"a1a2":3}}
    "#);
}

#[test]
fn any_number_of_threads_counts_the_same() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let counts = ["1", "2", "7"].map(|threads| {
        settled(&run(&[
            "perft",
            "3",
            "--divide",
            "--fen",
            fen,
            "--threads",
            threads,
        ]))
    });
    assert!(counts[0].contains("\nnodes    97862\n"));
    assert!(counts.iter().all(|count| *count == counts[0]));
}

#[test]
fn mated_side_has_no_moves() {
    let mated = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1";
    for depth in ["1", "3"] {
        let transcript = run(&["perft", depth, "--divide", "--fen", mated]);
        assert!(transcript.contains("nodes    0\n"), "{transcript}");
    }
}

#[test]
fn own_suites_pass() {
    let perft = settled(&run(&["perft", "--suite", &suite("perft.epd")]));
    assert_snapshot!(perft, @r"
    exit 0
    --- stdout
    16 passed, 0 failed
    --- stderr
    1380771 nodes in [TIME] s, [SPEED] nodes/s
    ");
    let chess960 = settled(&run(&[
        "perft",
        "--quiet",
        "--suite",
        &suite("chess960.epd"),
    ]));
    assert_snapshot!(chess960, @r"
    exit 0
    --- stdout
    5 passed, 0 failed
    ");
}

#[test]
fn wrong_lines_of_a_suite_are_reported_in_order() {
    let suite = suite_of(
        "wrong.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 21 ;D2 400 ;D3 8901\n\
         \n\
         8/8/8/8/8/8/8/K1k5 w - - 0 1; D1 1\0\n\
         8/8/8/8/8/8/8/K1k5 w - - 0 1; D2 9\0\n",
    );
    assert_snapshot!(settled(&run(&["perft", "--suite", &suite])), @r"
    exit 1
    --- stdout
    wrong.epd:1: depth 1: expected 21, got 20
    wrong.epd:1: depth 3: expected 8901, got 8902
    wrong.epd:4: depth 2: expected 9, got 3
    1 passed, 2 failed
    --- stderr
    9326 nodes in [TIME] s, [SPEED] nodes/s
    ");
    assert_snapshot!(settled(&run(&["perft", "-q", "--json", "--threads", "1", "--suite", &suite])), @r#"
    exit 1
    --- stdout
    {"file":"wrong.epd","passed":1,"failed":2,"left_out":0,"threads":1,"nodes":9326,"seconds":[TIME],"nodes_per_second":[SPEED],"failures":[{"line":1,"depth":1,"expected":21,"got":20},{"line":1,"depth":3,"expected":8901,"got":8902},{"line":4,"depth":2,"expected":9,"got":3}]}
    "#);
}

#[test]
fn large_depths_of_a_suite_can_be_left_out() {
    let suite = suite_of(
        "large.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D2 400 ;D3 1\n\
         8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D9 1000\n",
    );
    assert_snapshot!(settled(&run(&["perft", "--max-nodes", "400", "--suite", &suite])), @r"
    exit 1
    --- stdout
    large.epd:1: depth 3: expected 1, got 8902
    0 passed, 1 failed
    --- stderr
    9302 nodes in [TIME] s, [SPEED] nodes/s; positions skipped as too large: 1
    ");
}

#[test]
fn verbose_names_every_line() {
    let suite = suite_of(
        "verbose.epd",
        "# kings\n8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 1\n",
    );
    let transcript = run(&["perft", "-v", "--suite", &suite]);
    assert!(
        transcript.contains("verbose.epd:2: passed, 1 nodes\n"),
        "{transcript}"
    );
}

#[test]
fn suites_that_cannot_be_used_are_wrong_input() {
    let kings = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
    let refusals: String = [
        ("empty.epd", "# nothing\n".to_owned()),
        ("no-depth.epd", kings.to_owned()),
        ("no-count.epd", format!("{kings} ;D1 2\n{kings} ;D1 two\n")),
        (
            "no-position.epd",
            format!("\n\n{} ;D1 2\n", kings.replace('k', "Q")),
        ),
        ("binary.epd", "\u{1}\u{2};\u{3}".to_owned()),
        ("long.epd", "x".repeat(1_000_000)),
    ]
    .map(|(name, text)| {
        let transcript = settled(&run(&["perft", "--suite", &suite_of(name, &text)]));
        let error = transcript.strip_prefix("exit 2\n--- stderr\nerror: ");
        error
            .unwrap_or_else(|| panic!("{name}: {transcript}"))
            .to_owned()
    })
    .concat();
    assert_snapshot!(refusals);
    let missing = run(&["perft", "--suite", "no/such.epd"]);
    assert!(
        missing.starts_with("exit 2\n--- stderr\nerror: cannot read no/such.epd: No such file")
    );
}

#[test]
fn wrong_usage_is_refused() {
    for arguments in [
        &["perft"][..],
        &["perft", "0"],
        &["perft", "x"],
        &["perft", "3", "--threads", "0"],
        &["perft", "3", "--threads", "1000000"],
        &["perft", "3", "--max-nodes", "5"],
        &["perft", "3", "--suite", "x.epd"],
        &["perft", "--divide", "--suite", "x.epd"],
    ] {
        let transcript = run(arguments);
        assert!(
            transcript.starts_with("exit 2\n--- stderr\nerror: "),
            "{arguments:?}: {transcript}"
        );
    }
}

#[test]
#[cfg(unix)]
fn interrupted_work_ends_in_good_order() {
    let suite = suite_of(
        "endless.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D11 2097651003696806\n",
    );
    for arguments in [
        &["perft", "-v", "11"][..],
        &["perft", "-v", "--suite", &suite],
    ] {
        let mut child = tabia(arguments)
            .args(["--threads", "2"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut words = BufReader::new(child.stderr.take().expect("its words")).lines();
        let mut next = || words.next().map(|line| line.expect("text"));
        // Only from here on does the program listen.
        assert_eq!(next().as_deref(), Some("threads: 2"));
        let kill = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(kill.expect("kill runs").success());
        let stopping = "stopping; press Ctrl-C again to quit immediately";
        assert_eq!(next().as_deref(), Some(stopping));
        assert_eq!(next().as_deref(), Some("interrupted"));
        assert_eq!(child.wait().expect("an end").code(), Some(130));
    }
}
